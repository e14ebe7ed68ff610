// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "elements/instantiate.h"
#include "elements/seed.h"

namespace tappet {

template <class F>
void wrench(const F& force, const Pair& at, const PairTwist& u, double* f) {
  std::fill_n(f, pair_size, 0.0);
  if constexpr (F::frames > 0) {
    Wrench<double> on_A{}, on_B{};
    force.wrench(at.A, u.a, at.B, u.b, at.t, on_A, on_B);
    for (int i = 0; i < 6; ++i) f[i] = on_A[i], f[6 + i] = on_B[i];
  }
}

template <class F>
void wrench_gradient(const F& force, const Pair& at, const PairTwist& u, double* K, double* C) {
  std::fill_n(K, pair_size * pair_size, 0.0);
  std::fill_n(C, pair_size * pair_size, 0.0);
  if constexpr (F::frames > 0) {
    using namespace seed;
    using S = Along6<double>;
    const auto level = [&](const Poses<S>& at_S, const Twists<S>& u_S, int which, double* D) {
      Wrench<S> on_A{}, on_B{};
      force.wrench(at_S.A, u_S.a, at_S.B, u_S.b, S(at.t), on_A, on_B);
      for (int i = 0; i < 6; ++i) {
        std::copy_n(on_A[i].d, 6, D + i * pair_size + 6 * which);
        std::copy_n(on_B[i].d, 6, D + (6 + i) * pair_size + 6 * which);
      }
    };
    const Poses<S> fixed{constant<S>(at.A), constant<S>(at.B)};
    const Twists<S> steady{constant<S>(u.a), constant<S>(u.b)};
    for_moving(at, [&](int which) {
      level(displaced_pair(at, which), steady, which, K);
      level(fixed, displaced_pair(u, which), which, C);
    });
  }
}

template <class F>
double energy(const F& force, const Pair& at) {
  if constexpr (requires { force.energy(at.A, at.B, at.t); }) return force.energy(at.A, at.B, at.t);
  return 0.0;
}

template <class F>
Lines lines(const F& force, const Pair& at, double* G) {
  if constexpr (requires { force.lines(); }) {
    using namespace seed;
    using S = Along6<double>;
    const Lines result = force.lines();
    std::fill_n(G, result.count * pair_size, 0.0);
    for_moving(at, [&](int which) {
      S l[3];
      const auto [A, B] = displaced_pair(at, which);
      force.extension(A, B, l);
      for (int r = 0; r < result.count; ++r) std::copy_n(l[r].d, 6, G + r * pair_size + 6 * which);
    });
    return result;
  }
  return {};
}

namespace {

template <class F>
struct Levels {
  void (*wrench)(const F&, const Pair&, const PairTwist&, double*) = tappet::wrench<F>;
  void (*wrench_gradient)(const F&, const Pair&, const PairTwist&, double*, double*) = tappet::wrench_gradient<F>;
  double (*energy)(const F&, const Pair&) = tappet::energy<F>;
  Lines (*lines)(const F&, const Pair&, double*) = tappet::lines<F>;
};
[[gnu::used]] const Instantiate<Levels, AllForces> forces;

}  // namespace
}  // namespace tappet
