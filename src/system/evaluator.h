// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "problem/block_rows.h"
#include "system/contact_list.h"

namespace tappet {

// Evaluates a system with its present contacts at given t, q, u. It holds only scratch memory: each thread has its own
// evaluator, and its results do not depend on earlier calls. Derivatives "by q" are taken along the velocities
// (displacements q ⊕ w), so they have u_size() columns for every parametrisation.
//
// What was computed last is kept and used again if it is asked for at the same state. The state is compared by the bits
// of t, q and u, not by the address of the vectors, so a caller may change them in place. Directions are only kept once
// a caller has asked for them twice.
class Evaluator {
 public:
  explicit Evaluator(const ContactList& contacts);  // the contacts must outlive the evaluator

  const System& system() const { return system_; }
  const ContactList& contacts() const { return contacts_; }

  // q1 = q ⊕ w, q ⊕ h u, q ⊕ h (u + v): positions after a displacement along velocities. In place is fine.
  void displace(const Vec& q, const Vec& w, Vec& q1) const { system_.displace(q, w, q1, execution_); }
  void displace(const Vec& q, double h, const Vec& u, Vec& q1);
  void displace(const Vec& q, double h, const Vec& u, const Vec& v, Vec& q1);

  void mass(double t, const Vec& q, BlockMatrix& M);
  void forces(double t, const Vec& q, const Vec& u, Vec& h);
  // Whether the forces of this call would be those of any other: weights of rigid bodies and pads alone.
  bool forces_are_constant() const { return weights_alone_ && contacts_.applied().empty() && contacts_.asleep() == 0; }
  void mass_and_forces(double t, const Vec& q, const Vec& u, BlockMatrix& M, Vec& h);
  // A += by_q ∂h/∂q + by_u ∂h/∂u
  void add_force_derivatives(double t, const Vec& q, const Vec& u, double by_q, double by_u, BlockMatrix& A);
  // The same with derivatives that are made negative semidefinite, so that M − a ∂h/∂q − b ∂h/∂u stays definite for all
  // a, b ≥ 0 (Potra 2006 (10.13), (10.14)). Springs and dampers between bodies give −k GᵀG and −c GᵀG along their
  // lines, gyroscopic terms give their antisymmetric part, and elastic bodies are exact. Other forces between bodies
  // give nothing. Formulas give the nearest negative semidefinite matrix, with the antisymmetric part of ∂h/∂u.
  void add_definite_force_derivatives(double t, const Vec& q, const Vec& u, double by_q, double by_u, BlockMatrix& A);
  // A += factor ∂(M(q) a)/∂q
  void add_mass_derivative(double t, const Vec& q, const Vec& a, double factor, BlockMatrix& A);
  Energy energy(double t, const Vec& q, const Vec& u);
  // The first component of a state force: what the motor of a joint gives.
  double state_force(int index, double t, const Vec& q, const Vec& u);

  // From now on the switches of formulas are held. Each keeps the branch b to which it was set (formula/switches.h).
  void hold_switches();
  void set_branch(int i, double b);
  // If t is later than `last`, functions of time of elements are evaluated at `last`. So they do not switch before this
  // limit is changed.
  void hold_time_until(double last) { last_time_ = last, forget(); }
  void switch_functions(double t, const Vec& q, const Vec& u, Vec& sigma);
  void switch_rates(double t, const Vec& q, const Vec& u, const Vec& a, Vec& first, Vec& rate);

  void gaps(double t, const Vec& q, Vec& g_N);        // of every contact
  void named_gaps(double t, const Vec& q, Vec& g_N);  // of the contacts of the file, which come first
  // The speed at which each gap shrinks, one per contact: −ġ_N, or 0.
  void closing_speeds(double t, const Vec& q, const Vec& u, const ContactSet& set, Vec& speeds);
  void joint_residuals(double t, const Vec& q, Vec& g);  // all joint rows; those on velocity level are zero

  // Rows [joints | contacts of the set]: γ = Wᵀu + χ and γ̇ = Wᵀu̇ + ζ. The rows of a contact are N, F1, F2, …
  void directions(double t, const Vec& q, const ContactSet& set, BlockRows& W, Vec& chi);
  void accelerations(double t, const Vec& q, const Vec& u, const ContactSet& set, Vec& zeta);
  // A += factor ∂(W P)/∂q
  void add_impulse_derivative(double t, const Vec& q, const ContactSet& set, const Vec& P, double factor,
                              BlockMatrix& A);
  // ∂γ/∂q at fixed u, in the layout of W
  void velocity_derivatives(double t, const Vec& q, const Vec& u, const ContactSet& set, BlockRows& dq);
  // ∂(Wᵀa + ζ)/∂q and /∂u, in the layout of W
  void acceleration_derivatives(double t, const Vec& q, const Vec& u, const Vec& a, const ContactSet& set,
                                BlockRows& dq, BlockRows& du);

