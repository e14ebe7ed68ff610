// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/state.h>

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collision/collision_world.h"
#include "elements/derive.h"
#include "elements/flexible/flexible.h"
#include "formula/mechanics.h"
#include "kernels/kernel.h"
#include "math/block_matrix.h"
#include "math/lists/index_runs.h"
#include "math/lists/short_list.h"
#include "math/vec.h"
#include "model/model.h"
#include "problem/law.h"
#include "system/state_force.h"

namespace tappet {

namespace kernels {
template <class Kernel>
struct Choice;
}

// A frame to which joints, contacts and forces attach: a rigid body, or a node of a flexible one. It is moved by the
// velocities `columns`. For a rigid body each of them is one component (0 … 5) of its twist (v in the world, ω in its
// own frame). For a node (component −1) the twist is J u, where the Evaluator computes J at the present position.
struct Frame {
  int body = -1;  // −1: the ground
  int node = 0;
  IndexRuns columns;
  ShortList<signed char, 6> component;
  int jacobian = -1;   // the first of its 6 × columns numbers in the Jacobians of the evaluator
  bool turns = false;  // whether its J depends on the position, through the angle of the node
};

// The columns by which a joint, contact or force depends on its two frames.
struct PairLayout {
  std::array<int, 2> frames{0, 0};
  IndexRuns columns;  // the velocities on which it acts
  // by column: which of the twelve components of both twists; −1 means that the Jacobian is used, and no_component that
  // the column belongs to neither frame
  ShortList<signed char, 12> component;
  static constexpr signed char no_component = -2;
  int columns_A = 0;  // the number of columns that belong to the first frame
};

// A function of time among the numbers that kernels read: its value, rate, second rate and start are four of them.
struct KernelDrive {
  int number;  // the first of them
  TimeFunction function;
};

// The kernel of an element between bodies.
template <class Kernel>
struct KernelUse {
  const Kernel* functions = nullptr;  // null: the element has none, and is evaluated with dual numbers
  int numbers = 0, count = 0;         // where its numbers start among those of the system, and how many they are
  bool direct = false;                // rows and columns of the kernel are those of the constraint
};

// The rows of one joint or contact: γ = Wᵀu + χ.
struct Constraint : PairLayout {
  enum class Source : std::uint8_t {
    formula_joint,
    formula_contact,
    joint,
    velocity_joint,
    contact,
    joint_stop,      // a limit of a joint, into System::stops
    joint_friction,  // dry friction of a joint, into System::frictions; its last column is the velocity of the pad
    found
  };
  Source source = Source::formula_joint;
  bool position_level = true;  // for joints: whether g(t, q) = 0 exists
  int index = 0;               // within its source
  int row = 0, rows = 0;       // in the row order of the system: joints first, then contacts

