// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "record/stored_energy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "elements/derive.h"
#include "elements/flexible/flexible.h"
#include "model/reading/item.h"
#include "record/sampler.h"
#include "record/trace.h"

namespace tappet {

namespace {

using Kind = EnergyPart::Kind;

constexpr double out_of_scale = 5.0;
constexpr size_t most_terms = 200;

// Splits "m*g*y + k*(x - 1e-3)^2/2" into "m*g*y" and "+ k*(x - 1e-3)^2/2", at signs between terms and outside brackets.
std::vector<std::string> terms_of(const std::string& formula) {
  std::vector<std::string> terms;
  std::string term;
  int depth = 0;
  char last = 0;  // the last character that is not a blank
  for (size_t i = 0; i < formula.size(); ++i) {
    const char c = formula[i];
    if (c == '(') ++depth;
    if (c == ')') --depth;
    const bool exponent = i >= 2 && (formula[i - 1] == 'e' || formula[i - 1] == 'E') &&
                          (std::isdigit(static_cast<unsigned char>(formula[i - 2])) || formula[i - 2] == '.');
    const bool between = last != 0 && std::string_view("+-*/^(,").find(last) == std::string_view::npos;
    if ((c == '+' || c == '-') && depth == 0 && between && !exponent) {
      terms.push_back(term);
      term.clear();
    }
    if (!std::isspace(static_cast<unsigned char>(c))) last = c;
    if (!(c == '\n' || c == '\r')) term += c;
  }
  terms.push_back(term);
  for (std::string& text : terms) {
    text.erase(0, text.find_first_not_of(" \t"));
    text.erase(text.find_last_not_of(" \t") + 1);
    if (text.starts_with('+')) text.erase(0, text.find_first_not_of("+ \t"));
  }
  return terms;
}

// Adds the potential of the formulas term by term, or as a whole if the text does not consist of terms that can be
// read.
void add_formula_potential(const System& system, std::vector<EnergyPart>& parts) {
  const Model& model = system.model();
  if (!model.formulas.potential) return;
  const Source source(model.file, model.text);
  const Yaml yaml = parse_yaml(source);
  const auto lagrangian = Item(source, yaml).find("lagrangian");
  const auto potential = lagrangian ? lagrangian->find("potential") : std::nullopt;
  if (!potential || !potential->is_scalar()) return;
  std::vector<std::string> terms = terms_of(potential->text());
  if (terms.size() > most_terms) terms = {potential->text()};
  try {
    Trace trace(system, terms);
    Sample sample(layout_of(system));
    sample.t = system.initial().t, sample.q = system.initial().q, sample.u = system.initial().u;
    trace.record(sample);
    for (const std::string& term : terms) parts.push_back({Kind::formula, term, trace.column(term)[0]});
  } catch (const std::runtime_error&) {  // a name that only the scope of the model knows: only the total is shown
  }
}

class Parts {
 public:
  explicit Parts(const System& system) : system_(system), model_(system.model()), start_(system.initial()) {}

  std::vector<EnergyPart> all(bool with_formulas) {
    kinetic();
    if (with_formulas) add_formula_potential(system_, parts_);
    for (const auto& force : model_.forces) add_force(force);
    for (size_t b = 0; b < model_.bodies.size(); ++b) strain(static_cast<int>(b));
    return std::move(parts_);
  }

 private:
  // Calls f(element, q, u) for a body with its part of q and u.
  template <class F>
  void at(int b, F&& f) const {
    std::visit([&]<class Element>(const Element& e) { f(e, start_.q.data() + q_[b], start_.u.data() + u_[b]); },
               model_.bodies[b].element);
  }

  void lay_out() {
    int q = static_cast<int>(model_.formulas.coordinates.size()), u = q;
    for (const BodyEntry& body : model_.bodies) {
      q_.push_back(q), u_.push_back(u);
      std::visit(
          [&]<class Element>(const Element& e) {
            if constexpr (FlexibleBody<Element>)
              q += e.size(), u += e.size();
            else
              q += Element::nq, u += Element::nu;
          },
          body.element);
    }
  }