 private:
  static constexpr int most_law_numbers = 8, most_found_numbers = 24;
  struct FoundUse {
    const KernelUse<kernels::RowKernel>* kernel = nullptr;
    std::array<double, most_found_numbers> numbers{};
  };
  const double* gather(const Vec& x, const std::vector<int>& where, std::vector<double>& own) const;
  void list_frames();
  void list_kernels();
  void list_body_forces();
  // Poses and Jacobians of the frames in use. Those of the last two positions are kept, since a scheme that iterates
  // asks for two positions by turns.
  void place(const Vec& q);
  void move(const Vec& u, std::vector<Twist<double>>& twists);  // their twists
  void list_twists();
  void reserve_kept_rows();
  // The number of the layout of the rows [joints | set] (BlockRows::layout). It is 0 if there are many contacts.
  long layout(const ContactSet& set);
  void lay_out(const ContactSet& set, BlockRows& rows);  // its values are unspecified
  // The rows of joints and contacts that were computed last, of small systems of bodies.
  struct KeptDirections {
    long layout = 0, place = 0, list = 0;  // layout 0: nothing is kept; list: ContactList::version
    double t = 0.0;
    std::vector<double> values, chi;
  };
  bool take_kept(double t, BlockRows& W, Vec& chi);  // false if there are none at the present place
  void keep(double t, const BlockRows& W, const Vec& chi);
  void forget() { kept_[0].layout = kept_[1].layout = 0; }
  void evaluate_directions(double t, const Vec& q, const ContactSet& set, BlockRows& W, Vec& chi);
  void spread_directions(const Constraint& c, double t, const Vec& q, double* rows, double* chi);
  void found_directions(double t, const ContactSet& set, int first, int last, BlockRows& W, Vec& chi) const;
  Pair pair(const PairLayout& layout, double t) const;
  static PairTwist twist(const PairLayout& layout, const std::vector<Twist<double>>& twists) {
    return {twists[layout.frames[0]], twists[layout.frames[1]]};
  }
  static bool from_formula(const Constraint& c) {
    return c.source == Constraint::Source::formula_joint || c.source == Constraint::Source::formula_contact;
  }
  // Calls f(constraint, first row) for the constraints of [joints | set], one after the other.
  template <class F>
  void each(const ContactSet& set, F&& f) {
    int row = 0;
    for (const Constraint& joint : system_.joints()) f(joint, row), row += joint.rows;
    for (int k : set) f(contacts_[k], row), row += contacts_[k].rows;
  }
  template <class F>
  void visit_element(const Constraint& c, F&& f) const;
  // Kernels (evaluate_elements.cpp). They read poses_, twists_ and numbers_; element_… is over both twists.
  // The kernel of a constraint between bodies. Its `functions` are null if there is none.
  const KernelUse<kernels::RowKernel>& kernel(const Constraint& c) const {
    static constexpr KernelUse<kernels::RowKernel> none{};
    if (c.source == Constraint::Source::found) return system_.found_kernel(contacts_.touches()[c.index]);
    return c.details ? c.details->kernel : none;
  }
  const kernels::RowKernel* functions(const Constraint& c) const { return kernel(c).functions; }
  bool direct(const Constraint& c) const { return kernel(c).direct; }
  kernels::Input input(const PairLayout& layout, int numbers, const double* P = nullptr) const {
    const auto [a, b] = layout.frames;
    return {&poses_[a].p.x,       &poses_[b].p.x,       &twists_[a].v.x,           &twists_[b].v.x,
            &twist_rates_[a].v.x, &twist_rates_[b].v.x, numbers_.data() + numbers, P};
  }
  kernels::Input input(const Constraint& c, const double* P = nullptr) {
    if (c.source == Constraint::Source::found) return found_input(c, found_numbers_.data(), P);
    return input(c, c.details->kernel.numbers, P);
  }
  // The same for a found contact, whose numbers are gathered here.
  kernels::Input found_input(const Constraint& c, double* numbers, const double* P = nullptr) const;
  void gather_found_numbers(const TouchPoint& touch, double* numbers,
                            const KernelUse<kernels::RowKernel>& kernel) const;
  kernels::Input found_input(const Constraint& c, const FoundUse& use) const {  // for functions of positions alone
    return {&poses_[c.frames[0]].p.x,
            &poses_[c.frames[1]].p.x,
            nullptr,
            nullptr,
            nullptr,
            nullptr,
            use.numbers.data(),
            nullptr};
  }
  // The kernels and numbers of found contacts, gathered once for each list if they are few.
  void gather_found();
  bool gathered() const { return gathered_list_ == contacts_.version(); }
  void drive(double t) {
    if (!system_.kernel_drives().empty()) drive_kernels(t);
  }
  void drive_kernels(double t);
  void element_value(const Constraint& c, double t, double* g);
  void element_directions(const Constraint& c, double t, double* W, double* chi);
  void element_second_rate(const Constraint& c, double t, double* zeta);
  void element_contraction(const Constraint& c, double t, const double* P, double* K);
  void element_velocity_gradient(const Constraint& c, double t, double* D);
  void element_acceleration_gradient(const Constraint& c, double t, const PairTwist& rate, double* D_pose,
                                     double* D_twist);
  void force_wrench(const System::Force& force, double t, double* f);
  void force_gradient(const System::Force& force, double t, double* K, double* C);
  Lines force_lines(const System::Force& force, double t, double* G);
  double force_energy(const System::Force& force, double t);
  template <class F>
  void visit_force(const System::Force& force, F&& f) const {
    std::visit(
        [&](const auto& element) {
          if constexpr (!std::is_same_v<std::decay_t<decltype(element)>, Gravity>) f(element);
        },
        system_.model().forces[force.index].element);
  }
  void pull_back(const Constraint& c, const double* twelve, double* rows) const;
  // The normal direction of friction in a joint is the velocity of its pad, the last column.
  static void put_pad(const Constraint& c, double* rows) {
    if (c.source == Constraint::Source::joint_friction) rows[c.columns.size() - 1] = 1.0;
  }
  double joint_gap(const Contact& contact, const Vec& q) const;
  void pull_back_both(const PairLayout& layout, const double* twelve, double* block);
  // The terms that come from the Jacobians of turning nodes (evaluate_nodes.cpp). `twelve` is over both twists of a
  // pair.
  bool turns(const PairLayout& layout) const {
    return system_.frames()[layout.frames[0]].turns || system_.frames()[layout.frames[1]].turns;
  }
  // For x over the columns of the node: ∂(J x)/∂q, and ∂(J̇u)/∂q and ∂(J̇u)/∂u. All are 6 × columns.
  void curvature(const Frame& frame, const Vec& q, const double* x, double* D);
  void curvature_rate(const Frame& frame, const Vec& q, const double* u, double* D_q, double* D_u);
  void spread(const Frame& frame, const double* x);
  void node_bias(const PairLayout& layout, const Vec& q, const Vec& u, double* twelve);  // J̇u
  // rows += (rows over both twists) · ∂(J x)/∂q
  void add_curvature(const Constraint& c, const Vec& q, const Vec& x, const double* twelve, double* rows);
  void add_curvature_rate(const Constraint& c, const Vec& q, const Vec& u, double* rows_q, double* rows_u);
  void add_rows(const Constraint& c, int side, const double* twelve, const double* D, double* rows) const;
  // block += factor ∂(Jᵀ f)/∂q at fixed wrench f
  void add_wrench_curvature(const PairLayout& layout, const Vec& q, const double* f, double factor, double* block);
  void add_damper_curvature(const PairLayout& layout, const Vec& q, const Vec& u, const double* by_twist, double factor,
                            double* block);
  void scale_friction(const Constraint& c, int width, double* rows) const;