  // Exists for those that the file names. Found contacts have none (ContactList::name).
  struct Details {
    std::string name;
    Place place;
    std::vector<int> kept;  // joints between bodies: its rows that do not vanish identically for these bodies
    KernelUse<kernels::RowKernel> kernel;
  };
  const Details* details = nullptr;  // owned by the system
  const std::string& name() const { return details->name; }
  Place place() const { return details->place; }
  int kept(int r) const { return !details || details->kept.empty() ? r : details->kept[r]; }
};

// A contact of the file, or one that was found between two colliders (ContactList). There may be very many found
// contacts, so data of a pair of collider entries are not stored in each of them.
struct Contact : Constraint {
  const ContactLaw* law = nullptr;  // of the model, or of the pair of colliders
  Law::Balls balls;
  int before = -1, row_before = -1;  // found contacts: index and row in the previous list; −1 if it was not there
};

// A place at which formulas of the model change from one smooth branch to another (formula/switches.h).
struct SwitchPlace {
  std::string name;     // "max in contacts.ledge.gap"
  int contact = -1;     // the contact whose gap or slip it belongs to
  bool in_gap = false;  // whether it is in the gap of that contact
  bool jumps = false;   // whether the value may jump, not only its derivatives
  bool whole = false;   // whether its branch is the whole number below the switch function
  double at_zero = 1;   // its branch if the switch function is zero, as the formula is written
  int order = 0;        // FormulaMechanics::switch_order
};

// The same for the functions of time of elements: drives, applied forces.
struct TimeSwitch {
  std::string name;  // "joints.motor.angle"
  TimeFunction function;
  int index = 0;  // of the switch within the function
};

// A compiled model: sizes, names, layouts, constants. It never changes, so any number of runs on any number of threads
// may use the same one. What changes during a run is the State and the ContactList. Positions and velocities are
// ordered: first those of formulas, then those of bodies in the order of the file.
class System {
 public:
  // A body, in the order of the file: where its coordinates, velocities and frames start, and how many there are.
  struct Body {
    int q = 0, u = 0, nq = 0, nu = 0;
    int frame = 0, frames = 1;  // a rigid body has one frame, a flexible body has one per node
  };
  struct Force : PairLayout {
    int index = 0;  // into Model::forces
    KernelUse<kernels::ForceKernel> kernel;
  };
  struct StateForceLayout : PairLayout {
    int index = 0;               // into Model::state_forces
    int measured = -1;           // the joint along whose coordinate it acts, into measured_joints()
    StateFormula formula, held;  // held: with the branches of its switches held, if there are switches
    std::vector<int> touched;    // the velocities on which it acts or depends, ascending
  };
  struct Weight {
    int force, body;  // gravity `force` acts on `body`
  };
  // The coordinate of a joint that is part of the state. Its place in q holds the angle or displacement since the start
  // pose. It follows from the poses, except for the number of whole turns in space, which displace() counts.
  struct MeasuredJoint : PairLayout {
    int joint = 0;                  // into Model::joints
    int q = 0;                      // its place among the positions
    int friction = -1, motor = -1;  // its contact with dry friction, into named_contacts(); into state_forces()
  };
  // Dry friction in a joint has a given bound F and no normal force. It is the friction of a pad with μ = 1 that is
  // pressed onto the joint with the force F. The pad has one velocity of its own, across the joint, so that its contact
  // is decoupled from all other normal directions: in every step the normal impulse is exactly F dt, and no impact
  // changes it. Every solver and every scheme thus sees Coulomb friction as of any other contact. The position of the
  // pad is its displacement since the step began, so that nothing accumulates.
  struct Pad {
    int q = 0, u = 0;
    double mass = 1.0;   // the inertia that the joint has along its coordinate at the start
    double force = 0.0;  // F
  };
  static constexpr int bodies_at_a_time = 512;  // per thread

  // Throws a ModelError if the model is inconsistent (initial joints, velocities, gaps).
  explicit System(Model model);

  int q_size() const { return q_size_; }
  int u_size() const { return u_size_; }
  int joint_rows() const { return joint_rows_; }  // of all joints, position and velocity level
  int named_rows() const { return named_rows_; }  // of joints and named contacts
  std::vector<std::string> q_names() const;       // built on demand, because a large model has a million of them
  std::vector<std::string> u_names() const;
  const std::vector<Constraint>& joints() const { return joints_; }
  const std::vector<Contact>& named_contacts() const { return named_contacts_; }  // the contacts of the file
  const State& initial() const { return initial_; }
  const Model& model() const { return model_; }
  const std::vector<std::string>& warnings() const { return warnings_; }
  // Of formulas of the state: first those of coordinates, gaps and joints, then those of forces on bodies.
  const std::vector<SwitchPlace>& switches() const { return switches_; }
  int formula_switches() const;  // the number of the first kind
  const StateSwitches& state_switches() const { return state_switches_; }
  const std::vector<TimeSwitch>& time_switches() const { return time_switches_; }
  // Formulas of x, y, z and t of contacts between bodies that switch, such as "contacts.cam.gap".
  const std::vector<std::string>& surface_switches() const { return surface_switches_; }

  bool mass_is_constant() const { return mass_is_constant_; }
  bool forces_depend_on_state() const { return forces_depend_on_state_; }    // ∂h/∂q or ∂h/∂u is not zero
  bool forces_are_linear() const { return forces_are_linear_; }              // ∂h/∂q and ∂h/∂u are constant
  bool directions_are_constant() const { return directions_are_constant_; }  // W of every joint and contact
  // Zero matrices with the pattern of M; of M, ∂h/∂q and ∂h/∂u; and of these and ∂(W P)/∂q.
  BlockMatrix mass_matrix(const Execution& execution = Execution::serial) const;
  BlockMatrix iteration_matrix(const Execution& execution = Execution::serial) const;
  // `touching` are pairs of frames that found contacts couple in addition.
  BlockMatrix constrained_matrix(const Execution& execution = Execution::serial,
                                 std::span<const std::pair<int, int>> touching = {}) const;
  Coupling constrained_coupling() const;  // the pattern of constrained_matrix() without found contacts

  // The pose of a body, or of a node of a flexible body. The ground is at the origin.
  Pose<double> pose(const Attachment& attachment, const Vec& q) const {
    return pose_of(frames_[frame_of(attachment)], q.data());
  }
  // The places of the variables of formulas in q and in u.
  const std::vector<int>& formula_q() const { return formula_q_; }
  const std::vector<int>& formula_u() const { return formula_u_; }

