// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <tuple>
#include <vector>

#include "problem/contact_problem.h"
#include "solvers/coloured/ball_groups.h"
#include "solvers/coloured/momentum.h"
#include "solvers/iterative/gauss_seidel.h"
#include "solvers/options.h"

namespace tappet {

// Block Gauss–Seidel for many contacts between many bodies, on the factors of G (delassus.h). A contact reads the
// velocities v of its own bodies, ξ_k = W_kᵀ v + c_k, is solved exactly, and moves them, v ← v + Y_k ΔP_k. Contacts of
// one colour share no body. They are solved at the same time, colour after colour, and the result has the same bits on
// any number of threads. If there are many bodies, they are divided into regions that fit into the cache. One thread
// goes through all colours of a region, and contacts between regions follow. The sweeps are extrapolated (momentum.h),
// which saves a factor of five to ten if long chains of contacts carry a load. Dense problems, and those without
// factors, are passed to `gauss-seidel`.
//
// Contacts between balls are processed by groups (ball_groups.h). If there are no others and the tolerance is not fine,
// sweeps compute in single precision, eight contacts at a time. Their result is judged in double precision, and c is
// corrected for the rounding if that is needed. If single precision does not suffice, double precision follows.
class ColouredSweeps final : public ContactSolver {
 public:
  static constexpr int default_sweeps = 20'000;
  static constexpr double single_precision = 1e-5;  // from this tolerance on it is tried,
  static constexpr int most_in_single = 5000;       // with this number of sweeps
  explicit ColouredSweeps(const SolverOptions& options) : options_(options), plain_(options) {}
  SolveReport solve(const ContactProblem& problem, Vec& P) override;
  Delassus::Form form(int rows, int /*velocities*/) const override {
    return rows <= Delassus::dense_rows ? Delassus::Form::dense : Delassus::Form::factored;
  }

  // Makes at most `sweeps` sweeps from P, and at least one. The problem must be factored. After `ask_after` sweeps it
  // ends early if end_here() returns true.
  SolveReport sweep(const ContactProblem& problem, int sweeps, double tolerance, Vec& P, int ask_after = 0,
                    const std::function<bool()>& end_here = {});