  void add_applied_forces(Vec& h) const {  // see ContactList::apply
    const Vec& applied = contacts_.applied();
    for (int i = 0; i < applied.size(); ++i) h[i] += applied[i];
  }
  void add_formula_mass(double t, const Vec& q, const Vec* u, Vec* h, BlockMatrix& M);
  bool derive_formula_forces(double t, const Vec& q, const Vec& u);
  void add_formula_forces(double by_q, double by_u, BlockMatrix& A);
  void add_formula_matrix(double factor, BlockMatrix& A) const;
  size_t numbers_of(std::span<const MatrixEntry> entries) const;
  void add_entries(std::span<const MatrixEntry> entries, const std::vector<double>& values, double factor,
                   BlockMatrix& A) const;
  void add_body_mass(BlockMatrix& M);
  void add_body_forces(double t, const Vec& q, const Vec& u, Vec& h);
  void add_body_force_derivatives(double t, const Vec& q, const Vec& u, double by_q, double by_u, BlockMatrix& A);
  void add_direct_force_derivatives(const System::Force& force, double by_q, double by_u, BlockMatrix& A);
  void add_definite_body_force_derivatives(double t, const Vec& q, const Vec& u, double by_q, double by_u,
                                           BlockMatrix& A);
  void add_state_forces(double t, const Vec& q, const Vec& u, Vec& h);
  void add_state_force_derivatives(double t, const Vec& q, const Vec& u, double by_q, double by_u, BlockMatrix& A);
  void add_definite_state_force_derivatives(double t, const Vec& q, const Vec& u, double by_q, double by_u,
                                            BlockMatrix& A);
  void make_room_for_state_forces();
  const StateFormula& formula_of(const System::StateForceLayout& force) const {
    return holds_ && system_.state_switches().size() > 0 ? force.held : force.formula;
  }
  void state_wrench(const System::StateForceLayout& force, double t, const double* f);
  void state_force_slopes(const System::StateForceLayout& force, double t, const Vec& q, const Vec& u);
  void add_state_slopes(const System::StateForceLayout& force, double by_q, double by_u, BlockMatrix& A) const;
  void add_body_energy(double t, const Vec& q, const Vec& u, Energy& sum);

