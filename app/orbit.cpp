// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "tangent/orbits/orbit.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "judge/plot.h"
#include "run/settings.h"
#include "shared/model_argument.h"
#include "study/command_text.h"
#include "study/study.h"
#include "tangent/orbits/attractors.h"
#include "tangent/orbits/branch.h"
#include "tangent/orbits/branch_file.h"
#include "tangent/orbits/page.h"

namespace {

constexpr const char* examples = R"(
Examples:
  tappet orbit impact_oscillator --period 2*pi/omega                    an orbit with the period of the force
  tappet orbit impact_oscillator --period 2*pi/omega --times 2 --set omega=2.8
  tappet orbit woodpecker --section phi_M                               returns when phi_M passes zero upwards
  tappet orbit impact_oscillator --period 2*pi/omega --set omega=2 --over omega=2:3 --csv branch.csv --svg branch.svg

  tappet orbit impact_oscillator --period 2*pi/omega --set omega=2.6 --over omega=2.6:3 --doublings 1
  tappet orbit impact_oscillator --period 2*pi/omega --set s=1 --vary x0=-2:0.9:5 --vary v0=-2:2:5     several orbits

An orbit is found with Newton's method, from the start of the model after --settle returns. Floquet's multipliers tell
by which factors deviations grow in one return: the orbit is stable if all are smaller than 1. With --over the orbit is
followed while a parameter changes, around folds too. Flips (period doublings), folds, Neimark-Sacker points (torus) and
points where a contact grazes are located. docs/orbits.md explains it.
)";