 private:
  static constexpr int groups_in_block = 8, parts_in_block = 32;  // with one sum each
  // if a body is in more contacts than this, the remaining ones are solved one after the other
  static constexpr int colours = 63;
  static constexpr int body = 6;  // velocities of a rigid body
  static double dot(const double* a, const double* b, int n) {
    double sum = 0.0;
    for (int i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
  }

  // A law that is not between balls.
  struct Part {
    enum class Kind : std::uint8_t { spatial, normal, general };
    int law = 0, row = 0, at = 0;  // at: its first row in Balls<double>::P
    int A = 0, B = -1;             // bodies, except for `general`; B = −1 if there is one body
    Kind kind = Kind::general;
    double mu = 0.0;
    double G[9] = {}, inverse[9] = {};  // G_kk and, for `spatial`, its inverse; not used for `general`
  };
  struct Sides {
    int A = -1, B = -1;  // bodies with six velocities; B = −1: the ground; A = −1: not a contact between such bodies
  };
  using Frame = std::array<double, 9>;  // R by rows, which turns ω from the frame of the body into that of the contacts
  enum Group { pairs, on_ground, others, kinds };  // of contacts: between two balls, a ball on the ground, and parts
  struct Colour {
    int first_group, first_on_ground, last_group, first_part, last_part;
    int lanes[2];  // the number of contacts of pairs and on_ground
    bool serial;   // its parts share bodies, so they are solved one after the other
  };
  // The contacts between balls in one precision.
  template <class Real>
  struct Balls {
    static constexpr int lanes = Wide<Real>::lanes;
    std::vector<BallGroup<Real>> groups;
    std::vector<BodyVelocity<Real>> velocity;
    std::vector<Real> P;  // groups, then parts
    Momentum<Real> momentum;

    Real* velocities() { return velocity.data()->value; }
    int numbers_of_groups() const { return BallGroup<Real>::numbers * static_cast<int>(groups.size()); }
  };
  // Numbers of any size would leave the range of single precision. So W, velocities ξ and P are multiplied by these
  // powers of two, which are 1 in double precision.
  struct Units {
    double W = 1.0, c = 1.0;
    double P() const { return c / (W * W); }
  };
  // What the sweeps are to reach.
  struct Aim {
    double tolerance, per_impulse, enough;  // enough: of distance()
  };

  // coloured_layout.cpp
  void lay_out(const ContactProblem& problem);
  void choose_regions();
  int region_of(Sides sides) const;
  void choose_colours(const ContactProblem& problem);
  static bool is_serial(int colour) { return colour % (colours + 1) == colours; }  // its contacts share bodies
  void place_velocities(const Delassus& G);
  int body_of(int velocity) const;  // −1 if it belongs to none
  Sides sides_of(const ContactProblem& problem, int law) const;
  Group group_of(int law) const { return !of_balls_[law] ? others : sides_[law].B < 0 ? on_ground : pairs; }
  template <class Real>
  void fill(const ContactProblem& problem, Units units);
  int sort_by_colour(const ContactProblem& problem, int lanes);  // returns the number of groups
  // Lanes without a contact move a line of their own, so that no two threads write the same one.
  int unused_line(size_t list, Group kind) const { return lines_ + 2 * static_cast<int>(list) + kind; }

  // coloured_balls.cpp
  void choose_frames(const ContactProblem& problem);
  static Frame turn_of(const double* W, int width, int side);
  bool between_balls(const Law& law, Sides sides) const;
  template <class Real>
  void fill_lane(const ContactProblem& problem, int law, Units units, Balls<Real>& balls) const;
  template <class Real>
  void close_groups(Balls<Real>& balls) const;

  // coloured_parts.cpp
  void fill(const ContactProblem& problem, int law, Part& part);
  double visit(const Part& part);  // returns ‖diag(G_kk) ΔP_k‖²
  double visit_general(const Part& part);
  double finish(const Part& part, const double* G, int stride, const double* P_new, double* dP);
  void velocity_of(const Part& part, double* xi) const;
  void push_from(const Part& part, const double* dP);
  const double* in_own_frame(int body, double* line) const;
  void add_turned(int body, const double* line);
  double squared_distance_of(const Part& part, double rho_inverse) const;

  const Execution& execution() const { return problem_->G.execution(); }
  bool are_balls() const { return std::find(of_balls_.begin(), of_balls_.end(), 0) == of_balls_.end(); }
  template <class Real>
  Balls<Real>& balls() {
    return std::get<Balls<Real>>(balls_);
  }
  // Returns false if the precision does not suffice.
  template <class Real, class Over>
  bool sweep_in(const Aim& aim, Units units, const Over& over, Vec& P, SolveReport& report);
  enum class End {
    arrived,  // the point is near enough, as far as the sweeps can tell
    stopped,  // it is not, and there are no more sweeps
    blurred   // the impulses are too large for the precision, or it does not get there for another reason
  };
  template <class Real, class Over>
  End sweep_until(const Aim& aim, Units units, const Over& over, SolveReport& report);
  template <class Real>
  bool resolves(const Aim& aim, Units units);
  template <class Real>
  void take_start(const Vec& P, double unit);
  template <class Real>
  void give_result(double unit, Vec& P);
  void correct(const Vec& P, Units units);
  template <class Real, class F>
  void each_number(F&& f) const;  // f(row of the problem, place in P)
  template <class Real>
  double one_sweep();  // √Σ of the results of visit()
  template <class Real>
  double distance(double per_impulse);  // the numerator of residual()
  template <class OfGroups, class OfPart>
  double over_colours(OfGroups&& of_groups, OfPart&& of_part);  // Σ, one colour after the other
  template <class OfGroups, class OfPart>
  double sum_over(const Colour& colour, OfGroups&& of_groups, OfPart&& of_part);

  SolverOptions options_;
  GaussSeidel plain_;
  const ContactProblem* problem_ = nullptr;  // only while it is solved

  std::vector<std::uint16_t> colour_of_;  // by law
  std::vector<std::uint8_t> of_balls_;
  std::vector<Sides> sides_;
  std::vector<int> place_of_law_;  // its lane in all groups, or its part
  std::vector<int> count_;
  std::vector<std::uint64_t> used_;  // the colours at a body or at a block of M̂
  std::vector<int> place_;           // of a velocity within the lines of eight
  int bodies_ = 0, lines_ = 0;       // the lines at the beginning that are bodies with six velocities, and all in use
  int regions_ = 0;
  std::vector<std::uint16_t> region_of_;      // by body
  std::vector<std::vector<Colour>> colours_;  // by region, then of contacts between regions
  std::vector<Part> parts_;
  std::tuple<Balls<float>, Balls<double>> balls_;  // parts use the velocities and impulses of the second

  std::vector<Frame> frames_;    // by body
  std::vector<char> is_turned_;  // whether it has a frame, that is whether it is a ball
  std::vector<int> first_law_;   // the first law in which a body is a ball
  Vec xi_;
  int numbers_ = 0;  // the number of entries in P
  std::vector<double> sums_, of_region_;
};

}  // namespace tappet
