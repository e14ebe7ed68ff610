// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "tangent/orbits/orbit.h"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "judge/plot.h"
#include "run/settings.h"
#include "shared/model_argument.h"
#include "tangent/orbits/branch.h"

namespace {

constexpr const char* examples = R"(
Examples:
  tappet orbit impact_oscillator --period 2*pi/omega                    an orbit with the period of the force
  tappet orbit impact_oscillator --period 2*pi/omega --times 2 --set omega=2.8
  tappet orbit woodpecker --section phi_M                               returns when phi_M passes zero upwards
  tappet orbit impact_oscillator --period 2*pi/omega --set omega=2 --over omega=2:3 --csv branch.csv --svg branch.svg

An orbit is found with Newton's method, from the start of the model after --settle returns. Floquet's multipliers tell
by which factors deviations grow in one return: the orbit is stable if all are smaller than 1. With --over the orbit is
followed while a parameter changes, around folds too. Flips (period doublings), folds, Neimark-Sacker points (torus) and
points where a contact grazes are located. docs/orbits.md explains it.
)";

struct Arguments {
  ModelArgument model;
  tappet::ReturnRule rule;
  std::vector<std::string> options;
  std::string over, csv, svg;
  int settle = 20, points = 400;
  double step = 0;
  bool json = false;
};

using Multipliers = std::vector<std::complex<double>>;

std::string text_of(const std::complex<double>& z) {
  if (z.imag() == 0) return fmt::format("{:.12g}", z.real());
  return fmt::format("{:.12g}{:+.12g}i", z.real(), z.imag());
}

void print_orbit(const tappet::Orbit& orbit, const tappet::System& system) {
  const auto q = system.q_names(), u = system.u_names();
  fmt::print("period {:.15g} s, {}: the largest multiplier has size {:.9g}\n", orbit.period(),
             orbit.stable() ? "stable" : "unstable", orbit.largest);
  fmt::print("multipliers:");
  for (const auto& one : orbit.multipliers) fmt::print(" {}", text_of(one));
  fmt::print("\nstart:\n");
  for (int i = 0; i < orbit.start.q.size(); ++i) fmt::print("  {:<14} {:.15g}\n", q[i], orbit.start.q[i]);
  for (int i = 0; i < orbit.start.u.size(); ++i) fmt::print("  {:<14} {:.15g}\n", u[i], orbit.start.u[i]);
  for (const int i : orbit.cyclic)
    fmt::print("{} moves on by {:.12g} in each period\n", u[i], orbit.back.difference[i]);
  fmt::print("events in one period:\n");
  for (const tappet::NamedInstant& instant : orbit.back.sequence)
    fmt::print("  {:>18.12g} s  {}\n", instant.t - orbit.start.t, instant.what);
  const auto& close = orbit.back.closeness;
  if (std::isfinite(close.slowest_impact.value))
    fmt::print("slowest impact: {:.6g} m/s, contact {}\n", close.slowest_impact.value, close.slowest_impact.contact);
  if (std::isfinite(close.nearest_miss.value))
    fmt::print("nearest miss: {:.6g} m, contact {}\n", close.nearest_miss.value, close.nearest_miss.contact);
  fmt::print("start and end differ by {:.2g}\n", orbit.residual);
}

nlohmann::ordered_json to_json(const tappet::Orbit& orbit) {
  nlohmann::ordered_json all = {{"period", orbit.period()}, {"stable", orbit.stable()}, {"largest", orbit.largest}};
  for (const auto& one : orbit.multipliers) all["multipliers"].push_back({one.real(), one.imag()});
  all["q"] = std::vector<double>(orbit.start.q.begin(), orbit.start.q.end());
  all["u"] = std::vector<double>(orbit.start.u.begin(), orbit.start.u.end());
  for (const tappet::NamedInstant& instant : orbit.back.sequence) all["events"].push_back({instant.t, instant.what});
  all["residual"] = orbit.residual;
  return all;
}

