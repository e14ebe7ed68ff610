// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tappet::events {

// Functions whose falling zeros are events. From `branch` on they belong to switches of formulas.
enum class Watch {
  gap,       // of an open contact
  normal,    // force of a closed contact
  friction,  // what is left up to the limit, of a sticking contact
  slip,      // velocity of a slipping contact, along its direction
  begun,     // slip that begins gets fast enough to have a direction of its own, or to have turned back
  target,    // time, if it is stretched
  paradox,   // the balance with friction becomes singular
  branch,    // the switch function reaches the switching point
  above,     // or the next whole number
  sliding,   // no branch between the two keeps the motion on the switching point
  band       // the switch function leaves the switching point
};

struct Watched {
  Watch what;
  int index;  // of a contact or of a switch
  bool is_switch() const { return what >= Watch::branch; }
};

}  // namespace tappet::events
