// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "problem/contact_problem.h"
#include "solvers/coloured/contact_quads.h"
#include "solvers/coloured/momentum.h"
#include "solvers/iterative/gauss_seidel.h"
#include "solvers/options.h"

namespace tappet {

// Block Gauss–Seidel for many contacts between many bodies, on the factors of G (delassus.h). A contact reads the
// velocities v of its own bodies, ξ_k = W_kᵀ v + c_k, is solved exactly, and moves them, v ← v + Y_k ΔP_k. Contacts of
// one colour share no body. They are solved at the same time, colour after colour, and the result has the same bits on
// any number of threads. If there are many bodies, they are divided into regions that fit into the cache. One thread
// goes through all colours of a region, and contacts between regions follow. Contacts between balls are processed four
// at a time (contact_quads.h) with rounded W. If the rounding matters, c is corrected for it. The sweeps are
// extrapolated (momentum.h), which saves a factor of five to ten if long chains of contacts carry a load. Dense
// problems, and those without factors, are passed to `gauss-seidel`.
class ColouredSweeps final : public ContactSolver {
 public:
  static constexpr int default_sweeps = 20'000;
  static constexpr double rounded = 1e-2;  // below this tolerance the rounding of W matters at the start
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
  static constexpr int quads_in_block = 8, parts_in_block = 32;  // with one sum each
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
    int law = 0, row = 0, at = 0;  // at: its first row in P_
    int A = 0, B = -1;             // bodies, except for `general`; B = −1 if there is one body
    Kind kind = Kind::general;
    double mu = 0.0;
    double G[9] = {}, inverse[9] = {};  // G_kk and, for `spatial`, its inverse; not used for `general`
  };
  struct Sides {
    int A = -1, B = -1;  // bodies with six velocities; B = −1: the ground; A = −1: not a contact between such bodies
  };
  using Frame = std::array<double, 9>;  // R by rows, which turns ω from the frame of the body into that of the contacts
  struct Colour {
    int first_quad, last_quad, lanes, first_part, last_part;
    bool serial;  // its parts share bodies, so they are solved one after the other
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
  void sort_by_colour(const ContactProblem& problem);
  void fill(const ContactProblem& problem);

  // coloured_balls.cpp
  void choose_frames(const ContactProblem& problem);
  static Frame turn_of(const double* W, int width, int side);
  bool between_balls(const Law& law, Sides sides) const;
  void fill_lane(const ContactProblem& problem, int law);
  void close_quads();

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
  double* velocities() { return velocity_.data()->value; }
  const double* velocities() const { return velocity_.data()->value; }

  const Execution& execution() const { return problem_->G.execution(); }
  void take_start(const Vec& P);
  template <class Over>
  bool sweep_until(double enough, double rho_inverse, const Over& over, SolveReport& report);
  void give_result(Vec& P) const;
  void correct(const Vec& P);
  template <class F>
  void each_number(F&& f) const;        // f(row of the problem, place in P_)
  double one_sweep();                   // √Σ of the results of visit()
  double distance(double rho_inverse);  // the numerator of residual()
  template <class OfQuads, class OfPart>
  double over_colours(OfQuads&& of_quads, OfPart&& of_part);  // Σ, one colour after the other
  template <class OfQuads, class OfPart>
  double sum_over(const Colour& colour, OfQuads&& of_quads, OfPart&& of_part);

  SolverOptions options_;
  GaussSeidel plain_;
  const ContactProblem* problem_ = nullptr;  // only while it is solved

  std::vector<std::uint16_t> colour_of_;  // by law
  std::vector<std::uint8_t> of_balls_;
  std::vector<Sides> sides_;
  std::vector<int> place_of_law_;  // its lane in quads_, or its part
  std::vector<int> count_;
  std::vector<std::uint64_t> used_;  // the colours at a body or at a block of M̂
  std::vector<int> place_;           // of a velocity within velocity_
  int bodies_ = 0;  // the number of entries of velocity_ at its beginning that are bodies with six velocities
  int regions_ = 0;
  std::vector<std::uint16_t> region_of_;      // by body
  std::vector<std::vector<Colour>> colours_;  // by region, then of contacts between regions
  std::vector<ContactQuad> quads_;
  std::vector<Part> parts_;

  std::vector<BodyVelocity> velocity_;
  std::vector<Frame> frames_;    // by body
  std::vector<char> is_turned_;  // whether it has a frame, that is whether it is a ball
  std::vector<int> first_law_;   // the first law in which a body is a ball
  Vec P_;                        // quads, then parts
  const Vec* c_ = nullptr;       // the c that parts use: that of the problem, or corrected_
  Vec corrected_, xi_;
  int numbers_ = 0;  // the number of entries in P_
  std::vector<double> sums_, of_region_;
  Momentum momentum_;
};

}  // namespace tappet
