// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "batch/equations/body_numbers.h"

#include "batch/equations/formula_numbers.h"
#include "kernels/recordable.h"

namespace tappet {

void refuse(const Model& model, Place place, const std::string& key, const std::string& what) {
  throw ModelError(model.file, place, key, what + "; a batch cannot do that, `tappet study` can");
}

namespace {

class Lister {
 public:
  Lister(const System& system, const std::vector<KeptParameters::TimeFormula>& times)
      : system_(system), model_(system.model()), times_(times) {}

  BodyNumbers list() {
    check();
    for (const Parameter& p : model_.parameters) add(p.value);
    for (const BodyEntry& body : model_.bodies)
      std::visit([&](const auto& element) { add_body(element, body); }, body.element);
    for (const System::MeasuredJoint& joint : system_.measured_joints()) add_measured(joint);
    for (const JointEntry& joint : model_.joints)
      std::visit([&](const auto& element) { add_element(joint, "joints.", element); }, joint.element);
    for (const auto& joint : model_.velocity_joints)
      std::visit([&](const auto& element) { add_element(joint, "joints.", element); }, joint.element);
    for (const ContactEntry& contact : model_.contacts) {
      std::visit([&](const auto& element) { add_element(contact, "contacts.", element, contact.law.slip_rows()); },
                 contact.element);
      add(contact.law.e_N), add(contact.law.e_F), add(contact.law.mu_law());
    }
    for (const auto& force : model_.forces)
      std::visit([&](const auto& element) { add_force(element, force); }, force.element);
    for (const StateForce& force : model_.state_forces) {
      list_formulas(model_.formulas.graph, force.components, out_);
      for (int i = 0; i < 3; ++i) add(force.at[i]);
    }
    return std::move(out_);
  }

 private:
  void check() const {
    const Formulas& f = model_.formulas;
    if (!f.coordinates.empty())
      refuse(model_, f.coordinates[0].place, "coordinates." + f.coordinates[0].name,
             "there are coordinates beside bodies");
    if (!f.joints.empty())
      refuse(model_, f.joints[0].place, "joints." + f.joints[0].name, "it is a formula between bodies");
    if (!f.contacts.empty())
      refuse(model_, f.contacts[0].place, "contacts." + f.contacts[0].name, "it is a formula between bodies");
    for (size_t i = 0; i < f.forces.size(); ++i)
      if (f.forces[i]) refuse(model_, f.forces_place, "forces", "a formula acts on the coordinate of a body");
  }

  void add(double x) { out_.values.push_back(x); }

  template <class E>
  void add_body(const E& element, const BodyEntry& entry) {
    if constexpr (std::is_same_v<E, PlanarBody> || std::is_same_v<E, PointBody> || std::is_same_v<E, RigidBody>) {
      double q[E::nq], u[E::nu];
      element.initial(q, u);
      add(element.mass);
      if constexpr (std::is_same_v<E, PlanarBody>) add(element.inertia);
      if constexpr (std::is_same_v<E, RigidBody>)
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j <= i; ++j) add(element.inertia(i, j));
      for (double x : q) add(x);
      for (double x : u) add(x);
    } else {
      refuse(model_, entry.place, "bodies." + entry.name,
             "code is only generated for rigid bodies, planar bodies and mass points yet");
    }
  }

  void add_list(const kernels::ListNumbers& list) {
    out_.values.insert(out_.values.end(), list.numbers.begin(), list.numbers.end());
    out_.forms.push_back(list.form), out_.forms.push_back(static_cast<unsigned>(list.numbers.size()));
  }

  // What a joint has beside its rows. Damping and motors are forces.
  void add_measured(const System::MeasuredJoint& joint) {
    const JointEntry& entry = model_.joints[joint.joint];
    const JointActions& actions = entry.actions;
    kernels::ListNumbers list(in_plane(entry.bodies));
    Attached attached = actions.coordinate.attached;
    attached.numbers(list);
    if (!list.fits) refuse(model_, entry.place, "joints." + entry.name, "it does not lie in the plane of its bodies");
    add_list(list);
    out_.forms.push_back(actions.limits.has_value());
    if (actions.limits) add(actions.limits->from), add(actions.limits->to), add(actions.limits->restitution);
    out_.forms.push_back(actions.friction > 0.0);
    if (actions.friction > 0.0) add(actions.friction), add(system_.pads()[pads_++].mass);
  }

  bool in_plane(const std::array<Attachment, 2>& bodies) const {
    for (const Attachment& a : bodies)
      if (a.body >= 0 && !std::holds_alternative<PlanarBody>(model_.bodies[a.body].element)) return false;
    return true;
  }

  template <class Entry, class E, class... More>
  void add_element(const Entry& entry, const std::string& section, E element, More... more) {
    if constexpr (kernels::Recordable<E>) {
      kernels::ListNumbers list(in_plane(entry.bodies));
      element.numbers(list);
      (more.numbers(list), ...);
      if (!list.fits) refuse(model_, entry.place, section + entry.name, "it does not lie in the plane of its bodies");
      add_list(list);
      for (const auto& drive : list.drives) {
        out_.forms.push_back(!drive.function.is_constant());
        if (drive.function.is_constant()) continue;
        const auto& formula = formula_of(drive.function, times_);
        list_formulas(formula.graph, {&formula.f, 1}, out_);
      }
    } else {
      refuse(model_, entry.place, section + entry.name, "code is not generated for this type yet");
    }
  }

  template <class E>
  void add_force(const E& element, const Entry<ForceVariant>& entry) {
    if constexpr (std::is_same_v<E, Gravity>)
      for (int i = 0; i < 3; ++i) add(element.acceleration[i]);
    else
      add_element(entry, "forces.", element);
  }

  const System& system_;
  const Model& model_;
  const std::vector<KeptParameters::TimeFormula>& times_;
  size_t pads_ = 0;  // that were listed
  BodyNumbers out_;
};

}  // namespace

BodyNumbers body_numbers(const System& system, const std::vector<KeptParameters::TimeFormula>& times) {
  return Lister(system, times).list();
}

}  // namespace tappet