struct Arguments {
  ModelArgument model;
  tappet::ReturnRule rule;
  std::vector<std::string> options;
  std::string over, csv, svg, hdf5, page, scheme = "event-driven";
  std::vector<std::string> vary;
  int settle = 20, points = 400, doublings = 0;
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
  for (int i = 0; i < orbit.start.u.size(); ++i) {
    const bool derivative = std::find(q.begin(), q.end(), u[i]) != q.end();  // named as the coordinate that it changes
    fmt::print("  {:<14} {:.15g}\n", u[i] + (derivative ? "'" : ""), orbit.start.u[i]);
  }
  for (const int i : orbit.cyclic)
    fmt::print("{} moves on by {:.12g} in each period\n", u[i], orbit.back.difference[i]);
  fmt::print("events in one period:\n");
  for (const tappet::NamedInstant& instant : orbit.back.sequence)
    fmt::print("  {:>18.12g} s  {}\n", instant.t - orbit.start.t, instant.what);
  if (orbit.symmetric) fmt::print("(in the first half; the second half is its mirror image)\n");
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

// The start of the orbit over the parameter: stable parts are a solid line, unstable parts are dashed (each piece of
// the line is interrupted), special points are dots.
tappet::Plot diagram(const std::vector<tappet::Branch>& branches, const tappet::System& system,
                     const std::string& parameter) {
  constexpr double dash = 0.55;
  const int shown = branches[0].points[0].orbit.cyclic.empty() || system.q_size() == 1 ? 0 : 1;
  tappet::Plot plot;
  plot.title = system.model().title;
  plot.x.label = parameter, plot.y.label = system.q_names()[shown];
  plot.curves = {{"stable", {}, {}}, {"unstable", {}, {}}};
  const auto height = [&](const tappet::BranchPoint& point) { return point.orbit.start.q[shown]; };
  const auto draw = [&](tappet::Curve& curve, std::initializer_list<double> x, std::initializer_list<double> y) {
    curve.x.insert(curve.x.end(), x), curve.y.insert(curve.y.end(), y);
  };
  for (const tappet::Branch& branch : branches) {
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
  }
  return plot;
}

// The orbits of twice the period that branch off at flips, then those that branch off from these, and so on.
void add_doublings(const Arguments& arguments, const tappet::ModelSource& source,
                   const tappet::BranchQuestion& question, const std::function<void(const tappet::BranchPoint&)>& tell,
                   std::vector<tappet::Branch>& branches) {
  size_t first = 0;
  for (int level = 0; level < arguments.doublings; ++level) {
    const size_t end = branches.size();
    for (size_t i = first; i < end; ++i)
      for (size_t k = 0; k < branches[i].points.size(); ++k) {
        const tappet::BranchPoint flip = branches[i].points[k];
        if (flip.kind != tappet::BranchPoint::Kind::flip) continue;
        fmt::print("from the flip at {} = {:.10g}:\n", question.parameter, flip.parameter);
        try {
          branches.push_back(follow_doubling(source, branches[i], flip, question, tell));
          fmt::print("{} points, the last one at {} = {:.10g}\n", branches.back().points.size(), question.parameter,
                     branches.back().points.back().parameter);
        } catch (const std::runtime_error& error) {
          fmt::print("{}\n", error.what());
        }
      }
    first = end;
  }
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
  std::vector<tappet::Branch> branches = {follow_branch(source, arguments.rule, question, arguments.settle, tell)};
  const auto& last = branches[0].points.back();
  fmt::print("{} points, the last one at {} = {:.10g}\n", branches[0].points.size(), question.parameter,
             last.parameter);
  add_doublings(arguments, source, question, tell, branches);
  if (!arguments.csv.empty()) write_branches_csv(arguments.csv, branches, system, question.parameter);
  if (!arguments.hdf5.empty()) write_branches_hdf5(arguments.hdf5, branches, system, question.parameter);
  if (!arguments.page.empty() && !write_branch_page(arguments.page, source, question.parameter, branches))
    throw std::runtime_error("this program was built without pages");
  if (!arguments.svg.empty()) write_svg(diagram(branches, system, question.parameter), arguments.svg);
  return exit_done;
}

// The orbits of a grid of starts.
int list_attractors(const Arguments& arguments, const tappet::ModelSource& source, const tappet::System& system) {
  tappet::StudyText text{.vary = arguments.vary, .measure = {"last=final:t"}};
  const tappet::GivenModel given{system.model().title, source.file, source.text, source.set, {}};
  const tappet::Study study = tappet::parse_study(to_text(text), "--vary", &given);
  std::vector<tappet::Overrides> starts;
  std::vector<double> values;
  for (long k = 0; k < study.plan.runs(); ++k) {
    study.plan.values(k, values);
    starts.emplace_back();
    for (size_t i = 0; i < values.size(); ++i)
      starts.back().emplace_back(study.plan.axes()[i].parameter, fmt::format("{:.17g}", values[i]));
  }
  const tappet::Attractors found = find_attractors(source, arguments.rule, starts, arguments.settle);
  const auto said = [&](int k) {
    std::string all;
    for (const auto& [name, value] : starts[k])
      all += fmt::format("{}{}={:.6g}", all.empty() ? "" : " ", name, std::stod(value));
    return all;
  };
  for (const tappet::Attractor& one : found.orbits) {
    fmt::print("== {} of {} starts, for example {}: an orbit of {} return{}\n", one.starts.size(), starts.size(),
               said(one.starts[0]), one.times, one.times == 1 ? "" : "s");
    print_orbit(one.orbit, system);
  }
  for (const auto& [k, why] : found.others) fmt::print("{}: {}\n", said(k), why);
  return found.orbits.empty() ? exit_failed : exit_done;
}

int run(Arguments& arguments) {
  const tappet::Model model = load_model(arguments.model);
  if (arguments.rule.period.empty() == arguments.rule.section.empty())
    throw tappet::UsageError(
        "expected either --period, for a motion that is forced in time, or --section, for one that is not");
  tappet::RunOptions asked;
  asked.scheme = arguments.scheme;
  for (const auto& [key, value] : key_values("--option", arguments.options)) asked.options.push_back({key, value, {}});
  const tappet::Settings settings = settings_of(model, asked);
  tappet::require_derivatives(tappet::System(model), settings.scheme, settings.options);
  arguments.rule.options = settings.options;
  if (arguments.rule.longest == 0) arguments.rule.longest = settings.end > 0 ? settings.end : 100;
  const auto source = tappet::ModelSource::of(model, key_values("--set", arguments.model.set));
  if (!arguments.over.empty()) return follow(arguments, source);
  if (!arguments.vary.empty()) return list_attractors(arguments, source, tappet::System(source.read()));
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
  command
      ->add_option("--symmetric", arguments->rule.mirrored,
                   "Symmetric orbits: these coordinates have the opposite sign after half the period")
      ->type_name("NAME,…")
      ->delimiter(',');
  command->add_flag("--pieces", arguments->rule.pieces,
                    "Multiple shooting: cut the motion between its events and close all pieces at once");
  command->add_option("--doublings", arguments->doublings, "Follow the orbits that branch off at flips, so many times")
      ->check(CLI::Range(0, 10));
  command->add_option("--vary", arguments->vary, "Orbits side by side: starts with these values, as in tappet study")
      ->type_name("NAME=VALUES")
      ->expected(1)
      ->take_all();
  command->add_option("--page", arguments->page, "Write a page with the diagram, on which a click shows a motion")
      ->type_name("FILE");
  command->add_option("--hdf5", arguments->hdf5, "Write the branches as HDF5")->type_name("FILE");
  command->add_option("--csv", arguments->csv, "Write the branch as a table")->type_name("FILE");
  command->add_option("--svg", arguments->svg, "Draw the branch: stable parts solid, unstable ones dashed")
      ->type_name("FILE");
  command->add_option("--scheme", arguments->scheme, "Only event-driven locates impacts, and it is the default");
  command->add_option("--option", arguments->options, "Option of event-driven, KEY=VALUE; repeatable")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->take_all();
  command->add_flag("--json", arguments->json, "Print the orbit as JSON");
  command->footer(examples);
  command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}