// "omega=2:3"
tappet::BranchQuestion parse_over(const std::string& text) {
  const size_t equals = text.find('='), colon = text.find(':');
  tappet::BranchQuestion question;
  const auto read = [&](const std::string& number, double& value) {
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    return error == std::errc() && end == number.data() + number.size() && std::isfinite(value);
  };
  if (equals == std::string::npos || equals == 0 || colon == std::string::npos || colon < equals ||
      !read(text.substr(equals + 1, colon - equals - 1), question.from) || !read(text.substr(colon + 1), question.to))
    throw tappet::UsageError(fmt::format("--over {}: expected NAME=FROM:TO", text));
  question.parameter = text.substr(0, equals);
  return question;
}

void write_csv(const std::string& file, const tappet::Branch& branch, const tappet::System& system,
               const std::string& parameter) {
  std::ofstream out(file);
  out << parameter << ",period,stable,largest_multiplier,kind,slowest_impact,nearest_miss";
  for (const std::string& name : system.q_names()) out << "," << name;
  for (const std::string& name : system.u_names()) out << ",d(" << name << ")/dt";
  for (size_t i = 0; !branch.points.empty() && i < branch.points[0].orbit.multipliers.size(); ++i)
    out << fmt::format(",multiplier{0}_re,multiplier{0}_im", i + 1);
  out << "\n";
  const auto or_nothing = [](double x) { return std::isfinite(x) ? fmt::format("{:.17g}", x) : ""; };
  for (const tappet::BranchPoint& point : branch.points) {
    const auto& close = point.orbit.back.closeness;
    out << fmt::format("{:.17g},{:.17g},{},{:.17g},{},{},{}", point.parameter, point.orbit.period(),
                       point.orbit.stable() ? 1 : 0, point.orbit.largest, name(point.kind),
                       or_nothing(close.slowest_impact.value), or_nothing(close.nearest_miss.value));
    for (const double x : point.orbit.start.q) out << fmt::format(",{:.17g}", x);
    for (const double x : point.orbit.start.u) out << fmt::format(",{:.17g}", x);
    for (const auto& one : point.orbit.multipliers) out << fmt::format(",{:.17g},{:.17g}", one.real(), one.imag());
    out << "\n";
  }
  out.close();
  if (!out) throw std::runtime_error(fmt::format("cannot write {}", file));
}

// The start of the orbit over the parameter: stable parts are a solid line, unstable parts are dashed (each piece of
// the line is interrupted), special points are dots.
tappet::Plot diagram(const tappet::Branch& branch, const tappet::System& system, const std::string& parameter) {
  constexpr double dash = 0.55;
  const int shown = branch.points[0].orbit.cyclic.empty() || system.q_size() == 1 ? 0 : 1;
  tappet::Plot plot;
  plot.title = system.model().title;
  plot.x.label = parameter, plot.y.label = system.q_names()[shown];
  plot.curves = {{"stable", {}, {}}, {"unstable", {}, {}}};
  const auto height = [&](const tappet::BranchPoint& point) { return point.orbit.start.q[shown]; };
  const auto draw = [&](tappet::Curve& curve, std::initializer_list<double> x, std::initializer_list<double> y) {
    curve.x.insert(curve.x.end(), x), curve.y.insert(curve.y.end(), y);
  };
  for (size_t i = 0; i + 1 < branch.points.size(); ++i) {
    const auto &a = branch.points[i], &b = branch.points[i + 1];
    const bool stable = a.orbit.stable() && b.orbit.stable();
    const double part = stable ? 1.0 : dash, y = height(a);
    draw(plot.curves[stable ? 0 : 1], {a.parameter, a.parameter + part * (b.parameter - a.parameter), NAN},
         {y, y + part * (height(b) - y), NAN});
  }
  for (const tappet::BranchPoint& point : branch.points) {
    if (point.kind == tappet::BranchPoint::Kind::ordinary) continue;
    plot.curves.push_back(
        {fmt::format("{} {:.6g}", name(point.kind), point.parameter), {point.parameter}, {height(point)}, true});
  }
  return plot;
}

