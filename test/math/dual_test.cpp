// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <tappet/dual.h>

#include <functional>

namespace tappet {
namespace {

using D1 = Dual<double, 1>;
using D2 = Dual<D1, 1>;
using D3 = Dual<D2, 1>;

D3 third_order(double x) {
  D3 y(x);
  y.d[0] = D2(1.0);
  y.v.d[0] = D1(1.0);
  y.v.v.d[0] = 1.0;
  return y;
}

struct Known {
  const char* name;
  double x;
  std::function<D3(const D3&)> f;
  double f0, f1, f2, f3;  // closed forms
};

TEST(Dual, every_function_has_its_first_three_derivatives) {
  const double x = 0.6, s = std::sin(x), c = std::cos(x), t = std::tan(x), r = std::sqrt(1 - x * x), q = 1 + x * x;
  const std::vector<Known> known{
      {"sin", x, [](auto& y) { return sin(y); }, s, c, -s, -c},
      {"cos", x, [](auto& y) { return cos(y); }, c, -s, -c, s},
      {"tan", x, [](auto& y) { return tan(y); }, t, 1 + t * t, 2 * t * (1 + t * t), (2 + 6 * t * t) * (1 + t * t)},
      {"asin", x, [](auto& y) { return asin(y); }, std::asin(x), 1 / r, x / (r * r * r),
       (1 + 2 * x * x) / std::pow(r, 5)},
      {"acos", x, [](auto& y) { return acos(y); }, std::acos(x), -1 / r, -x / (r * r * r),
       -(1 + 2 * x * x) / std::pow(r, 5)},
      {"atan", x, [](auto& y) { return atan(y); }, std::atan(x), 1 / q, -2 * x / (q * q),
       (6 * x * x - 2) / (q * q * q)},
      {"sqrt", x, [](auto& y) { return sqrt(y); }, std::sqrt(x), 0.5 * std::pow(x, -0.5), -0.25 * std::pow(x, -1.5),
       0.375 * std::pow(x, -2.5)},
      {"exp", x, [](auto& y) { return exp(2.0 * y); }, std::exp(1.2), 2 * std::exp(1.2), 4 * std::exp(1.2),
       8 * std::exp(1.2)},
      {"log", x, [](auto& y) { return log(y); }, std::log(x), 1 / x, -1 / (x * x), 2 / (x * x * x)},
      {"x^x", x, [](auto& y) { return pow(y, y) / pow(y, y); }, 1, 0, 0, 0},
      {"x^2 at -1", -1, [](auto& y) { return pow(y, D3(2.0)); }, 1, -2, 2, 0},
      {"x^3 at 0", 0, [](auto& y) { return pow(y, 3.0); }, 0, 0, 0, 6},
      {"2^x", x, [](auto& y) { return pow(2.0, y) * exp(-std::log(2.0) * y); }, 1, 0, 0, 0},
      {"abs", -x, [](auto& y) { return abs(y) * y; }, -x * x, 2 * x, -2, 0},
      {"sign", -x, [](auto& y) { return sign(y) * y; }, x, -1, 0, 0},
      {"step", x, [](auto& y) { return step(y) * y; }, x, 1, 0, 0},
      {"min", x, [](auto& y) { return min(y, D3(y * y)); }, x * x, 2 * x, 2, 0},
      {"max", x, [](auto& y) { return max(y, D3(y * y)); }, x, 1, 0, 0},
      {"1/x", x, [](auto& y) { return 1.0 / y; }, 1 / x, -1 / (x * x), 2 / std::pow(x, 3), -6 / std::pow(x, 4)},
      {"atan2", x, [](auto& y) { return atan2(sin(3.0 * y), cos(3.0 * y)); }, 1.8, 3, 0, 0},
  };
  for (const Known& k : known) {
    const D3 y = k.f(third_order(k.x));
    EXPECT_NEAR(value_of(y), k.f0, 1e-14) << k.name;
    EXPECT_NEAR(y.v.v.d[0], k.f1, 1e-13) << k.name;
    EXPECT_NEAR(y.v.d[0].d[0], k.f2, 1e-12) << k.name;
    EXPECT_NEAR(y.d[0].d[0].d[0], k.f3, 1e-11) << k.name;
  }
}

TEST(Jet2, agrees_with_nested_duals_on_every_function) {
  const auto f = [](const auto& t) {
    using S = std::decay_t<decltype(t)>;
    const S a = 0.3 + 0.2 * sin(2.0 * t), b = exp(-t) + t * t;
    const S trigonometric = tan(a) + asin(a) + acos(0.5 * a) + atan(b) + atan2(a, b) + cos(a) / b;
    const S others = sqrt(b) + log(b) + pow(b, 2.5) + pow(b, a) + abs(-b) + sign(b) + step(a) + pow(2.0, a) + 1.0 / b;
    return trigonometric * others - min(a, b) * max(a, b);
  };
  for (double t : {0.1, 0.7, 1.9}) {
    const Jet2<double> jet = f(Jet2<double>(t, 1.0, 0.0));
    D2 s(t);
    s.d[0] = D1(1.0);
    s.v.d[0] = 1.0;
    const D2 dual = f(s);
    EXPECT_NEAR(jet.v, f(t), 1e-14 * std::abs(f(t)));
    EXPECT_NEAR(jet.d, dual.v.d[0], 1e-12 * (1 + std::abs(jet.d)));
    EXPECT_NEAR(jet.dd, dual.d[0].d[0], 1e-12 * (1 + std::abs(jet.dd)));
  }
}

}  // namespace
}  // namespace tappet
