// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "tangent/orbits/branch.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "math/brent.h"

namespace tappet {

std::string_view name(BranchPoint::Kind kind) {
  static constexpr std::string_view names[] = {"", "flip", "fold", "torus", "grazing", "end"};
  return names[static_cast<int>(kind)];
}

namespace {

// A point during the continuation: the orbit, the parameter, and the direction of the branch there. The unknowns are
// those of OrbitEquations and the parameter, each divided by its scale.
struct Here {
  State start;
  double parameter = 0;
  Return back;
  Eigen::VectorXd along;  // unit vector
};

class Continuation {
 public:
  Continuation(const ModelSource& source, const ReturnRule& rule, const BranchQuestion& question, const Orbit& first)
      : source_(source), rule_(rule), question_(question), equations_(first.back, rule), sequence_(first.back.words()) {
    const int n = first.start.u.size();
    Eigen::VectorXd sizes(2 * n);
    const double q = std::max(1e-3, first.start.q.eigen().cwiseAbs().maxCoeff());
    const double u = std::max(1e-3, first.start.u.eigen().cwiseAbs().maxCoeff());
    const double omega = 2 * std::numbers::pi / first.period();
    const double positions = std::max(q, u / omega), velocities = std::max(u, q * omega);
    sizes << Eigen::VectorXd::Constant(n, positions), Eigen::VectorXd::Constant(n, velocities);
    scale_.resize(equations_.size() + 1);
    scale_.head(equations_.kept().size()) = sizes(equations_.kept());
    if (!rule.forced()) scale_[equations_.size() - 1] = first.period();
    scale_[equations_.size()] = std::abs(question.to - question.from);
  }

  const OrbitEquations& equations() const { return equations_; }
  const std::string& sequence() const { return sequence_; }

  Here begin(const Orbit& first) {
    Here here{first.start, question_.from, {}, Eigen::VectorXd::Unit(scale_.size(), scale_.size() - 1)};
    here.along[here.along.size() - 1] = question_.to > question_.from ? 1 : -1;
    here.back = return_of(here.start, here.parameter);
    point_along(here);
    return here;
  }

  // A point at which another branch crosses, with the direction of that branch (2n numbers of the start).
  Here crossing(const State& start, double parameter, const Eigen::VectorXd& direction) {
    Here here{start, parameter, return_of(start, parameter), Eigen::VectorXd::Zero(scale_.size())};
    const auto m = static_cast<int>(equations_.kept().size());
    here.along.head(m) = direction(equations_.kept()).cwiseQuotient(scale_.head(m));
    here.along.normalize();
    return here;
  }
  // The same point, with the direction in which it lies from another one.
  void turn_away(const Here& from, Here& here) const {
    const int n = from.start.u.size();
    Eigen::VectorXd gone(2 * n);
    gone << here.start.q.eigen().head(n) - from.start.q.eigen().head(n), here.start.u.eigen() - from.start.u.eigen();
    const auto m = static_cast<int>(equations_.kept().size());
    here.along.head(m) = gone(equations_.kept()).cwiseQuotient(scale_.head(m));
    here.along[scale_.size() - 1] = (here.parameter - from.parameter) / scale_[scale_.size() - 1];
    here.along.normalize();
    point_along(here);
  }

  // The point of the branch in the plane at this distance from another one; empty if Newton's method finds none, or one
  // with another sequence of events. `iterations` says how hard it was.
  std::optional<Here> at(const Here& from, double distance, int* iterations = nullptr) {
    constexpr int most = 12;
    // A step is the last one if the next would be far smaller, or if it is as small as the errors of the motion allow.
    constexpr double converged = 1e-12, round_off = 1e-7;
    double size = INFINITY;
    try {
      Here here = moved(from, distance * from.along);
      Eigen::VectorXd gone = distance * from.along;
      for (int i = 1; i <= most; ++i) {
        here.back = return_of(here.start, here.parameter);
        const Eigen::VectorXd step = solve(here.back, from.along, distance - from.along.dot(gone));
        if (!(step.norm() < 1)) return {};
        const Here next = moved(here, step);
        here.start = next.start, here.parameter = next.parameter;
        gone += step;
        const double before = std::exchange(size, step.norm());
        if (size > converged && !(size < round_off && size > before / 4)) continue;
        here.back = return_of(here.start, here.parameter);
        if (here.back.words() != sequence_) return {};
        here.along = from.along;
        point_along(here);
        if (iterations) *iterations = i;
        return here;
      }
    } catch (const std::runtime_error&) {  // the motion does not come back, or has no derivative
    }
    return {};
  }

