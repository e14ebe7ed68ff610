// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/matrix.h>
#include <tappet/model.h>
#include <tappet/recorder.h>
#include <tappet/stepper.h>

#include <memory>
#include <string>
#include <vector>

namespace tappet {
namespace api {

// A model, compiled: sizes, names and constants. A System never changes, is cheap to copy, and any number of runs on
// any number of threads may share one.
class System {
 public:
  explicit System(const Model& model);  // throws ModelError if the model contradicts itself

  const Model& model() const;
  int q_size() const;
  int u_size() const;
  std::vector<std::string> q_names() const;
  std::vector<std::string> u_names() const;
  const State& initial() const;
  const std::vector<std::string>& warnings() const;

  int joint_rows() const;  // of all joints together; they come first wherever rows are counted
  bool has_colliders() const;
  bool mass_is_constant() const;
  bool forces_depend_on_state() const;   // ∂h/∂q or ∂h/∂u is not zero
  bool directions_are_constant() const;  // W of every joint and contact

  // Zero matrices with the pattern of M; with that of M, ∂h/∂q and ∂h/∂u together; and with that of ∂(W P)/∂q in
  // addition.
  BlockMatrix mass_matrix(const Execution& execution = Execution::serial) const;
  BlockMatrix iteration_matrix(const Execution& execution = Execution::serial) const;
  BlockMatrix constrained_matrix(const Execution& execution = Execution::serial) const;

  // q1 = q ⊕ w: the positions after a displacement w along the velocities (w = dt u). Elsewhere than for rotations in
  // space this is q + w. q1 may be q.
  void displace(const Vec& q, const Vec& w, Vec& q1) const;
  void rate(const Vec& q, const Vec& u, Vec& q_dot) const;  // the derivative of q by time

  Layout layout() const;  // what the numbers of a Sample are called

  struct Inside;  // of the library
  explicit System(std::shared_ptr<const Inside> inside) : inside_(std::move(inside)) {}
  const Inside& inside() const { return *inside_; }

 private:
  std::shared_ptr<const Inside> inside_;
};

// One contact of a ContactList.
struct ContactInfo {
  int row = 0, rows = 0;  // in the order of all rows; a contact has the rows N, F1, F2, …
  double e_N = 0.0, e_F = 0.0, mu = 0.0;
  bool found = false;  // between colliders; otherwise the file names it
};

// The present contacts: those of the file, then those that were found between colliders. This is what changes during a
// run besides the state. Each run has its own list. Rows are counted through all joints, then all contacts.
class ContactList {
 public:
  // There are no found contacts before the first find(). The execution must outlive the list.
  explicit ContactList(const System& system, const Execution& execution = Execution::serial);
  ~ContactList();
  ContactList(const ContactList&) = delete;
  ContactList& operator=(const ContactList&) = delete;

  const System& system() const;
  const Execution& execution() const;
  int size() const;
  int named() const;  // the number of those of the file, which come first
  ContactInfo operator[](int k) const;
  std::string name(int k) const;  // that of a found one is "ball.3-ball.17"

  int rows() const;                       // of all joints and contacts
  int rows(const ContactSet& set) const;  // of [joints | contacts of the set], and what belongs to these rows:
  void laws(const ContactSet& set, Laws& laws) const;
  void restitution(const ContactSet& set, Vec& e) const;  // zero for joints
  // From all rows to those of [joints | set], and back with zeros elsewhere.
  void gather(const ContactSet& set, const Vec& all, Vec& rows) const;
  void scatter(const ContactSet& set, const Vec& rows, Vec& all) const;

  // Finds the contacts between colliders for a step of dt from a state. A program that writes its own loop calls it
  // before each step if the system has colliders; simulate() does so itself.
  void find(State& state, double dt);
  // Generalised forces of the program, one per velocity (a controller, a load). They are added to h of the model from
  // the next step on, until they are set again. An empty vector means that there are none. Throws UsageError if the
  // size is wrong or a number is not finite.
  void apply(const Vec& forces);
  long searches() const;  // how often find() was called
  // Where a contact stood before the last find(); −1: it was not there. Contacts of the file keep their places.
  int before(int k) const;