  const ContactList& contacts_;
  const System& system_;
  const Execution& execution_;
  const FormulaMechanics* formulas_;  // null if there are no formulas
  double last_time_;
  bool holds_ = false;  // the switches of formulas
  Vec displacement_;
  FormulaMechanics::Workspace formula_;
  std::vector<double> formula_q_, formula_u_, formula_a_, formula_h_, formula_M_, formula_K_, formula_C_, eigenvectors_;
  std::vector<int> frames_in_use_;  // by a joint, contact or force
  struct PlanarFrame {
    int frame, q;  // q: the first of its positions
  };
  std::vector<PlanarFrame> planar_frames_;    // those in use that are planar bodies
  std::vector<int> other_frames_;             // and all others
  struct PositionKernel {                     // of a joint or contact
    kernels::Function gap = nullptr;          // of a contact; null if it has no kernel
    kernels::Function directions = nullptr;   // null if its rows or columns are not those of a kernel
    int pose_A = 0, pose_B = 0, numbers = 0;  // the first number of each
  };
  PositionKernel position_kernel(const Constraint& c) const;
  void point(kernels::Input& x, const PositionKernel& kernel) const {
    const double* poses = &poses_[0].p.x;
    x.A = poses + kernel.pose_A, x.B = poses + kernel.pose_B;
    x.numbers = numbers_.data() + kernel.numbers;
  }
  std::vector<PositionKernel> joint_kernels_, contact_kernels_;  // of the joints, and of the contacts of the file
  Vec constant_forces_;                                          // weights of rigid bodies and what presses pads on
  bool weights_alone_ = false;                                   // whether there are no other forces
  std::vector<System::Weight> flexible_weights_;
  std::vector<int> turning_bodies_;  // rigid bodies in space, with gyroscopic forces, and flexible bodies
  std::vector<double> jacobians_;
  std::vector<Pose<double>> poses_;
  std::vector<Twist<double>> twists_, twist_rates_;
  std::vector<double> directions_, node_x_, node_D_, node_D_2_, body_x_, body_unit_;
  std::vector<double> state_numbers_, state_branches_, state_slopes_, state_K_, state_C_, state_eigenvectors_;
  std::vector<double> placed_q_;                   // the position that poses_ and jacobians_ belong to
  std::vector<double> other_q_, other_jacobians_;  // those of the position before; unused if there are many bodies
  std::vector<Pose<double>> other_poses_;
  long place_ = 0, other_place_ = 0, last_place_ = 0;  // their numbers: each new position gets the next one
  struct TwistEntry {
    int to, from;  // among the numbers of all twists, among the velocities
  };
  std::vector<TwistEntry> twist_entries_;  // of frames without a Jacobian
  std::vector<int> frames_with_jacobian_;  // of those in use
  struct KnownLayout {
    long number = 0, list = -1;  // ContactList::layout
    ContactSet set;
  };
  std::array<KnownLayout, 8> layouts_;
  std::array<KeptDirections, 2> kept_;
  int next_layout_ = 0, next_kept_ = 0;
  bool asks_again_ = false;  // whether directions were asked for at a state at which they were evaluated just before
  std::array<double, most_found_numbers> found_numbers_{};
  std::vector<FoundUse> found_uses_;  // by found contact
  long gathered_list_ = -1;           // ContactList::version
  std::vector<double> numbers_;       // of all kernels, with functions of time at driven_to_
  double driven_to_;
  std::vector<double> kernel_out_, kernel_out_2_;
  std::vector<double> block_, local_, local_2_, local_rows_, multipliers_;
};

}  // namespace tappet