 private:
  Return return_of(const State& start, double parameter) {
    ReturnMap map(source_.with(question_.parameter, parameter), rule_, question_.parameter);
    State at = start;
    at.t = map.start_time();
    return map.from(at);
  }

  Here moved(const Here& from, const Eigen::VectorXd& scaled) {
    const Eigen::VectorXd step = scaled.cwiseProduct(scale_), all = equations_.expanded(step);
    Here to = from;
    const int n = from.start.u.size();
    if (!system_) system_ = std::make_unique<System>(source_.with(question_.parameter, question_.from).read());
    Vec w(n);
    w.eigen() = all.head(n);
    system_->displace(from.start.q, w, to.start.q);
    to.start.u.eigen() += all.tail(n);
    to.parameter += step[step.size() - 1];
    return to;
  }

  Eigen::MatrixXd bordered(const Return& back, const Eigen::VectorXd& along) const {
    const int m = equations_.size();
    Eigen::MatrixXd all(m + 1, m + 1);
    all.topLeftCorner(m, m) = equations_.slopes(back);
    all.col(m).head(m) = equations_.by_parameter(back);
    all.topRows(m) *= scale_.asDiagonal();
    all.row(m) = along;
    return all;
  }

  Eigen::VectorXd solve(const Return& back, const Eigen::VectorXd& along, double missing) const {
    Eigen::VectorXd right(equations_.size() + 1);
    right << -equations_.residual(back), missing;
    return bordered(back, along).fullPivLu().solve(right);
  }

  void point_along(Here& here) const {
    const int m = equations_.size();
    here.along = bordered(here.back, here.along).fullPivLu().solve(Eigen::VectorXd::Unit(m + 1, m)).eval();
    here.along.normalize();
  }

  const ModelSource source_;
  const ReturnRule rule_;
  const BranchQuestion question_;
  OrbitEquations equations_;
  std::string sequence_;
  Eigen::VectorXd scale_;
  std::unique_ptr<System> system_;
};

// Functions of a point that are zero at special points.
struct Tests {
  double flip, fold, torus;

  Tests(const Here& here, const OrbitEquations& equations) {
    const Eigen::MatrixXd M = equations.kept_part(here.back.by_start);
    flip = (M + Eigen::MatrixXd::Identity(M.rows(), M.cols())).determinant();
    fold = here.along[here.along.size() - 1];
    const auto multipliers = multipliers_of(M);
    std::complex<double> product = 1;
    for (size_t i = 0; i < multipliers.size(); ++i)
      for (size_t j = i + 1; j < multipliers.size(); ++j) product *= multipliers[i] * multipliers[j] - 1.0;
    torus = product.real();
  }
};

class Walk {
 public:
  Walk(Continuation& continuation, const BranchQuestion& question, Branch& branch,
       const std::function<void(const BranchPoint&)>& tell)
      : continuation_(continuation), question_(question), branch_(branch), tell_(tell) {}

  void go(Here here) {
    constexpr double smallest = 1e-7;
    const double largest = 4 * first_step();
    double step = first_step();
    note(here, BranchPoint::Kind::ordinary);
    while (static_cast<int>(branch_.points.size()) < question_.most_points) {
      int iterations = 0;
      const auto next = continuation_.at(here, step, &iterations);
      if (!next) {
        step /= 2;
        if (step > smallest) continue;
        return end(here);
      }
      look_between(here, *next, step);
      if (outside(*next)) return;
      here = *next;
      note(here, BranchPoint::Kind::ordinary);
      if (iterations <= 4) step = std::min(largest, 1.5 * step);
    }
  }