  // q1 = q ⊕ w: the positions after a displacement w along the velocities (w = dt u). Unit quaternions stay unit
  // quaternions. q1 may be q.
  void displace(const Vec& q, const Vec& w, Vec& q1, const Execution& execution = Execution::serial) const;
  void rate(const Vec& q, const Vec& u, Vec& q_dot) const;  // q̇ = B(q) u
  // The first velocities of the rotations in space. For these q ⊕ w turns by exp(w), for all others q ⊕ w = q + w.
  const std::vector<int>& rotations() const { return rotations_; }
  // Whether q ⊕ w = q + w for all positions.
  bool positions_add() const { return rotations_.empty() && q_size_ == u_size_ && measured_.empty(); }

  // The data from which an Evaluator and the ContactList are made.
  const FormulaMechanics* formulas() const { return formulas_.get(); }  // null if the model has none
  // with switches held; null if there are none
  const FormulaMechanics* held_formulas() const { return held_formulas_.get(); }
  bool formulas_in_place() const { return formulas_in_place_; }  // whether their variables come first, in order
  const std::vector<Body>& bodies() const { return bodies_; }    // as in Model::bodies
  const std::vector<Frame>& frames() const { return frames_; }   // frames()[0] is the ground
  int jacobian_size() const { return jacobian_size_; }           // of the Jacobians of all frames together
  const std::vector<Force>& forces() const { return forces_; }   // between two frames
  const std::vector<StateForceLayout>& state_forces() const { return state_forces_; }
  const std::vector<Weight>& weights() const { return weights_; }
  // The numbers that kernels read, and the functions of time among them.
  const std::vector<double>& kernel_numbers() const { return kernel_numbers_; }
  const std::vector<KernelDrive>& kernel_drives() const { return kernel_drives_; }
  double largest_gravity() const { return largest_gravity_; }  // [m/s²]
  const std::vector<MeasuredJoint>& measured_joints() const { return measured_; }
  const JointCoordinate& coordinate(const MeasuredJoint& joint) const {
    return model_.joints[joint.joint].actions.coordinate;
  }
  double joint_position(const MeasuredJoint& joint, const Vec& q) const;
  double joint_speed(const MeasuredJoint& joint, const Vec& q, const Vec& u) const;
  const std::vector<Pad>& pads() const { return pads_; }
  struct Stop {
    JointStop element;
    int measured;  // into measured_joints()
  };
  const std::vector<Stop>& stops() const { return stops_; }
  struct Friction {
    JointFriction element;
    int pad;  // into pads()
  };
  const std::vector<Friction>& frictions() const { return frictions_; }
  int frame_of(const Attachment& attachment) const;
  Pose<double> pose_of(const Frame& frame, const double* q) const;
  void jacobian_of(const Frame& frame, const double* q, double* jacobians) const;
  void attach(const std::array<Attachment, 2>& bodies, PairLayout& layout) const;
  // Column c of a row over the twelve twist components.
  double pulled(const PairLayout& layout, int c, const double* twelve, const double* jacobians) const {
    if (layout.component[c] >= 0) return twelve[layout.component[c]];
    if (layout.component[c] == PairLayout::no_component) return 0.0;
    const int side = c >= layout.columns_A, k = side ? c - layout.columns_A : c;
    const Frame& frame = frames_[layout.frames[side]];
    const int columns = static_cast<int>(frame.columns.size());
    double sum = 0.0;
    for (int i = 0; i < 6; ++i) sum += twelve[6 * side + i] * jacobians[frame.jacobian + i * columns + k];
    return sum;
  }

  // Colliders, numbered through all entries of the model. They are built on demand, since each run has its own
  // (ContactList).
  bool has_colliders() const { return !model_.colliders.empty(); }
  CollisionWorld collision_world(const Execution& execution = Execution::serial) const;
  double extent(int collider) const { return extent_[collider]; }  // its reach from the origin of its body [m]
  const ContactLaw& law_between(int collider_A, int collider_B) const;
  // The kernel of contacts found between two colliders. Its numbers are those of the touch point (touch_numbers), then
  // those of the law, which stand among the numbers of the system as if the touch point had some.
  const KernelUse<kernels::RowKernel>& found_kernel(const TouchPoint& touch) const;

  // Says which bodies are balls in a contact whose normal passes through these origins.
  Law::Balls balls(const std::array<Attachment, 2>& bodies, std::array<bool, 2> through_origins,
                   const ContactLaw& law) const;