  void kinetic() {
    lay_out();
    const ContactList named(system_);
    Evaluator evaluate(named);
    double bodies = 0.0;
    std::vector<EnergyPart> of_bodies;
    for (int b = 0; b < static_cast<int>(model_.bodies.size()); ++b) {
      double T = 0.0;
      at(b, [&](const auto& element, const double*, const double* u) { T = element.kinetic_energy(u); });
      bodies += T;
      const BodyGroup* group = nullptr;
      for (const BodyGroup& g : model_.groups)
        if (b >= g.first && b < g.first + g.count) group = &g;
      if (group && b > group->first)
        of_bodies.back().value += T;
      else
        of_bodies.push_back({Kind::kinetic, group ? group->name : model_.bodies[b].name, T});
    }
    if (!model_.formulas.coordinates.empty())
      parts_.push_back({Kind::kinetic, "coordinates", evaluate.energy(start_.t, start_.q, start_.u).kinetic - bodies});
    parts_.insert(parts_.end(), of_bodies.begin(), of_bodies.end());
  }

  template <class Entry>
  void add_force(const Entry& entry) {
    std::visit(
        [&]<class Element>(const Element& element) {
          if constexpr (std::is_same_v<Element, Gravity>) {
            parts_.push_back({Kind::weight, entry.name, weight(element, entry.targets)});
          } else {
            const auto pose = [&](int side) { return system_.pose(entry.bodies[side], start_.q); };
            const Pair pair{pose(0), pose(1), start_.t, entry.bodies[0].body >= 0, entry.bodies[1].body >= 0};
            parts_.push_back({Kind::stored, entry.name, energy(element, pair)});
          }
        },
        entry.element);
  }

  double weight(const Gravity& gravity, const std::vector<int>& targets) const {
    double sum = 0.0;
    for (int b = 0; b < static_cast<int>(model_.bodies.size()); ++b)
      if (targets.empty() || std::find(targets.begin(), targets.end(), b) != targets.end())
        at(b, [&]<class Element>(const Element& element, const double* q, const double*) {
          if constexpr (FlexibleBody<Element>)
            sum += element.weight_energy(gravity.acceleration, q);
          else
            sum += gravity.energy(element.mass, element.pose(q).p);
        });
    return sum;
  }

  void strain(int b) {
    at(b, [&]<class Element>(const Element& element, const double* q, const double*) {
      if constexpr (FlexibleBody<Element>)
        parts_.push_back({Kind::stored, model_.bodies[b].name + " (elastic)", element.strain_energy(q)});
    });
  }

  const System& system_;
  const Model& model_;
  const State& start_;
  std::vector<int> q_, u_;
  std::vector<EnergyPart> parts_;
};

// The work needed to lift every body by the size of the model, which is the diagonal of the box around the bodies.
double lifting(const System& system) {
  const Model& model = system.model();
  double force = 0.0, acceleration = 0.0;
  for (const auto& entry : model.forces)
    if (const auto* gravity = std::get_if<Gravity>(&entry.element)) acceleration += norm(gravity->acceleration);
  Vec3d low{1e300, 1e300, 1e300}, high = -1.0 * low;
  for (int b = 0; b < static_cast<int>(model.bodies.size()); ++b) {
    const Vec3d p = system.pose(Attachment{b}, system.initial().q).p;
    for (int i = 0; i < 3; ++i) low[i] = std::min(low[i], p[i]), high[i] = std::max(high[i], p[i]);
    std::visit(
        [&](const auto& e) {
          if constexpr (requires { e.mass + 1.0; }) force += e.mass * acceleration;
        },
        model.bodies[b].element);
  }
  return model.bodies.empty() ? 0.0 : force * norm(high - low);
}

}  // namespace

std::vector<EnergyPart> energy_parts(const System& system) { return Parts(system).all(true); }

std::string stored_energy_hint(const System& system) {
  const Model& model = system.model();
  const bool springs = std::any_of(model.forces.begin(), model.forces.end(),
                                   [](const auto& f) { return !std::holds_alternative<Gravity>(f.element); });
  const bool elastic = std::any_of(model.bodies.begin(), model.bodies.end(), [](const BodyEntry& body) {
    return std::visit([]<class Element>(const Element&) { return FlexibleBody<Element>; }, body.element);
  });
  if (!springs && !elastic) return {};
  double stored = 0.0, scale = lifting(system);
  const EnergyPart* largest = nullptr;
  const auto parts = Parts(system).all(false);
  for (const EnergyPart& part : parts) {
    if (part.kind == Kind::kinetic) scale += part.value;
    if (part.kind != Kind::stored) continue;
    stored += part.value;
    if (!largest || part.value > largest->value) largest = &part;
  }
  if (!largest || scale <= 0.0 || stored <= out_of_scale * scale) return {};
  return fmt::format(
      "springs hold {:.3g} J at the start, most of it {} ({:.3g} J): {:.2g} times the kinetic energy plus the work to "
      "lift all bodies by the size of the model; if they should rest at the start, look at their lengths and angles",
      stored, largest->name, largest->value, stored / scale);
}

}  // namespace tappet