 private:
  double first_step() const { return question_.step > 0 ? question_.step : 0.01; }
  bool outside(const Here& here) const {
    return here.parameter < std::min(question_.from, question_.to) ||
           here.parameter > std::max(question_.from, question_.to);
  }

  void note(const Here& here, BranchPoint::Kind kind, const std::string& note = {}) {
    branch_.points.push_back({kind, here.parameter, continuation_.equations().orbit(here.start, here.back), note});
    if (tell_) tell_(branch_.points.back());
  }

  // Whether a pair of complex multipliers has size 1. The product of two real ones may be 1 too, which means nothing.
  bool turns(const Here& here) const {
    const auto multipliers = multipliers_of(continuation_.equations().kept_part(here.back.by_start));
    return std::any_of(multipliers.begin(), multipliers.end(), [](const std::complex<double>& one) {
      return one.imag() != 0 && std::abs(std::abs(one) - 1) < 1e-6;
    });
  }

  void look_between(const Here& here, const Here& next, double step) {
    const Tests before(here, continuation_.equations()), after(next, continuation_.equations());
    std::vector<std::pair<double, BranchPoint::Kind>> found;
    const auto look = [&](double Tests::*test, BranchPoint::Kind kind) {
      if (!(before.*test * (after.*test) < 0)) return;
      const double vanishes = 1e-11 * std::max(std::abs(before.*test), std::abs(after.*test));
      const auto value = [&](double distance) {
        const auto at = continuation_.at(here, distance);
        const double found = at ? Tests(*at, continuation_.equations()).*test : after.*test;
        return std::abs(found) < vanishes ? 0.0 : found;
      };
      found.emplace_back(brent(value, 0.0, before.*test, step, after.*test), kind);
    };
    look(&Tests::flip, BranchPoint::Kind::flip);
    look(&Tests::fold, BranchPoint::Kind::fold);
    look(&Tests::torus, BranchPoint::Kind::torus);
    std::sort(found.begin(), found.end());
    for (const auto& [distance, kind] : found)
      if (const auto at = continuation_.at(here, distance);
          at && !outside(*at) && (kind != BranchPoint::Kind::torus || turns(*at)))
        note(*at, kind);
  }

  // The steps have become very small, because the sequence of events changes just ahead. There a gap that was missed or
  // the speed of an impact becomes zero: extrapolate both, and go nearer to the nearest zero.
  void end(const Here& last) {
    struct Candidate {
      std::string what;
      double (*value)(const Return&);
    };
    static const Candidate candidates[] = {
        {"an impact gets infinitely slow", [](const Return& r) { return r.closeness.slowest_impact.value; }},
        {"a contact touches that had only passed by", [](const Return& r) { return r.closeness.nearest_miss.value; }}};
    for (const Candidate& candidate : candidates) {
      const auto& found =
          &candidate == &candidates[0] ? last.back.closeness.slowest_impact : last.back.closeness.nearest_miss;
      if (!std::isfinite(found.value)) continue;
      if (const auto zero = extrapolate(last, candidate.value)) {
        Here at = last;
        at.parameter = *zero;
        return note(at, BranchPoint::Kind::grazing, fmt::format("contact {}: {}", found.contact, candidate.what));
      }
    }
    note(last, BranchPoint::Kind::end, "the sequence of events changes, or no orbit is found beyond");
  }

