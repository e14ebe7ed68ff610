// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "elements/contacts/contact_rows.h"
#include "elements/contacts/curve_curve.h"
#include "elements/instantiate.h"
#include "elements/seed.h"

namespace tappet {
namespace {

// The sum over the columns of the frames that move.
template <class F>
void for_columns(const Pair& at, F&& f) {
  for (int i = at.A_moves ? 0 : 6; i < (at.B_moves ? 12 : 6); ++i) f(i);
}
double entry(const PairTwist& u, int i) { return i < 6 ? u.a[i] : u.b[i - 6]; }

}  // namespace

template <class C>
double gap(const C& contact, const Pair& at) {
  return contact.touch(at.A, at.B, at.t).gap;
}

template <class C>
void nearest_points(const C& contact, const Pair& at, Vec3d& point_A, Vec3d& point_B, Vec3d& normal) {
  const auto touch = contact.touch(at.A, at.B, at.t);
  point_A = touch.point_A;
  point_B = touch.point_B;
  normal = touch.normal;
}

template <class C>
void directions(const C& contact, const ContactLaw& law, const Pair& at, double* W, double* chi) {
  ContactRows<double> rows;
  contact_rows(contact, law.slip_rows(), at.A, at.B, at.t, rows);
  std::fill_n(W, law.rows() * pair_size, 0.0);
  std::fill_n(chi, law.rows(), 0.0);
  chi[0] = rows.chi;
  for (int r = 0; r < law.rows(); ++r) for_columns(at, [&](int i) { W[r * pair_size + i] = rows.W[r][i]; });
}

template <class C>
void second_rate(const C& contact, const ContactLaw& law, const Pair& at, const PairTwist& u, double* zeta) {
  using S = seed::Along1<double>;
  ContactRows<S> rows;
  contact_rows(contact, law.slip_rows(), seed::moving<S>(at.A, u.a), seed::moving<S>(at.B, u.b),
               seed::moving_time<S>(at.t), rows);
  for (int r = 0; r < law.rows(); ++r) {
    zeta[r] = r == 0 ? rows.chi.d[0] : 0.0;
    for_columns(at, [&](int i) { zeta[r] += rows.W[r][i].d[0] * entry(u, i); });
  }
}

template <class C>
void contraction(const C& contact, const ContactLaw& law, const Pair& at, const double* P, double* K) {
  using S = seed::Along6<double>;
  std::fill_n(K, pair_size * pair_size, 0.0);
  seed::for_moving(at, [&](int which) {
    ContactRows<S> rows;
    const auto [A, B] = seed::displaced_pair(at, which);
    contact_rows(contact, law.slip_rows(), A, B, S(at.t), rows);
    for (int r = 0; r < law.rows(); ++r)
      for_columns(at, [&](int i) {
        for (int j = 0; j < 6; ++j) K[i * pair_size + 6 * which + j] += P[r] * rows.W[r][i].d[j];
      });
  });
}

template <class C>
void velocity_gradient(const C& contact, const ContactLaw& law, const Pair& at, const PairTwist& u, double* D) {
  using S = seed::Along6<double>;
  std::fill_n(D, law.rows() * pair_size, 0.0);
  seed::for_moving(at, [&](int which) {
    ContactRows<S> rows;
    const auto [A, B] = seed::displaced_pair(at, which);
    contact_rows(contact, law.slip_rows(), A, B, S(at.t), rows);
    for (int r = 0; r < law.rows(); ++r)
      for (int j = 0; j < 6; ++j) {
        double& d = D[r * pair_size + 6 * which + j];
        d = r == 0 ? rows.chi.d[j] : 0.0;
        for_columns(at, [&](int i) { d += rows.W[r][i].d[j] * entry(u, i); });
      }
  });
}

// ζ = Ẇ u + χ̇ with Ẇ linear in u. Its derivative along u_j is ∂(W u + χ)/∂ε_j + Ẇ_j. The part of χ̇ that comes from t
// alone does not depend on u.
template <class C>
void acceleration_gradient(const C& contact, const ContactLaw& law, const Pair& at, const PairTwist& u,
                           const PairTwist& u_dot, double* D_pose, double* D_twist) {
  using namespace seed;
  using T = Along1<double>;
  using S = Along6<T>;
  std::fill_n(D_pose, law.rows() * pair_size, 0.0);
  std::fill_n(D_twist, law.rows() * pair_size, 0.0);
  for_moving(at, [&](int which) {
    ContactRows<S> rows;
    contact_rows(
        contact, law.slip_rows(), which == 0 ? displaced_start<T>(at.A, u.a) : constant<S>(moving<T>(at.A, u.a)),
        which == 1 ? displaced_start<T>(at.B, u.b) : constant<S>(moving<T>(at.B, u.b)), S(moving_time<T>(at.t)), rows);
    for (int r = 0; r < law.rows(); ++r)
      for (int j = 0; j < 6; ++j) {
        const int column = 6 * which + j;
        double d_pose = r == 0 ? rows.chi.d[j].d[0] : 0.0;
        double d_twist = rows.W[r][column].v.d[0] + (r == 0 ? rows.chi.d[j].v : 0.0);
        for_columns(at, [&](int i) {
          const T& w = rows.W[r][i].d[j];
          d_pose += w.d[0] * entry(u, i) + w.v * entry(u_dot, i);
          d_twist += w.v * entry(u, i);
        });
        D_pose[r * pair_size + column] = d_pose;
        D_twist[r * pair_size + column] = d_twist;
      }
  });
}

namespace {

template <class C>
struct Levels {
  double (*gap)(const C&, const Pair&) = tappet::gap<C>;
  void (*nearest_points)(const C&, const Pair&, Vec3d&, Vec3d&, Vec3d&) = tappet::nearest_points<C>;
  void (*directions)(const C&, const ContactLaw&, const Pair&, double*, double*) = tappet::directions<C>;
  void (*second_rate)(const C&, const ContactLaw&, const Pair&, const PairTwist&, double*) = tappet::second_rate<C>;
  void (*contraction)(const C&, const ContactLaw&, const Pair&, const double*, double*) = tappet::contraction<C>;
  void (*velocity_gradient)(const C&, const ContactLaw&, const Pair&, const PairTwist&,
                            double*) = tappet::velocity_gradient<C>;
  void (*acceleration_gradient)(const C&, const ContactLaw&, const Pair&, const PairTwist&, const PairTwist&, double*,
                                double*) = tappet::acceleration_gradient<C>;
};
using EdgeContacts = List<CurveOnCurve>;
using EveryContact = decltype(join(join(AllContacts{}, FoundContacts{}), join(TerrainContacts{}, EdgeContacts{})));
[[gnu::used]] const Instantiate<Levels, EveryContact> contacts;

}  // namespace
}  // namespace tappet