  struct Inside;  // of the library
  explicit ContactList(std::unique_ptr<Inside> inside);
  Inside& inside() const { return *inside_; }

 private:
  std::unique_ptr<Inside> inside_;
};

// Computes everything that a scheme needs of a system with its present contacts, at given t, q and u. It holds scratch
// memory only: each thread has its own evaluator, and no result depends on earlier calls. Derivatives "by q" are taken
// along the velocities, that is along q ⊕ w, so they have u_size() columns.
class Evaluator {
 public:
  explicit Evaluator(const ContactList& contacts);  // which must outlive the evaluator
  ~Evaluator();
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  void displace(const Vec& q, const Vec& w, Vec& q1) const;  // as System::displace, on the threads of the contact list

  void mass(double t, const Vec& q, BlockMatrix& M);
  void forces(double t, const Vec& q, const Vec& u, Vec& h);
  void mass_and_forces(double t, const Vec& q, const Vec& u, BlockMatrix& M, Vec& h);  // M u̇ = h without contacts
  // A += by_q ∂h/∂q + by_u ∂h/∂u
  void add_force_derivatives(double t, const Vec& q, const Vec& u, double by_q, double by_u, BlockMatrix& A);
  // A += factor ∂(M(q) a)/∂q
  void add_mass_derivative(double t, const Vec& q, const Vec& a, double factor, BlockMatrix& A);
  Energy energy(double t, const Vec& q, const Vec& u);

  void gaps(double t, const Vec& q, Vec& g_N);           // of every contact
  void joint_residuals(double t, const Vec& q, Vec& g);  // of all joint rows; those on velocity level are zero

  // Rows [joints | contacts of the set]: γ = Wᵀu + χ and γ̇ = Wᵀu̇ + ζ.
  void directions(double t, const Vec& q, const ContactSet& set, BlockRows& W, Vec& chi);
  void accelerations(double t, const Vec& q, const Vec& u, const ContactSet& set, Vec& zeta);
  // A += factor ∂(W P)/∂q
  void add_impulse_derivative(double t, const Vec& q, const ContactSet& set, const Vec& P, double factor,
                              BlockMatrix& A);
  // ∂γ/∂q at constant u, with the layout of W
  void velocity_derivatives(double t, const Vec& q, const Vec& u, const ContactSet& set, BlockRows& dq);
  // ∂(Wᵀa + ζ)/∂q and ∂(Wᵀa + ζ)/∂u, with the layout of W
  void acceleration_derivatives(double t, const Vec& q, const Vec& u, const Vec& a, const ContactSet& set,
                                BlockRows& dq, BlockRows& du);

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

// What is known about a scheme of the library, as `tappet schemes` shows it.
struct OptionInfo {
  std::string name, value, meaning;  // value: the default
  std::string expected;              // "0 to 2", "explicit or free"
};
struct SchemeInfo {
  std::string name, paper, level, order, summary;
  bool follows_found_contacts = false;  // it goes with colliders
  std::vector<OptionInfo> options;
};
std::vector<SchemeInfo> schemes();
std::vector<OptionInfo> solver_options();  // that every scheme takes: solver, tolerance, …

// A scheme of the library by name. Options are those of the scheme and of its contact solver; a wrong name, key or
// value throws UsageError. `solver` makes a contact solver of the program, in place of the one that the option `solver`
// names. The contacts must outlive the stepper.
std::unique_ptr<Stepper> make_stepper(const std::string& scheme, const ContactList& contacts,
                                      const std::vector<Option>& options = {}, const MakeSolver& solver = {});

}  // namespace api
}  // namespace tappet
