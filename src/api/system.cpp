// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "api/inside.h"
#include "record/sampler.h"
#include "run/make_stepper.h"

namespace tappet::api {

System::System(const Model& model) : inside_(std::make_shared<const Inside>(model)) {}
const Model& System::model() const { return inside().model; }
int System::q_size() const { return inside().system.q_size(); }
int System::u_size() const { return inside().system.u_size(); }
std::vector<std::string> System::q_names() const { return inside().system.q_names(); }
std::vector<std::string> System::u_names() const { return inside().system.u_names(); }
const State& System::initial() const { return inside().system.initial(); }
const std::vector<std::string>& System::warnings() const { return inside().system.warnings(); }
int System::joint_rows() const { return inside().system.joint_rows(); }
bool System::has_colliders() const { return inside().system.has_colliders(); }
bool System::mass_is_constant() const { return inside().system.mass_is_constant(); }
bool System::forces_depend_on_state() const { return inside().system.forces_depend_on_state(); }
bool System::directions_are_constant() const { return inside().system.directions_are_constant(); }
BlockMatrix System::mass_matrix(const Execution& execution) const { return inside().system.mass_matrix(execution); }
BlockMatrix System::iteration_matrix(const Execution& execution) const {
  return inside().system.iteration_matrix(execution);
}
BlockMatrix System::constrained_matrix(const Execution& execution) const {
  return inside().system.constrained_matrix(execution);
}
void System::displace(const Vec& q, const Vec& w, Vec& q1) const {
  q1.resize(q_size());
  inside().system.displace(q, w, q1);
}
Layout System::layout() const { return layout_of(inside().system); }
void System::rate(const Vec& q, const Vec& u, Vec& q_dot) const {
  q_dot.resize(q_size());
  inside().system.rate(q, u, q_dot);
}

ContactList::ContactList(const System& system, const Execution& execution)
    : inside_(std::make_unique<Inside>(system, execution)) {}
ContactList::ContactList(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
ContactList::~ContactList() = default;
const System& ContactList::system() const { return inside_->system; }
const Execution& ContactList::execution() const { return inside_->list.execution(); }
int ContactList::size() const { return inside_->list.size(); }
int ContactList::named() const { return inside_->list.named(); }
std::string ContactList::name(int k) const { return inside_->list.name(k); }
int ContactList::rows() const { return inside_->list.rows(); }
int ContactList::rows(const ContactSet& set) const { return inside_->list.rows(set); }
void ContactList::laws(const ContactSet& set, Laws& laws) const { inside_->list.laws(set, laws); }
void ContactList::restitution(const ContactSet& set, Vec& e) const { inside_->list.restitution(set, e); }
void ContactList::find(State& state, double dt) { inside_->list.find(state, dt); }
void ContactList::apply(const Vec& forces) { inside_->list.apply(forces); }
long ContactList::searches() const { return inside_->list.searches(); }
int ContactList::before(int k) const { return k < named() ? k : inside_->list[k].before; }

ContactInfo ContactList::operator[](int k) const {
  const Contact& contact = inside_->list[k];
  return {contact.row,      contact.rows,          contact.law->e_N,
          contact.law->e_F, contact.law->mu_law(), k >= inside_->list.named()};
}
void ContactList::gather(const ContactSet& set, const Vec& all, Vec& rows) const {
  rows.resize(inside_->list.rows(set));
  int r = std::copy_n(all.begin(), system().joint_rows(), rows.begin()) - rows.begin();
  for (int k : set) {
    const Contact& contact = inside_->list[k];
    std::copy_n(all.begin() + contact.row, contact.rows, rows.begin() + r);
    r += contact.rows;
  }
}
void ContactList::scatter(const ContactSet& set, const Vec& rows, Vec& all) const {
  all.assign(inside_->list.rows(), 0.0);
  int r = std::copy_n(rows.begin(), system().joint_rows(), all.begin()) - all.begin();
  for (int k : set) {
    const Contact& contact = inside_->list[k];
    std::copy_n(rows.begin() + r, contact.rows, all.begin() + contact.row);
    r += contact.rows;
  }
}

std::vector<SchemeInfo> schemes() {
  std::vector<SchemeInfo> list;
  for (const tappet::SchemeInfo& scheme : tappet::schemes()) {
    list.push_back(
        {scheme.name, scheme.paper, scheme.level, scheme.order, scheme.summary, scheme.follows_found_contacts, {}});
    for (const tappet::OptionInfo& option : scheme.options)
      list.back().options.push_back({option.name, option.value, option.meaning, option.expected});
  }
  return list;
}

std::vector<OptionInfo> solver_options() {
  std::vector<OptionInfo> list;
  for (const tappet::OptionInfo& option : tappet::solver_options())
    list.push_back({option.name, option.value, option.meaning, option.expected});
  return list;
}

std::unique_ptr<Stepper> make_stepper(const std::string& scheme, const ContactList& contacts,
                                      const std::vector<Option>& options, const MakeSolver& solver) {
  return tappet::make_stepper(scheme, contacts.inside().list, options, solver);
}

}  // namespace tappet::api
