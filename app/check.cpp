// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "collision/plate/plate.h"
#include "commands.h"
#include "elements/key_table.h"
#include "model/reading/nearest.h"
#include "record/sampler.h"
#include "record/stored_energy.h"
#include "run/make_stepper.h"
#include "run/settings.h"
#include "run/watch/switch_warnings.h"
#include "shared/model_argument.h"
#include "shared/text_drawing.h"

namespace {

constexpr const char* examples = R"(
Examples:
  tappet check my.yaml                 shows how coordinates, joints, contacts, geometry, colliders, forces and settings
                                       were understood, draws the profiles, and gives masses and energies at the start
  tappet check my.yaml --set mu=0.3
)";

using tappet::System;

void print_values(const char* what, const std::vector<std::string>& names, const tappet::Vec& values) {
  fmt::print("{} ({}):\n", what, names.size());
  for (size_t i = 0; i < names.size(); ++i) fmt::print("  {:<24} {:g}\n", names[i], values[static_cast<int>(i)]);
}

void print_state(const System& system) {
  print_values("coordinates", system.q_names(), system.initial().q);
  print_values("velocities", system.u_names(), system.initial().u);
}

// Limits, friction, damping and motor of a joint.
void print_actions(const tappet::JointEntry& joint) {
  const tappet::JointActions& a = joint.actions;
  if (!a.any()) return;
  const bool slides = a.coordinate.slides;
  std::string text;
  if (a.limits)
    text += fmt::format(", limits {:g} to {:g} {}, restitution {:g}", a.limits->from, a.limits->to,
                        slides ? "m" : "rad", a.limits->restitution);
  if (a.friction > 0.0) text += fmt::format(", friction {:g} {}", a.friction, slides ? "N" : "N m");
  if (a.damping > 0.0) text += fmt::format(", damping {:g} {}", a.damping, slides ? "N s/m" : "N m s/rad");
  if (a.motor >= 0) text += ", motor";
  fmt::print("  {:<24} {}\n", joint.name, text.substr(2));
}

void print_constraints(const System& system) {
  fmt::print("joints ({}, {} rows):\n", system.joints().size(), system.joint_rows());
  for (const auto& joint : system.joints())
    fmt::print("  {:<24} {} row{}, {} level\n", joint.name(), joint.rows, joint.rows == 1 ? "" : "s",
               joint.position_level ? "position" : "velocity");
  for (const auto& joint : system.model().joints) print_actions(joint);
  const tappet::ContactList contacts(system);
  tappet::Evaluator evaluate(contacts);
  tappet::Vec gaps;
  evaluate.gaps(system.initial().t, system.initial().q, gaps);
  fmt::print("contacts ({}):\n", system.named_contacts().size());
  for (size_t k = 0; k < system.named_contacts().size(); ++k) {
    const auto& contact = system.named_contacts()[k];
    fmt::print("  {:<24} gap {:g} m at the start, {} friction direction{}\n", contact.name(), gaps[static_cast<int>(k)],
               contact.rows - 1, contact.rows == 2 ? "" : "s");
  }
}

// Lists the formulas that change their branch.
void print_switches(const System& system) {
  const size_t count = system.switches().size() + system.time_switches().size();
  if (count == 0) return;
  fmt::print("switches of formulas ({}):\n", count);
  for (const auto& place : system.switches()) fmt::print("  {}\n", place.name);
  for (const auto& time : system.time_switches()) fmt::print("  {} (in time)\n", time.name);
}

// The keys of an element with their values. Formulas are not printed again.
struct KeyValues {
  tappet::KeyTable table;

  template <class T, class... Check>
  void required(std::string_view key, T& value, const Check&... check) {
    table.optional(key, value, check...);
  }
  template <class T, class... Check>
  void optional(std::string_view key, T& value, const Check&... check) {
    if constexpr (requires { value.has_value(); })
      if (!value.has_value()) return;
    table.optional(key, value, check...);
  }
  template <class T>
  void choice(std::string_view key, T& value, const tappet::Choices& names, std::string_view = "") {
    table.choice(key, value, names);
  }
};

