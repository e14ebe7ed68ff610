// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collision/collision_world.h"
#include "elements/derive.h"
#include "elements/flexible/flexible.h"
#include "formula/mechanics.h"
#include "math/block_matrix.h"
#include "math/index_runs.h"
#include "math/short_list.h"
#include "math/vec.h"
#include "model/model.h"
#include "problem/law.h"

namespace tappet {

struct State {
  double t = 0.0;
  Vec q, u;
};

struct Energy {
  double kinetic = 0.0, potential = 0.0;
  double total() const { return kinetic + potential; }
};

// Contacts by index, ascending.
using ContactSet = std::vector<int>;

// A frame that joints, contacts and forces attach to: a rigid body, or a node of a flexible one. The velocities
// `columns` move it: for a rigid body each is one component (0 … 5) of its twist (v in the world, ω in its own
// frame); for a node (component −1) the twist is J u, J by Evaluator at the present position.
struct Frame {
  int body = -1;  // −1: the ground
  int node = 0;
  IndexRuns columns;
  ShortList<signed char, 6> component;
  int jacobian = -1;   // where its 6 × columns numbers start in the evaluator's Jacobians
  bool turns = false;  // its J depends on the position, through the angle of the node
};

// How a joint, contact or force hangs on its two frames.
struct PairLayout {
  std::array<int, 2> frames{0, 0};
  IndexRuns columns;                     // velocities it touches
  ShortList<signed char, 12> component;  // by column: which of the twelve components of both twists; −1: see the
                                         // Jacobian
  int columns_A = 0;                     // how many columns belong to the first frame
};

// The rows one joint or contact contributes: γ = Wᵀu + χ.
struct Constraint : PairLayout {
  enum class Source : std::uint8_t { formula_joint, formula_contact, joint, velocity_joint, contact, found };
  Source source = Source::formula_joint;
  bool position_level = true;  // joints: g(t, q) = 0 exists
  int index = 0;               // within its source
  int row = 0, rows = 0;       // in the system's row order: joints first, then contacts

  // Of those that the file names; found ones have none (System::contact_name).
  struct Details {
    std::string name;
    Place place;
    std::vector<int> kept;  // joints between bodies: its rows that do not vanish identically for these bodies
  };
  std::unique_ptr<Details> details;
  const std::string& name() const { return details->name; }
  Place place() const { return details->place; }
  int kept(int r) const { return !details || details->kept.empty() ? r : details->kept[r]; }
};

// Contacts that were found between colliders stand behind those of the file, in the order of their touch points, so
// that what is read one after the other lies side by side. Sought again they are another list; who was in the last one
// says where. There are as many as bodies touch: what they have in common is not theirs.
struct Contact : Constraint {
  const ContactLaw* law = nullptr;   // of the model, or of the pair of colliders
  int before = -1, row_before = -1;  // found contacts: index and row in the list before; −1: new
};

// A model, compiled: sizes, names, layouts, constants. It never holds the state. Positions and velocities are
// ordered: formula coordinates, then bodies in the order of the file.
class System {
 public:
  // Throws ModelError where the model is inconsistent (initial joints, velocities, gaps).
  explicit System(Model model);

  int q_size() const { return q_size_; }
  int u_size() const { return u_size_; }
  int joint_rows() const { return joint_rows_; }  // of all joints, position and velocity level
  int rows() const { return rows_; }              // joints and all contacts
  std::vector<std::string> q_names() const;       // built on demand: a large model has a million of them
  std::vector<std::string> u_names() const;
  const std::vector<Constraint>& joints() const { return joints_; }
  const std::vector<Contact>& contacts() const { return contacts_; }
  int named_contacts() const { return named_contacts_; }  // those of the file; found ones follow
  std::string contact_name(int k) const;                  // of a found one "ball.3-ball.17"
  const State& initial() const { return initial_; }
  const Model& model() const { return model_; }
  const std::vector<std::string>& warnings() const { return warnings_; }

  // Contacts between colliders, sought for a step of dt from a state: the only thing about a system that changes. To be
  // called before each step (simulate() does); steppers then see another list (contact_memory.h). Contacts within reach
  // of the fastest body are found, so that none is missed while they move.
  bool has_colliders() const { return world_ != nullptr; }
  void find_contacts(const State& state, double dt);
  void find_contacts_again(const State& state);  // in place of those just found: others sleep now
  int found_contacts() const { return static_cast<int>(touches_.size()); }
  long searches() const { return searches_; }  // how often contacts were sought
  // The found contact with the smallest gap at the state they were sought from; −1: there is none.
  struct Nearest {
    double gap = 0.0;
    int contact = -1;
  };
  Nearest nearest() const { return nearest_; }
  const TouchPoint& touch(int contact) const { return touches_[contact - named_contacts_]; }  // of a found contact
  const CollisionWorld* collision_world() const { return world_.get(); }
  // Whether each body sleeps (sleepers.h): no force acts on it. Empty: none ever does.
  const std::vector<char>& asleep() const { return asleep_; }

  bool mass_is_constant() const { return mass_is_constant_; }
  bool forces_depend_on_state() const { return forces_depend_on_state_; }    // ∂h/∂q or ∂h/∂u is not zero
  bool forces_are_linear() const { return forces_are_linear_; }              // ∂h/∂q and ∂h/∂u are constant
  bool directions_are_constant() const { return directions_are_constant_; }  // W of every joint and contact
  BlockMatrix mass_matrix() const;                                           // pattern of M
  BlockMatrix iteration_matrix() const;                                      // pattern of M, ∂h/∂q, ∂h/∂u
  BlockMatrix constrained_matrix() const;                                    // and of ∂(W P)/∂q
  BlockMatrix bordered_matrix() const;  // the same and behind it a row and a column for each row of the joints

