// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "tangent/flow.h"

#include <fmt/format.h>

#include "run/make_stepper.h"

namespace tappet {

void require_derivatives(const System& system, const std::string& scheme, const std::vector<Option>& options) {
  if (scheme != "event-driven")
    throw UsageError(
        fmt::format("scheme {} does not locate impacts, so the derivatives of its motions are wrong; expected "
                    "event-driven",
                    scheme));
  if (system.has_colliders()) {
    const Model& model = system.model();
    const ColliderEntry& first = model.colliders.front();
    throw ModelError(model.file, first.place, "colliders." + first.name,
                     "derivatives of motions with contacts that are found between colliders are not known; expected "
                     "contacts that the file names, under `contacts:`");
  }
  for (const Option& option : options)
    if (option.key == "impact" && option.value != "newton")
      throw UsageError(
          fmt::format("impact={}: the derivative of this law of impact is not known; expected newton", option.value));
}

Flow::Flow(const CompiledModel& model, const std::vector<Option>& options, const State& start,
           events::Observer* observer)
    : model_(model), state_(start) {
  // A derivative is less accurate than its motion, so the motion is computed as accurately as possible.
  std::vector<Option> all = {{"accumulate", "close", {}}, {"relative", "1e-14", {}}, {"method", "gauss", {}}};
  all.insert(all.end(), options.begin(), options.end());
  stepper_ = make_stepper("event-driven", model.contacts, all);
  if (observer) dynamic_cast<EventDriven&>(*stepper_).tell(observer);
}

void Flow::go_to(double t) {
  // Switches of functions of time are looked for at samples of a step, so steps must not be too long then.
  const double dt = model_.system.model().run.dt;
  const bool short_steps = !model_.system.time_switches().empty() && dt > 0;
  while (state_.t < t) {
    const double left = t - state_.t;
    const StepReport report = stepper_->step(state_, short_steps && dt < 0.999 * left ? dt : left);
    if (!stepper_->diagnosis().empty()) throw std::runtime_error(stepper_->diagnosis());
    if (!report.converged())
      throw std::runtime_error(fmt::format("event-driven does not converge at t = {:.9g} s", state_.t));
    if (state_.t >= t - 1e-15 * std::max(1.0, std::abs(t))) break;
    if (report.dt < 0.5 * left && !short_steps)
      throw std::runtime_error(fmt::format("the motion ends at t = {:.9g} s", state_.t));
  }
}

std::vector<Direction> state_directions(const System& system) {
  const int n = system.u_size();
  const std::vector<std::string> names = system.u_names();
  std::vector<Direction> list;
  for (int i = 0; i < 2 * n; ++i)
    list.push_back(
        {(i < n ? "position along " : "velocity ") + names[i % n], nullptr, Eigen::VectorXd::Unit(2 * n, i)});
  return list;
}

}  // namespace tappet
