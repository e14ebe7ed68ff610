// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "api/inside.h"

namespace tappet::api {

struct Evaluator::Inside {
  tappet::Evaluator evaluate;
};

Evaluator::Evaluator(const ContactList& contacts) : inside_(new Inside{tappet::Evaluator(contacts.inside().list)}) {}
Evaluator::~Evaluator() = default;

void Evaluator::displace(const Vec& q, const Vec& w, Vec& q1) const {
  q1.resize(inside_->evaluate.system().q_size());
  inside_->evaluate.displace(q, w, q1);
}
void Evaluator::mass(double t, const Vec& q, BlockMatrix& M) { inside_->evaluate.mass(t, q, M); }
void Evaluator::forces(double t, const Vec& q, const Vec& u, Vec& h) { inside_->evaluate.forces(t, q, u, h); }
void Evaluator::mass_and_forces(double t, const Vec& q, const Vec& u, BlockMatrix& M, Vec& h) {
  inside_->evaluate.mass_and_forces(t, q, u, M, h);
}
void Evaluator::add_force_derivatives(double t, const Vec& q, const Vec& u, double by_q, double by_u, BlockMatrix& A) {
  inside_->evaluate.add_force_derivatives(t, q, u, by_q, by_u, A);
}
void Evaluator::add_mass_derivative(double t, const Vec& q, const Vec& a, double factor, BlockMatrix& A) {
  inside_->evaluate.add_mass_derivative(t, q, a, factor, A);
}
Energy Evaluator::energy(double t, const Vec& q, const Vec& u) { return inside_->evaluate.energy(t, q, u); }
void Evaluator::gaps(double t, const Vec& q, Vec& g_N) { inside_->evaluate.gaps(t, q, g_N); }
void Evaluator::joint_residuals(double t, const Vec& q, Vec& g) { inside_->evaluate.joint_residuals(t, q, g); }
void Evaluator::directions(double t, const Vec& q, const ContactSet& set, BlockRows& W, Vec& chi) {
  inside_->evaluate.directions(t, q, set, W, chi);
}
void Evaluator::accelerations(double t, const Vec& q, const Vec& u, const ContactSet& set, Vec& zeta) {
  inside_->evaluate.accelerations(t, q, u, set, zeta);
}
void Evaluator::add_impulse_derivative(double t, const Vec& q, const ContactSet& set, const Vec& P, double factor,
                                       BlockMatrix& A) {
  inside_->evaluate.add_impulse_derivative(t, q, set, P, factor, A);
}
void Evaluator::velocity_derivatives(double t, const Vec& q, const Vec& u, const ContactSet& set, BlockRows& dq) {
  inside_->evaluate.velocity_derivatives(t, q, u, set, dq);
}
void Evaluator::acceleration_derivatives(double t, const Vec& q, const Vec& u, const Vec& a, const ContactSet& set,
                                         BlockRows& dq, BlockRows& du) {
  inside_->evaluate.acceleration_derivatives(t, q, u, a, set, dq, du);
}

}  // namespace tappet::api