template <class Element>
std::string keys_of(Element element) {
  KeyValues values;
  element.describe(values);
  std::string text;
  for (const auto& row : values.table.rows)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", row.key, row.value.empty() ? "(formula)" : row.value);
  return text;
}

std::string name_of(const tappet::Model& model, int body) { return body < 0 ? "ground" : model.bodies[body].name; }

std::string bodies_of(const tappet::Model& model, const tappet::Entry<tappet::ForceVariant>& force, int frames) {
  if (frames == 2)
    return fmt::format("[{}, {}]", name_of(model, force.bodies[0].body), name_of(model, force.bodies[1].body));
  if (frames == 1) return name_of(model, force.bodies[0].body);
  if (force.targets.empty()) return "all bodies";
  std::vector<std::string> names;
  for (const int body : force.targets) names.push_back(name_of(model, body));
  return tappet::listed(names);
}

// Types that a program has added say their name at run time.
template <class Element>
std::string_view type_of(const Element& element) {
  if constexpr (requires { Element::name; })
    return Element::name;
  else
    return element.own->name();
}

void print_forces(const tappet::Model& model) {
  const auto& formulas = model.formulas;
  int generalised = 0;
  for (const auto& force : formulas.forces) generalised += force.has_value();
  const size_t count = model.forces.size() + model.state_forces.size() + generalised;
  if (count > 0) fmt::print("forces ({}):\n", count);
  for (const auto& force : model.forces)
    std::visit(
        [&](const auto& element) {
          fmt::print("  {:<24} {} on {}: {}\n", force.name, type_of(element), bodies_of(model, force, element.frames),
                     keys_of(element));
        },
        force.element);
  for (const auto& force : model.state_forces) {
    if (force.joint >= 0)
      fmt::print("  {:<24} along the coordinate of joint {}: a formula of the state\n", force.name,
                 model.joints[force.joint].name);
    else
      fmt::print("  {:<24} {} on {}: a formula of the state, along the axes of the {}\n", force.name,
                 force.is_torque ? "torque" : "force", name_of(model, force.body.body),
                 force.frame == tappet::ForceFrame::world ? "world" : "body");
  }
  for (size_t i = 0; i < formulas.forces.size(); ++i)
    if (formulas.forces[i]) {
      const size_t own = formulas.coordinates.size();
      const auto name = [&] {
        const auto [body, index] = formulas.body_coordinates[i - own];
        return model.bodies[body].coordinates[index];
      };
      fmt::print("  {:<24} a formula\n", i < own ? formulas.coordinates[i].name : name());
    }
}

void print_geometry(const tappet::Model& model) {
  if (!model.geometries.empty()) fmt::print("geometry ({}):\n", model.geometries.size());
  for (const auto& geometry : model.geometries) {
    fmt::print("  {:<24} {}: {}\n", geometry.name, name_of(geometry.solid->kind()), geometry.solid->summary());
    if (const auto* profile = dynamic_cast<const tappet::PlanarProfile*>(geometry.solid.get()))
      fmt::print("{}", text_drawing(*profile));
  }
}

// The mass of bodies that have a geometry. The centre is given in the frame of the geometry.
void print_bodies(const tappet::Model& model) {
  const auto shaped = [](const tappet::BodyEntry& body) { return body.geometry >= 0 && !body.generated; };
  const auto count = std::count_if(model.bodies.begin(), model.bodies.end(), shaped);
  if (count > 0) fmt::print("bodies with a geometry ({}):\n", count);
  for (const auto& body : model.bodies) {
    if (!shaped(body)) continue;
    const tappet::Vec3d center = -body.geometry_origin;
    fmt::print("  {:<24} {}, centre of mass ({:.6g}, {:.6g}, {:.6g}) m in it, ", body.name,
               model.geometries[body.geometry].name, center.x, center.y, center.z);
    if (const auto* planar = std::get_if<tappet::PlanarBody>(&body.element))
      fmt::print("mass {:.6g} kg, inertia {:.6g} kg m²\n", planar->mass, planar->inertia);
    if (const auto* rigid = std::get_if<tappet::RigidBody>(&body.element)) {
      const tappet::Mat3d& J = rigid->inertia;
      fmt::print("mass {:.6g} kg, moments {:.6g}, {:.6g}, {:.6g} kg m², products {:.6g}, {:.6g}, {:.6g} kg m²\n",
                 rigid->mass, J.x.x, J.y.y, J.z.z, J.x.y, J.x.z, J.y.z);
    }
  }
}