int follow(const Arguments& arguments, const tappet::ModelSource& source) {
  tappet::BranchQuestion question = parse_over(arguments.over);
  question.most_points = arguments.points, question.step = arguments.step;
  const tappet::System system(source.with(question.parameter, question.from).read());
  const auto tell = [&](const tappet::BranchPoint& point) {
    if (point.kind != tappet::BranchPoint::Kind::ordinary)
      fmt::print("{:<8} {} = {:.13g}  period {:.10g} s{}{}\n", name(point.kind), question.parameter, point.parameter,
                 point.orbit.period(), point.note.empty() ? "" : "  ", point.note);
  };
  const tappet::Branch branch = follow_branch(source, arguments.rule, question, arguments.settle, tell);
  const auto& last = branch.points.back();
  fmt::print("{} points, the last one at {} = {:.10g}\n", branch.points.size(), question.parameter, last.parameter);
  if (!arguments.csv.empty()) write_csv(arguments.csv, branch, system, question.parameter);
  if (!arguments.svg.empty()) write_svg(diagram(branch, system, question.parameter), arguments.svg);
  return exit_done;
}

int run(Arguments& arguments) {
  const tappet::Model model = load_model(arguments.model);
  if (arguments.rule.period.empty() == arguments.rule.section.empty())
    throw tappet::UsageError(
        "expected either --period, for a motion that is forced in time, or --section, for one that is not");
  tappet::RunOptions asked;
  asked.scheme = "event-driven";
  for (const auto& [key, value] : key_values("--option", arguments.options)) asked.options.push_back({key, value, {}});
  const tappet::Settings settings = settings_of(model, asked);
  arguments.rule.options = settings.options;
  if (arguments.rule.longest == 0) arguments.rule.longest = settings.end > 0 ? settings.end : 100;
  const auto source = tappet::ModelSource::of(model, key_values("--set", arguments.model.set));
  if (!arguments.over.empty()) return follow(arguments, source);
  const tappet::Orbit orbit = find_orbit(source, arguments.rule, arguments.settle);
  if (arguments.json)
    fmt::print("{}\n", to_json(orbit).dump(2));
  else
    print_orbit(orbit, tappet::System(source.read()));
  return exit_done;
}

}  // namespace

void tappet::add_orbit(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("orbit", "Periodic orbits, their stability, and how they change");
  add_model_argument(*command, arguments->model);
  command->add_option("--period", arguments->rule.period, "Formula of the period of a motion that is forced in time");
  command->add_option("--section", arguments->rule.section,
                      "Formula of the state; a motion returns when it passes zero upwards");
  command->add_option("--times", arguments->rule.times, "So many returns make one")->check(CLI::Range(1, 1000));
  command->add_option("--settle", arguments->settle, "Returns that are only run before Newton's method starts")
      ->check(CLI::Range(0, 1000000));
  command->add_option("--longest", arguments->rule.longest, "Longest time to the next return to the section")
      ->check(positive_seconds());
  command->add_option("--over", arguments->over, "Follow the orbit while a parameter changes")
      ->type_name("NAME=FROM:TO");
  command->add_option("--points", arguments->points, "Largest number of points of the branch")
      ->check(CLI::Range(2, 100000));
  command->add_option("--step", arguments->step, "First step along the branch, as a part of the range; default: 0.01")
      ->check(CLI::Range(1e-6, 0.5));
  command->add_option("--csv", arguments->csv, "Write the branch as a table")->type_name("FILE");
  command->add_option("--svg", arguments->svg, "Draw the branch: stable parts solid, unstable ones dashed")
      ->type_name("FILE");
  command->add_option("--option", arguments->options, "Option of event-driven, KEY=VALUE; repeatable")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->take_all();
  command->add_flag("--json", arguments->json, "Print the orbit as JSON");
  command->footer(examples);
  command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}
