// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "formula/program.h"
#include "formula/switches.h"

namespace tappet {

// A mechanical system as formulas over the input slots [t, q_0 … q_{n−1}, u_0 … u_{n−1}], with q̇ = u.
struct FormulaSystem {
  // One row of a joint or of friction.
  struct Row {
    Node node = -1;
    bool velocity_level = false;  // node is γ(t, q, u), affine in u; otherwise it is a position g(t, q) and γ = dg/dt
  };
  struct Joint {
    std::vector<Row> rows;
  };
  struct Contact {
    Node gap = -1;              // g_N(t, q)
    std::vector<Row> friction;  // slip(t, q), or the slip velocity if that is not a derivative
  };

  int n = 0;
  Node kinetic = -1;                 // T(t, q, u), quadratic in u; −1 if `mass` is given instead
  std::vector<Node> mass;            // n × n, symmetric, of t and q
  Node potential = -1;               // V(t, q), or −1
  std::vector<Node> forces;          // Q_i(t, q, u), or empty
  bool forces_are_complete = false;  // with `mass`: Q contains the inertial terms, so that h = Q − ∂V/∂q
  std::vector<Joint> joints;
  std::vector<Contact> contacts;
  // the switches whose branches are held (held_system()); if there are none, formulas switch by themselves
  std::vector<Switch> switches;

  static int t_slot() { return 0; }
  int q_slot(int i) const { return 1 + i; }
  int u_slot(int i) const { return 1 + n + i; }
  int most_rows() const;                                             // largest number of rows of a joint or contact
  int first_branch_slot() const { return 1 + 3 * n + most_rows(); }  // after t, q, u, accelerations and impulses
};

// A formula that does not describe mechanics: T is not quadratic in u, a gap depends on u, …
struct MechanicsError : std::runtime_error {
  enum class Part { kinetic, mass, potential, forces, joint, contact };
  MechanicsError(Part part, int index, int row, const std::string& what)
      : std::runtime_error(what), part(part), index(index), row(row) {}
  Part part;
  int index;  // which force, joint or contact
  int row;    // of a joint; in a contact 0 is the gap and 1 … are friction
};

// A system whose switches are held, and the formula in which each of them was first found.
struct HeldSystem {
  struct Origin {
    MechanicsError::Part part;
    int index, row;  // as in MechanicsError
  };
  FormulaSystem system;
  std::vector<Origin> origins;  // one per switch
};
HeldSystem held_system(Graph& graph, const FormulaSystem& system);

struct MatrixEntry {
  int row, column;
};

// M(t, q) u̇ = h(t, q, u) + W λ and everything that schemes need from it, derived exactly:
//   M = ∂²T/∂u²,   h = Q − ∂V/∂q + ∂T/∂q − (∂²T/∂u∂q) u − ∂²T/∂u∂t.
// Joints and contacts are blocks k of rows. Block k < joints() is a joint, and block joints() + i is contact i, whose
// row 0 is the gap and whose other rows are friction. γ = W u + χ, γ̇ = W u̇ + ζ, where W is stored row by row over
// columns(k). An object is constant and can be shared between threads. Intermediate numbers are in a Workspace, one per
// thread. No function allocates memory. Matrices are column-major n × n if n is at most most_dense. Otherwise a matrix
// is the list of the numbers at its `…_entries`. Blocks are row-major over columns(k).
class FormulaMechanics {
 public:
  class Workspace;
  static constexpr int most_dense = 60;

  FormulaMechanics(Graph& graph, const FormulaSystem& system);
  Workspace workspace() const;
  // Gives the constants that depend on parameters their values in the stage. Workspaces made before keep the old ones.
  void set_constants(std::span<const std::pair<Node, int>> staged, const ParameterStage& stage) {
    layout_.set_constants(staged, stage);
  }

  int n() const { return n_; }
  bool has_all_entries() const { return n_ <= most_dense; }
  // The entries of matrices that may not be zero, column by column; empty if there are all entries.
  std::span<const MatrixEntry> mass_entries() const { return mass_entries_; }
  std::span<const MatrixEntry> stiffness_entries() const { return stiffness_entries_; }              // ∂h/∂q
  std::span<const MatrixEntry> damping_entries() const { return damping_entries_; }                  // ∂h/∂u
  std::span<const MatrixEntry> mass_derivative_entries() const { return mass_derivative_entries_; }  // ∂(M a)/∂q

  bool mass_depends_on_q() const { return mass_depends_on_q_; }
  bool mass_depends_on_t() const { return mass_depends_on_t_; }
  bool mass_is_constant() const { return !mass_depends_on_q_ && !mass_depends_on_t_; }
  bool forces_depend_on_t() const { return forces_depend_on_t_; }
  bool forces_depend_on_q() const { return forces_depend_on_q_; }  // false: ∂h/∂q vanishes
  bool forces_depend_on_u() const { return forces_depend_on_u_; }  // false: ∂h/∂u vanishes

