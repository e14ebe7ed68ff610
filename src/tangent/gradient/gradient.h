// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tangent/flow.h"
#include "tangent/gradient/moment.h"

namespace tappet {

// The derivatives of quantities with respect to parameters and start values.
struct Gradient {
  // A derivative for an increase or a decrease only, where there is none for both. The value is that of the motions on
  // this side: it may jump at the end.
  struct OneSided {
    double value = NAN, slope = NAN;
    std::string trouble;  // why there is none
    bool exists() const { return trouble.empty(); }
  };
  struct Row {
    QuantityAtTime of;
    double value = 0;
    std::vector<double> slopes;                // by direction; NaN if there is none
    std::vector<std::string> trouble;          // by direction: why there is none
    std::vector<OneSided> increase, decrease;  // by direction, where there is trouble
  };
  std::vector<std::string> wrt;
  std::vector<Row> rows;
  Closeness closeness;
  std::vector<NamedInstant> sequence;
  int rank = 0, size = 0;  // of the derivative of the last state: its rank, and the number of its rows
};

struct GradientQuestion {
  std::vector<QuantityAtTime> of;
  std::vector<std::string> wrt;  // parameters, coordinates (x: its start), velocities (x': its start)
  std::vector<Option> options;   // of event-driven
};

// Throws a UsageError if the question is wrong and std::runtime_error if the motion cannot be computed.
Gradient gradient(const ModelSource& source, const GradientQuestion& question);

// The direction of a parameter or start value. Parameters are added to `slopes`.
Direction direction_named(const ModelSource& source, const System& base, const std::string& name,
                          std::vector<std::unique_ptr<ParameterSlope>>& slopes);

}  // namespace tappet
