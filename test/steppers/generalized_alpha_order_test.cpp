// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "steppers/generalized_alpha/generalized_alpha.h"
#include "steppers/support.h"

namespace tappet {
namespace {

using test::order;
using test::solver;

// A smooth motion known from an ordinary differential equation that is integrated with errors far below those of the
// schemes.
template <size_t N, class F>
std::array<double, N> integrate(std::array<double, N> x, double end, F&& rate) {
  const int steps = 20000;
  const double h = end / steps;
  const auto shifted = [](const std::array<double, N>& a, double s, const std::array<double, N>& b) {
    std::array<double, N> sum;
    for (size_t i = 0; i < N; ++i) sum[i] = a[i] + s * b[i];
    return sum;
  };
  for (int k = 0; k < steps; ++k) {
    const auto k1 = rate(x), k2 = rate(shifted(x, h / 2, k1)), k3 = rate(shifted(x, h / 2, k2)),
               k4 = rate(shifted(x, h, k3));
    for (size_t i = 0; i < N; ++i) x[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
  return x;
}

struct Orders {
  double q, u, lambda;
};
struct End {
  Vec q, u, lambda;
};
const std::vector<double> sizes{1e-2, 5e-3, 2.5e-3, 1.25e-3};

Orders orders(const std::string& model, double end, const End& exact, const std::string& law = "consistent",
              double rho = 0.5) {
  const Mechanism system(parse_model(model, "order.yaml"));
  std::vector<double> q, u, lambda;
  const auto distance = [](const Vec& a, const Vec& b) {
    double worst = 0;
    for (int i = 0; i < b.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
    return worst;
  };
  for (double dt : sizes) {
    GeneralizedAlphaOptions options;
    options.law = law;
    options.rho_inf = rho;
    GeneralizedAlpha stepper(system, solver(), options);
    const auto result = test::run(system, stepper, dt, end);
    EXPECT_EQ(result.unconverged, 0);
    EXPECT_LE(result.violation, 1e-12);
    q.push_back(distance(result.state.q, exact.q));
    u.push_back(distance(result.state.u, exact.u));
    lambda.push_back(distance(stepper.impulses().lambda, exact.lambda));
  }
  return {order(sizes, q), order(sizes, u), exact.lambda.empty() ? 2.0 : order(sizes, lambda)};
}

void expect_second(const Orders& o) {
  EXPECT_GT(o.q, 1.9);
  EXPECT_GT(o.u, 1.9);
  EXPECT_GT(o.lambda, 1.9);
}

// A block pushed across the direction of its slide: friction turns with the velocity.
const std::string turning_slide = R"(
parameters: {mu: 0.3, g: 9.81}
coordinates: {x: {position: 0, velocity: 3}, y: {position: 0, velocity: 0}, z: {position: 0, velocity: 0}}
lagrangian: {kinetic: (x'^2 + y'^2 + z'^2)/2, potential: g*z - 4*y}
contacts: {floor: {gap: z, slip: [x, y], mu: mu}}
)";
End slid() {
  const double mu = 0.3, g = 9.81;
  const auto x = integrate<4>({0, 0, 3, 0}, 0.6, [&](const std::array<double, 4>& s) {
    const double v = std::hypot(s[2], s[3]);
    return std::array<double, 4>{s[2], s[3], -mu * g * s[2] / v, 4 - mu * g * s[3] / v};
  });
  const double v = std::hypot(x[2], x[3]);
  return {{x[0], x[1], 0}, {x[2], x[3], 0}, {g, -mu * g * x[2] / v, -mu * g * x[3] / v}};
}
TEST(GeneralizedAlphaOrder, sliding_with_a_turning_direction_is_of_second_order) {
  expect_second(orders(turning_slide, 0.6, slid()));
}
TEST(GeneralizedAlphaOrder, the_printed_law_is_of_first_order_where_the_slip_turns) {
  const Orders printed = orders(turning_slide, 0.6, slid(), "printed");
  EXPECT_NEAR(printed.u, 1.0, 0.1);
}

// An ellipse of friction: along y a third of the coefficient along x. Rows and forces are those of the disc the solver
// sees, scaled by mu[i]/max(mu).
TEST(GeneralizedAlphaOrder, sliding_with_anisotropic_friction_is_of_second_order) {
  const std::string model = R"(
parameters: {g: 9.81}
coordinates: {x: {position: 0, velocity: 3}, y: {position: 0, velocity: 1}, z: {position: 0, velocity: 0}}
lagrangian: {kinetic: (x'^2 + y'^2 + z'^2)/2, potential: g*z - 4*y}
contacts: {floor: {gap: z, slip: [x, y], mu: [0.3, 0.1]}}
)";
  const double mu = 0.3, g = 9.81, s = 1.0 / 3.0;
  const auto x = integrate<4>({0, 0, 3, 1}, 0.6, [&](const std::array<double, 4>& state) {
    const double v = std::hypot(state[2], s * state[3]);
    return std::array<double, 4>{state[2], state[3], -mu * g * state[2] / v, 4 - s * mu * g * s * state[3] / v};
  });
  const double v = std::hypot(x[2], s * x[3]);
  expect_second(
      orders(model, 0.6, {{x[0], x[1], 0}, {x[2], x[3], 0}, {g, -mu * g * x[2] / v, -mu * g * s * x[3] / v}}));
}

// A ball in a cylinder: frictionless with restitution it moves like a pendulum, rolling with 5/7 of gravity.
std::string cylinder(const char* mu, const char* e_N) {
  return std::string("parameters: {R: 0.1, L: 0.9, g: 9.81, mu: ") + mu + ", e_N: " + e_N + R"(}
coordinates: {x: {position: L*sin(0.8), velocity: 0}, y: {position: -L*cos(0.8), velocity: 0},
              phi: {position: 0, velocity: 0}}
lagrangian: {kinetic: (x'^2 + y'^2)/2 + R^2/5*phi'^2, potential: g*y}
define: {rho: sqrt(x^2 + y^2)}
contacts: {wall: {gap: L - rho, slip_velocity: (x*y' - y*x')/rho + R*phi', mu: mu, e_N: e_N}}
)";
}
End swung(double factor, double mass) {
  const double L = 0.9, g = 9.81, R = 0.1;
  const auto s = integrate<2>({0.8, 0}, 0.7, [&](const std::array<double, 2>& x) {
    return std::array<double, 2>{x[1], -factor * g / L * std::sin(x[0])};
  });
  const double c = std::cos(s[0]), n = std::sin(s[0]), v = L * s[1];
  End end{{L * n, -L * c}, {v * c, v * n}, {g * c + v * v / L}};
  if (mass > 0) {  // rolling: v + R φ' = 0; the wall's tangent points along increasing angle
    const auto turned = -L * (s[0] - 0.8) / R;
    end.q = {L * n, -L * c, turned}, end.u = {v * c, v * n, -v / R};
    end.lambda = {g * c + v * v / L, 2.0 / 7.0 * g * n};
  }
  return end;
}
TEST(GeneralizedAlphaOrder, closed_curved_contact_with_restitution_is_of_second_order) {
  expect_second(orders(cylinder("0", "0.5"), 0.7, swung(1, 0)));
}
TEST(GeneralizedAlphaOrder, the_printed_law_is_of_first_order_on_a_curved_contact_with_restitution) {
  EXPECT_NEAR(orders(cylinder("0", "0.5"), 0.7, swung(1, 0), "printed").u, 1.0, 0.15);
}
TEST(GeneralizedAlphaOrder, rolling_is_of_second_order) {
  expect_second(orders(cylinder("2", "0"), 0.7, swung(5.0 / 7, 1)));
}

// A pendulum as a point on a circle; W = 2 (x, y), so λ = −(g cos θ + L θ'²)/(2 L).
TEST(GeneralizedAlphaOrder, a_joint_is_of_second_order_with_its_force) {
  const std::string pendulum = R"(
parameters: {g: 9.81, L: 0.9}
coordinates: {x: {position: L*sin(0.8), velocity: 0}, y: {position: -L*cos(0.8), velocity: 0}}
lagrangian: {kinetic: (x'^2 + y'^2)/2, potential: g*y}
joints: {rod: {constraint: x^2 + y^2 - L^2}}
)";
  End end = swung(1, 0);
  end.lambda = {-end.lambda[0] / 1.8};
  for (double rho : {0.0, 0.5, 0.9, 1.0}) expect_second(orders(pendulum, 0.7, end, "consistent", rho));
}

// cases/12: a free rigid body, its rotation a quaternion.
TEST(GeneralizedAlphaOrder, a_tumbling_body_is_of_second_order) {
  const auto rate = [](const std::array<double, 7>& s) {
    const std::array<double, 3> I{1, 2, 3};
    const double a = s[4], b = s[5], c = s[6];
    return std::array<double, 7>{(-s[1] * a - s[2] * b - s[3] * c) / 2, (s[0] * a + s[2] * c - s[3] * b) / 2,
                                 (s[0] * b + s[3] * a - s[1] * c) / 2,  (s[0] * c + s[1] * b - s[2] * a) / 2,
                                 (I[1] - I[2]) / I[0] * b * c,          (I[2] - I[0]) / I[1] * c * a,
                                 (I[0] - I[1]) / I[2] * a * b};
  };
  const auto x = integrate<7>({1, 0, 0, 0, 1, 2, 3}, 1.0, rate);
  const std::string model = R"(
bodies: {body: {type: rigid, mass: 1, inertia: [1, 2, 3], spin: [1, 2, 3]}}
)";
  expect_second(orders(model, 1.0, {{0, 0, 0, x[0], x[1], x[2], x[3]}, {0, 0, 0, x[4], x[5], x[6]}, {}}));
}

}  // namespace
}  // namespace tappet