  void mass(double t, const double* q, double* M, Workspace&) const;
  void forces(double t, const double* q, const double* u, double* h, Workspace&) const;
  void mass_and_forces(double t, const double* q, const double* u, double* M, double* h, Workspace&) const;
  void force_derivatives(double t, const double* q, const double* u, double* dh_dq, double* dh_du, Workspace&) const;
  // ∂(M(t, q) a)/∂q
  void mass_times_derivative(double t, const double* q, const double* a, double* out, Workspace&) const;
  double kinetic(double t, const double* q, const double* u, Workspace&) const;
  double potential(double t, const double* q, Workspace&) const;

  int joints() const { return joints_; }
  int contacts() const { return static_cast<int>(blocks_.size()) - joints_; }
  void gaps(double t, const double* q, double* g_N, Workspace&) const;  // of all contacts

  int blocks() const { return static_cast<int>(blocks_.size()); }
  int rows(int k) const { return blocks_[k].rows; }
  bool velocity_level(int k, int row) const { return blocks_[k].velocity_level[row]; }
  // The coordinates on which values, W or χ of the block depend, sorted. They are the same for q and u.
  std::span<const int> columns(int k) const { return blocks_[k].columns; }
  bool directions_are_constant(int k) const { return blocks_[k].constant_directions; }
  bool has_chi(int k) const { return blocks_[k].has_chi; }  // false: χ vanishes

  // Positions (gap, slips, constraint). Rows of velocity level are 0.
  void value(int k, double t, const double* q, double* g, Workspace&) const;
  void directions(int k, double t, const double* q, double* W, double* chi, Workspace&) const;
  void accelerations(int k, double t, const double* q, const double* u, double* zeta, Workspace&) const;
  // Σ_r P_r ∂W_rc/∂q_j at out[c · columns + j]
  void impulse_derivative(int k, double t, const double* q, const double* P, double* out, Workspace&) const;
  // ∂(W u + χ)/∂q, rows × columns
  void velocity_derivative(int k, double t, const double* q, const double* u, double* out, Workspace&) const;
  // ∂(W a + ζ)/∂q and /∂u, rows × columns each; a is the acceleration u̇, of length n
  void acceleration_derivatives(int k, double t, const double* q, const double* u, const double* a, double* out_q,
                                double* out_u, Workspace&) const;

  // Held switches. A branch b keeps its value in the workspace until it is set again. All branches are 0 at first.
  int switches() const { return static_cast<int>(switch_orders_.size()); }
  void set_branch(int i, double b, Workspace&) const;
  void switch_functions(double t, const double* q, const double* u, double* sigma, Workspace&) const;
  // The order of the first time derivative of σ that contains accelerations: 1 if σ depends on velocities, 2 if it
  // depends on positions, 0 if σ is a formula of t alone.
  int switch_order(int i) const { return switch_orders_[i]; }
  // dσ/dt, and the derivative of that order (of order 1 if σ is a formula of t alone).
  void switch_rates(double t, const double* q, const double* u, const double* a, double* first, double* rate,
                    Workspace&) const;

  int operations_of_mass_and_forces() const { return mass_and_forces_.program.operations(); }
  int operations_of_gaps() const { return gaps_.program.operations(); }
  int operations_of_directions(int k) const { return blocks_[k].directions.program.operations(); }

 private:
  // A program and the inputs that it reads, by kind.
  struct Evaluation {
    Program program;
    std::vector<int> q, u, a, P;
  };
  struct Block {
    int rows = 0;
    std::vector<int> columns;
    std::vector<bool> velocity_level;
    bool constant_directions = false, has_chi = false;
    Evaluation value, directions, accelerations, impulse_derivative, velocity_derivative, acceleration_derivatives;
  };
  class Builder;

  const double* evaluate(const Evaluation&, double t, const double* q, Workspace&) const;
  const double* evaluate(const Evaluation&, double t, const double* q, const double* u, Workspace&) const;

  int n_ = 0, joints_ = 0;
  bool mass_depends_on_q_ = false, mass_depends_on_t_ = false;
  bool forces_depend_on_t_ = false, forces_depend_on_q_ = false, forces_depend_on_u_ = false;
  Evaluation mass_, forces_, mass_and_forces_, force_derivatives_, mass_times_, kinetic_, potential_, gaps_,
      switch_functions_, switch_rates_;
  std::vector<MatrixEntry> mass_entries_, stiffness_entries_, damping_entries_, mass_derivative_entries_;
  std::vector<Block> blocks_;
  std::vector<int> switch_orders_;
  int first_branch_ = 0;
  TapeLayout layout_;
};

// Belongs to the mechanics object that created it. It remembers sines and cosines of the last angles, but never the
// state.
class FormulaMechanics::Workspace {
 public:
  Workspace() = default;

 private:
  friend class FormulaMechanics;
  double* base() { return numbers_.data() + constants_; }

  std::vector<double> numbers_;
  int constants_ = 0;
};

}  // namespace tappet