 private:
  friend class ParametricSystem;

  // The largest violation of joints and gaps [m, rad] and of velocities [m/s, rad/s] in a state to start from.
  static constexpr double consistent = 1e-9;

  void lay_out_coordinates();
  template <class Element>
  void lay_out(int body, const Element& element);
  void compile_formulas();
  void compile_switches(const FormulaSystem& system);
  void list_time_switches();
  using StateInputs = std::vector<StateFormula::Input>;
  StateInputs number_inputs(std::span<Node> formulas, int first_branch, int branches);
  void list_state_switches(const std::vector<Switch>& switches, const std::string& name);
  void compile_state_switches(const std::vector<Switch>& switches, int first_branch);
  std::string formula_name(const HeldSystem::Origin& origin) const;
  void compile_joints();
  template <class Entries>
  void compile_joints(Entries& entries, Constraint::Source source);
  template <class Element>
  std::vector<int> moving_rows(const Element& element, const Pair& start, const Constraint& joint) const;
  Constraint::Details* details(std::string name, Place place, std::vector<int> kept = {});
  template <class Kernel>
  void use(const kernels::Choice<Kernel>& choice, const PairLayout& layout, KernelUse<Kernel>& use);
  kernels::Family family(const std::array<Attachment, 2>& bodies) const;
  void add_joint(Constraint joint);
  void find_round_bodies();
  void compile_contacts();
  void lay_out_measured_joints();
  void compile_measured_joints();
  void add_stops(int measured);
  void add_friction(int measured);
  void weigh_pads();
  void count_turns(const Vec& q, const Vec& w, Vec& q1) const;
  void compile_forces();
  void compile_state_forces();
  StateFormula::Input state_input(int slot) const;
  StateFormula::Input counted_turns(int joint) const;
  void compile_colliders();
  template <class Touching>
  void use_found_kernel(const Touching& element, const std::array<Attachment, 2>& bodies, const ContactLaw& law);
  void start();       // finds the initial state, and checks it
  void take_start();  // takes the state of an earlier run, and projects the start, if the model asks for it
  void check_initial_overlap() const;
  void check_initial_state();
  void warn_of_redundant_joints();

  ModelError located(const MechanicsError& error) const;
  bool is_planar(const std::array<Attachment, 2>& bodies) const;
  Pair pair_at(const PairLayout& layout, const Vec& q) const;
  Pair initial_pair(const PairLayout& layout) const { return pair_at(layout, initial_.q); }
  Coupling mass_coupling() const;
  Coupling force_coupling() const;
  void tie_formulas(std::span<const MatrixEntry> entries, Coupling& coupling) const;

  Model model_;
  std::unique_ptr<FormulaMechanics> formulas_;
  std::unique_ptr<FormulaMechanics> held_formulas_;  // with their switches held; null if there are no switches
  std::vector<SwitchPlace> switches_;
  StateSwitches state_switches_;
  std::vector<TimeSwitch> time_switches_;
  std::vector<std::string> surface_switches_;
  std::vector<int> formula_q_, formula_u_;
  bool formulas_in_place_ = true;
  int jacobian_size_ = 0;
  std::vector<Body> bodies_;
  std::vector<int> rotations_;
  std::vector<char> is_round_;  // by body: whether it is rigid with equal moments of inertia about all axes
  std::vector<Frame> frames_;
  std::deque<Constraint::Details> details_;  // its entries never move in memory
  std::vector<Constraint> joints_;
  std::vector<Contact> named_contacts_;
  std::vector<MeasuredJoint> measured_;
  std::vector<Pad> pads_;
  std::vector<Stop> stops_;
  std::vector<Friction> frictions_;
  std::vector<int> entry_of_collider_;  // into Model::colliders
  std::vector<double> extent_;
  std::vector<ContactLaw> pair_laws_;                         // by the two entries of Model::colliders
  std::vector<KernelUse<kernels::RowKernel>> found_kernels_;  // the same, two each: TouchPoint::Form
  double largest_gravity_ = 0.0;
  std::vector<Force> forces_;
  std::vector<StateForceLayout> state_forces_;
  std::vector<Weight> weights_;
  std::vector<double> kernel_numbers_;
  std::vector<KernelDrive> kernel_drives_;
  State initial_;
  std::vector<std::string> warnings_;
  int q_size_ = 0, u_size_ = 0, joint_rows_ = 0, named_rows_ = 0;
  bool mass_is_constant_ = true, forces_depend_on_state_ = false, forces_are_linear_ = true,
       directions_are_constant_ = true;
};

}  // namespace tappet
