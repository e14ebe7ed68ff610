// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "solvers/path/path_state.h"

namespace tappet {

// The equations of the proximal problem u = Ĝ r + q + α (r − r_k) as long as every contact keeps its status:
//   open: r = 0;  sticking: u = 0;  sliding: u_N = 0, r_F = μ r_N τ_F / ‖τ_F‖ with τ_F = r_F − ρ u_F;  joints: u = 0.
// They are those of polish.h, but the statuses are given and not read from r and u. A contact leaves the region of its
// status at a boundary, where τ_N = r_N − u_N = 0 or ‖τ_F‖ = μ τ_N. Across it F is continuous.
class ProximalPiece {
 public:
  enum class Status : char { open, sticking, sliding };
  struct Boundary {
    int law = -1;  // −1 if there is none
    Status from = Status::open, to = Status::open;
  };
  struct Point {
    Vec r;
    double log_alpha = 0.0;
  };

  void start(PathState& state, const Vec& centre);
  void read_statuses(const Vec& r);  // and u of the last evaluation
  void cross(Boundary boundary) { status_[boundary.law] = boundary.to; }

  // Chooses ρ of every sliding contact so that r_F and ρ u_F have the same size. If one of them were much smaller, it
  // would hardly turn τ_F, and Newton's method would only converge from very close.
  void weigh_slip(const Vec& r);

  double evaluate(const Point& z);  // u, F and its derivatives; returns ‖F‖
  const Vec& u() const { return u_; }
  void factor();
  // With the last factors, refined for the present derivatives until the error is at most `accuracy` of the right side,
  // or twice.
  void newton_step(double accuracy, Vec& dr);          // of F at fixed α
  void slope(double accuracy, const Vec& r, Vec& dr);  // dr/d log α that keeps F

  void change_of_tau(const Vec& r, const Vec& dr, double d_log_alpha, Vec& dtau) const;
  double outside(Boundary boundary, const Vec& r, const Vec& u) const;  // τ beyond the boundary, < 0 inside
  double change_outside(Boundary boundary, const Vec& r, const Vec& dtau) const;
  double length_to(Boundary boundary, const Vec& r, const Vec& dtau) const;  // along dτ; HUGE_VAL if never

  template <class Visit>
  void each_boundary(Visit&& visit) const {
    for (int k = 0; k < static_cast<int>(status_.size()); ++k) {
      const Law& law = state_->problem.laws[k];
      if (law.kind == Law::Kind::bilateral) continue;
      if (status_[k] == Status::sliding) {
        visit(Boundary{k, Status::sliding, Status::sticking});
        visit(Boundary{k, Status::sliding, Status::open});
      } else if (law.rows > 1) {
        visit(Boundary{k, status_[k], Status::sliding});
      } else {
        visit(Boundary{k, status_[k], status_[k] == Status::open ? Status::sticking : Status::open});
      }
    }
  }

 private:
  void evaluate_sliding(int k, const Vec& r);
  void multiply_by_A(Vec& x) const;
  void solve(double accuracy, Vec& x);
  bool refine(double accuracy, Vec& x);
  double tau_N(const Law& law, const Vec& r, const Vec& u) const { return r[law.row] - u[law.row]; }

  PathState* state_ = nullptr;
  Vec centre_, u_, F_, rho_, right_, product_;
  double alpha_ = 1.0;
  std::vector<Status> status_;
  std::vector<double> A_, B_, C_;  // dF = A du + B dr by blocks, 16 numbers per contact; C = B + α A
};

}  // namespace tappet