  // Laws and restitution coefficients of the rows [joints | contacts of the set], as Evaluator::directions orders them.
  void laws(const ContactSet& set, Laws& laws) const;
  void restitution(const ContactSet& set, Vec& e) const;
  int rows(const ContactSet& set) const;

  // Where a body, or a node of a flexible one, is; the ground stands at the origin.
  Pose<double> pose(const Attachment& attachment, const Vec& q) const {
    return pose_of(frames_[frame_of(attachment)], q.data());
  }
  // Where the variables of formulas stand in q and in u.
  const std::vector<int>& formula_q() const { return formula_q_; }
  const std::vector<int>& formula_u() const { return formula_u_; }

  // q1 = q ⊕ w: the positions after a displacement w along the velocities (w = dt u). Unit quaternions stay so. In
  // place is fine.
  void displace(const Vec& q, const Vec& w, Vec& q1) const;
  void rate(const Vec& q, const Vec& u, Vec& q_dot) const;  // q̇ = B(q) u
  // First velocities of the rotations in space: there q ⊕ w turns by exp(w), elsewhere q ⊕ w = q + w.
  const std::vector<int>& rotations() const { return rotations_; }

 private:
  friend class Evaluator;
  friend class Sleepers;
  static constexpr int bodies_at_a_time = 512;  // on one thread
  struct Body {
    int q = 0, u = 0, nq = 0, nu = 0;
    int frame = 0, frames = 1;  // its first frame; one a node
  };
  struct Force : PairLayout {
    int index = 0;  // into Model::forces
  };
  struct Weight {
    int force, body;  // gravity `force` acts on `body`
  };

  void lay_out_coordinates();
  template <class Element>
  void lay_out(int body, const Element& element);
  void compile_formulas();
  void compile_joints();
  template <class Entries>
  void compile_joints(Entries& entries, Constraint::Source source);
  template <class Element>
  void keep_moving_rows(const Element& element, const Pair& start, Constraint& joint) const;
  void add_joint(Constraint joint);
  void compile_contacts();
  void compile_forces();
  void compile_colliders();
  void check_initial_overlap();
  void reach(const State& state, double dt);  // margins_ of the colliders
  void list_found();
  const ContactLaw& law_between(int collider_A, int collider_B) const;
  void take_start();  // the state of an earlier run, and the projection of the start, where the model asks for them
  void check_initial_state();
  void warn_of_redundant_joints();

  ModelError located(const MechanicsError& error) const;
  int frame_of(const Attachment& attachment) const;
  bool is_planar(const std::array<Attachment, 2>& bodies) const;
  void attach(const std::array<Attachment, 2>& bodies, PairLayout& layout) const;
  Pair initial_pair(const PairLayout& layout) const;
  Pose<double> pose_of(const Frame& frame, const double* q) const;
  void jacobian_of(const Frame& frame, const double* q, double* jacobians) const;
  // Column c of a row over the twelve twist components.
  double pulled(const PairLayout& layout, int c, const double* twelve, const double* jacobians) const {
    if (layout.component[c] >= 0) return twelve[layout.component[c]];
    const int side = c >= layout.columns_A, k = side ? c - layout.columns_A : c;
    const Frame& frame = frames_[layout.frames[side]];
    const int columns = static_cast<int>(frame.columns.size());
    double sum = 0.0;
    for (int i = 0; i < 6; ++i) sum += twelve[6 * side + i] * jacobians[frame.jacobian + i * columns + k];
    return sum;
  }
  Coupling mass_coupling() const;
  Coupling force_coupling() const;
  Coupling constrained_coupling() const;

  Model model_;
  std::unique_ptr<FormulaMechanics> formulas_;
  std::vector<int> formula_q_, formula_u_;  // where the formulas' variables stand in q and u
  bool formulas_in_place_ = true;           // they are the first ones, in order
  int jacobian_size_ = 0;
  std::vector<Body> bodies_;
  std::vector<int> rotations_;
  std::vector<Frame> frames_;  // frames_[0] is the ground
  std::vector<Constraint> joints_;
  std::vector<Contact> contacts_;
  int named_contacts_ = 0, named_rows_ = 0;  // rows: joints and named contacts
  std::unique_ptr<CollisionWorld> world_;
  std::vector<int> entry_of_collider_;  // into Model::colliders
  std::vector<double> extent_;          // how far a collider reaches from the origin of its body [m]
  std::vector<ContactLaw> pair_laws_;   // by two entries of Model::colliders
  std::vector<TouchPoint> touches_;     // ascending
  struct Before {
    std::uint64_t id;
    int row;
  };
  std::vector<Before> found_before_;
  long searches_ = 0;
  Nearest nearest_;
  std::vector<double> margins_;
  double largest_gravity_ = 0.0;  // [m/s²]
  std::vector<char> asleep_;
  std::vector<Force> forces_;
  std::vector<Weight> weights_;
  State initial_;
  std::vector<std::string> warnings_;
  int q_size_ = 0, u_size_ = 0, joint_rows_ = 0, rows_ = 0;
  bool mass_is_constant_ = true, forces_depend_on_state_ = false, forces_are_linear_ = true,
       directions_are_constant_ = true;
};

}  // namespace tappet
