// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/stepper.h"

namespace tappet {

bool Stepper::settle(long step) {
  constexpr long interval = 100;
  if (step % interval != 0) return false;
  Archive settling(Archive::Purpose::settle);
  return archive(settling);
}

std::string_view name(Event::Kind kind) {
  switch (kind) {
    case Event::Kind::impact:
      return "impact";
    case Event::Kind::closing:
      return "closing";
    case Event::Kind::opening:
      return "opening";
    case Event::Kind::stick:
      return "stick";
    case Event::Kind::slip:
      return "slip";
    case Event::Kind::reversal:
      return "reversal";
    case Event::Kind::accumulation:
      return "accumulation";
    case Event::Kind::branch:
      return "branch";
    case Event::Kind::switching:
      return "switch";
  }
  return "";
}

}  // namespace tappet