  // The parameter at which a value becomes zero just ahead: the polynomial p(v) through some points of the branch, by
  // Neville's scheme. The last point itself is too near: an impact that is slow is not known well.
  std::optional<double> extrapolate(const Here& last, double (*value)(const Return&)) {
    constexpr double near = 2e-3;
    std::array<double, 6> p{}, v{};
    for (size_t i = 0; i < p.size(); ++i) {
      const auto at = continuation_.at(last, -near * static_cast<double>(i + 1));
      if (!at) return {};
      p[i] = at->parameter, v[i] = value(at->back);
      if (!(v[i] > (i == 0 ? 2 * value(last.back) : v[i - 1]))) return {};
    }
    for (size_t degree = 1; degree < p.size(); ++degree)
      for (size_t i = 0; i + degree < p.size(); ++i)
        p[i] = (v[i + degree] * p[i] - v[i] * p[i + 1]) / (v[i + degree] - v[i]);
    return p[0];
  }

  Continuation& continuation_;
  const BranchQuestion& question_;
  Branch& branch_;
  const std::function<void(const BranchPoint&)>& tell_;
};

// A start must not come near an event while the parameter changes: the phase in the middle of the longest time without
// events.
double quiet_phase(const Orbit& orbit) {
  const double T = orbit.back.period;
  std::vector<double> times;
  for (const NamedInstant& instant : orbit.back.sequence) times.push_back(instant.t - orbit.start.t);
  if (times.empty()) return 0;
  times.push_back(times.front() + T);
  double longest = 0, middle = 0;
  for (size_t i = 0; i + 1 < times.size(); ++i)
    if (times[i + 1] - times[i] > longest) longest = times[i + 1] - times[i], middle = (times[i] + times[i + 1]) / 2;
  return std::fmod(middle, T) / T;
}

}  // namespace

// The phase of the start is that of the rule in which the branch was followed.
Branch follow_doubling(const ModelSource& source, const Branch& single, const BranchPoint& flip,
                       const BranchQuestion& question, const std::function<void(const BranchPoint&)>& tell) {
  ReturnRule twice = single.rule;
  if (twice.mirrored.empty())
    twice.times *= 2, twice.phase /= 2;
  else  // half an orbit has the multiplier −1: an orbit without the symmetry branches off
    twice.mirrored.clear(), twice.phase /= 2;
  // M + 1 is singular at the flip. Its null vector is the direction in which deviations change their sign.
  const Eigen::MatrixXd& M = flip.orbit.back.by_start;
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(M + Eigen::MatrixXd::Identity(M.rows(), M.cols()), Eigen::ComputeFullV);
  const Eigen::VectorXd direction = svd.matrixV().col(M.cols() - 1);
  ReturnMap map(source.with(question.parameter, flip.parameter), twice);
  twice.expected *= 2;
  Orbit both = flip.orbit;
  both.start.t = map.start_time();
  both.back = map.from(both.start);
  Continuation continuation(source, twice, question, both);
  const Here from = continuation.crossing(both.start, flip.parameter, direction);
  for (const double distance : {0.01, 0.02, 0.005, 0.05, 0.002}) {
    auto first = continuation.at(from, distance);
    if (!first) continue;
    continuation.turn_away(from, *first);
    Branch branch;
    branch.rule = twice;
    Walk(continuation, question, branch, tell).go(*first);
    return branch;
  }
  throw std::runtime_error(fmt::format("no orbit of twice the period was found beside the flip at {} = {:.9g}",
                                       question.parameter, flip.parameter));
}

Branch follow_branch(const ModelSource& source, const ReturnRule& rule, const BranchQuestion& question, int settle,
                     const std::function<void(const BranchPoint&)>& tell) {
  if (!(question.from != question.to))
    throw UsageError(fmt::format("--over {}: found an empty range; expected FROM:TO", question.parameter));
  const ModelSource begin = source.with(question.parameter, question.from);
  Orbit first = find_orbit(begin, rule, settle);
  ReturnRule quiet = rule;
  quiet.expected = first.back.period;
  if (rule.forced()) {
    quiet.phase = quiet_phase(first);
    ReturnMap map(begin, quiet);
    first = find_orbit(map, quiet, map.settled(first.start, 0));
  }
  Continuation continuation(source, quiet, question, first);
  Branch branch;
  branch.rule = quiet;
  Walk(continuation, question, branch, tell).go(continuation.begin(first));
  return branch;
}

}  // namespace tappet