void print_colliders(const tappet::Model& model) {
  if (!model.colliders.empty()) fmt::print("colliders ({}):\n", model.colliders.size());
  for (const auto& collider : model.colliders) {
    const std::string of = collider.bodies == 1
                               ? name_of(model, collider.first_body)
                               : fmt::format("{} … {}", name_of(model, collider.first_body),
                                             name_of(model, collider.first_body + collider.bodies - 1));
    fmt::print("  {:<24} {} of {}, mu {:g}, e_N {:g}, e_F {:g}\n", collider.name, collider.type, of,
               collider.law.mu_law(), collider.law.e_N, collider.law.e_F);
    if (const auto* plate = dynamic_cast<const tappet::Plate*>(collider.shapes[0].shape.solid.get()))
      fmt::print("  {:<24} from z = {:.6g} to {:.6g} m in its geometry, rims rounded by {:.6g} m\n", "", plate->low(),
                 plate->high(), plate->rim());
  }
}

// Prints the energy of each part at the start.
void print_energies(const System& system) {
  const auto parts = tappet::energy_parts(system);
  const tappet::ContactList contacts(system);
  const auto energy = tappet::Evaluator(contacts).energy(system.initial().t, system.initial().q, system.initial().u);
  fmt::print("energies at the start (kinetic {:.6g} J, potential {:.6g} J):\n", energy.kinetic, energy.potential);
  constexpr size_t most = 60;
  for (size_t i = 0; i < std::min(parts.size(), most); ++i)
    fmt::print("  {:<10} {:<32} {:.6g} J\n",
               parts[i].kind == tappet::EnergyPart::Kind::kinetic ? "kinetic" : "potential", parts[i].name,
               parts[i].value);
  if (parts.size() > most) fmt::print("  and {} more\n", parts.size() - most);
}

std::string seconds_or_missing(double seconds) {
  return seconds > 0 ? fmt::format("{:g} s", seconds) : std::string("missing");
}

void print_settings(const tappet::Settings& settings) {
  fmt::print("run: scheme {}, dt {}, end {}", settings.scheme, seconds_or_missing(settings.dt),
             seconds_or_missing(settings.end));
  for (const auto& option : settings.options) fmt::print(", {} = {}", option.key, option.value);
  fmt::print("\n");
}

int check(const ModelArgument& argument) {
  const tappet::Model model = load_model(argument);
  const System system(model);
  const tappet::Settings settings = settings_of(model, {});
  const tappet::ContactList contacts(system);
  make_stepper(settings.scheme, contacts, settings.options);
  fmt::print("{}{}{}\n", model.name, model.title.empty() ? "" : ": ", model.title);
  if (!model.source.empty()) fmt::print("source: {}\n", model.source);
  if (!model.parameters.empty()) fmt::print("parameters ({}):\n", model.parameters.size());
  for (const auto& parameter : model.parameters) fmt::print("  {:<24} {:g}\n", parameter.name, parameter.value);
  print_state(system);
  print_constraints(system);
  print_switches(system);
  print_geometry(model);
  print_bodies(model);
  print_colliders(model);
  print_forces(model);
  print_energies(system);
  print_settings(settings);
  // the warnings of the model are among the first
  for (const auto* warnings : {&system.warnings(), &settings.warnings})
    for (const auto& warning : *warnings) fmt::print("warning: {}\n", warning);
  for (const auto& warning : tappet::switch_warnings(system, settings.scheme)) fmt::print("warning: {}\n", warning);
  if (const std::string hint = tappet::stored_energy_hint(system); !hint.empty()) fmt::print("hint: {}\n", hint);
  return exit_done;
}

}  // namespace

void tappet::add_check(CLI::App& app, int& exit_code) {
  auto argument = std::make_shared<ModelArgument>();
  CLI::App* command = app.add_subcommand("check", "Read a model and show how it was understood");
  add_model_argument(*command, *argument);
  command->footer(examples);
  command->callback([argument, &exit_code] { exit_code = check(*argument); });
}
