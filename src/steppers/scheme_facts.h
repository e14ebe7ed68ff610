// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace tappet {

// What a scheme says about itself, in its own header:
//
//   static constexpr SchemeFacts facts{.name = "moreau-jean", .paper = …, .level = …};
//
// Its options, if it has any, are a struct `Options` with describe() (describe/describe.h).
struct SchemeFacts {
  // How the force of a closed contact is read from a result.
  enum class Forces {
    given,         // the scheme gives the force itself, λ
    mean_of_step,  // the impulse of a step divided by dt is the mean force of the step
    mean_of_steps  // impulses alternate from step to step, so only their mean over several steps is a force
  };

  std::string_view name;     // on the command line and in model files
  std::string_view paper;    // also the equations or the section in it
  std::string_view level;    // on which the contact law holds
  std::string_view order;    // between impacts
  std::string_view summary;  // one line
  Forces forces = Forces::mean_of_step;
  bool follows_found_contacts = false;  // whether it works with colliders, whose contacts come and go during a run
};

}  // namespace tappet
