// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "levels.h"

namespace tappet::python {

namespace {

// Evaluator with its arrays. It holds scratch memory and computes while it holds the interpreter lock.
class PyEvaluator {
 public:
  explicit PyEvaluator(std::shared_ptr<Contacts> contacts)
      : contacts_(std::move(contacts)),
        evaluate_(contacts_->use()),
        q_size_(system().q_size()),
        u_size_(system().u_size()) {}

  const System& system() const { return contacts_->system; }

  py::array_t<double> mass(double t, const py::handle& q) {
    read(t, q);
    BlockMatrix M = system().mass_matrix();
    evaluate_.mass(t, q_, M);
    return array_of(M);
  }
  py::array_t<double> forces(double t, const py::handle& q, const py::handle& u) {
    read(t, q, u);
    evaluate_.forces(t, q_, u_, x_);
    return array_of(x_);
  }
  py::tuple force_derivatives(double t, const py::handle& q, const py::handle& u) {
    read(t, q, u);
    BlockMatrix K = system().iteration_matrix(), C = system().iteration_matrix();
    evaluate_.add_force_derivatives(t, q_, u_, 1.0, 0.0, K);
    evaluate_.add_force_derivatives(t, q_, u_, 0.0, 1.0, C);
    return py::make_tuple(array_of(K), array_of(C));
  }
  py::array_t<double> mass_derivative(double t, const py::handle& q, const py::handle& a) {
    read(t, q);
    BlockMatrix A = system().iteration_matrix();
    evaluate_.add_mass_derivative(t, q_, vector_of(a, u_size_, "a"), 1.0, A);
    return array_of(A);
  }
  py::array_t<double> impulse_derivative(double t, const py::handle& q, const py::handle& P,
                                         const py::object& contacts) {
    read(t, q);
    const ContactSet set = set_of(contacts);
    BlockMatrix A = system().constrained_matrix();
    evaluate_.add_impulse_derivative(t, q_, set, vector_of(P, list().rows(set), "P"), 1.0, A);
    return array_of(A);
  }
  py::tuple energy(double t, const py::handle& q, const py::handle& u) {
    read(t, q, u);
    const Energy energy = evaluate_.energy(t, q_, u_);
    return py::make_tuple(energy.kinetic, energy.potential);
  }
  py::array_t<double> gaps(double t, const py::handle& q) {
    read(t, q);
    evaluate_.gaps(t, q_, x_);
    return array_of(x_);
  }
  py::array_t<double> joint_residuals(double t, const py::handle& q) {
    read(t, q);
    evaluate_.joint_residuals(t, q_, x_);
    return array_of(x_);
  }
  py::tuple directions(double t, const py::handle& q, const py::object& contacts) {
    read(t, q);
    evaluate_.directions(t, q_, set_of(contacts), W_, x_);
    return py::make_tuple(columns_of(W_, u_size_), array_of(x_));
  }
  py::array_t<double> accelerations(double t, const py::handle& q, const py::handle& u, const py::object& contacts) {
    read(t, q, u);
    evaluate_.accelerations(t, q_, u_, set_of(contacts), x_);
    return array_of(x_);
  }
  py::array_t<double> displace(const py::handle& q, const py::handle& w) {
    read(0.0, q);
    Vec q_1(q_size_);
    evaluate_.displace(q_, vector_of(w, u_size_, "w"), q_1);
    return array_of(q_1);
  }
  ContactProblem problem(const py::object& contacts, const py::handle& G, const py::handle& c) {
    const ContactSet set = set_of(contacts);
    const int rows = list().rows(set);
    ContactProblem problem;
    const Array matrix = Array::ensure(G);
    if (!matrix || matrix.ndim() != 2 || matrix.shape(0) != rows || matrix.shape(1) != rows) {
      PyErr_Clear();
      throw py::value_error("G: expected a matrix of shape (" + std::to_string(rows) + ", " + std::to_string(rows) +
                            "), one row for each row of joints and of these contacts");
    }
    Mat& dense = problem.G.dense(rows);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < rows; ++j) dense(i, j) = finite(matrix.data()[i * rows + j], "an entry of G");
    copy_vector(c, rows, "c", problem.c);
    list().laws(set, problem.laws);
    return problem;
  }
  py::array_t<double> restitution(const py::object& contacts) {
    list().restitution(set_of(contacts), x_);
    return array_of(x_);
  }
  py::array_t<double> scatter(const py::object& contacts, const py::handle& P) {
    const ContactSet set = set_of(contacts);
    list().scatter(set, vector_of(P, list().rows(set), "P"), x_);
    return array_of(x_);
  }
  int rows(const py::object& contacts) const { return list().rows(set_of(contacts)); }
  int contacts() const { return list().size(); }
  py::list names() const {
    py::list names;
    for (int k = 0; k < list().size(); ++k) names.append(list().name(k));
    return names;
  }
  py::dict contact(int k) const {
    if (k < 0 || k >= list().size())
      throw py::index_error("contact " + std::to_string(k) + "; expected 0 to " + std::to_string(list().size() - 1));
    const ContactInfo info = list()[k];
    return py::dict(py::arg("name") = list().name(k), py::arg("row") = info.row, py::arg("rows") = info.rows,
                    py::arg("e_N") = info.e_N, py::arg("e_F") = info.e_F, py::arg("mu") = info.mu,
                    py::arg("found") = info.found);
  }
  void find(const PyState& state, double dt) {
    if (!contacts_->own) throw py::value_error("find: the run looks for contacts itself");
    list();
    State now;
    state.give(q_size_, u_size_, now);
    contacts_->own->find(now, finite(dt, "dt"));
  }

 private:
  const ContactList& list() const { return contacts_->use(); }
  void read(double t, const py::handle& q) {
    list();
    finite(t, "t");
    copy_vector(q, q_size_, "q", q_);
  }
  void read(double t, const py::handle& q, const py::handle& u) {
    read(t, q);
    copy_vector(u, u_size_, "u", u_);
  }
  // None means all contacts; otherwise a list of indices, in any order.
  ContactSet set_of(const py::object& contacts) const {
    ContactSet set;
    if (contacts.is_none()) {
      for (int k = 0; k < list().size(); ++k) set.push_back(k);
      return set;
    }
    for (const py::handle item : contacts) {
      const int k = item.cast<int>();
      if (k < 0 || k >= list().size())
        throw py::index_error("contact " + std::to_string(k) + "; expected 0 to " + std::to_string(list().size() - 1));
      if (!set.empty() && k <= set.back())
        throw py::value_error("contacts: expected indices in ascending order, each of them once");
      set.push_back(k);
    }
    return set;
  }

  std::shared_ptr<Contacts> contacts_;
  Evaluator evaluate_;
  int q_size_, u_size_;
  BlockRows W_;
  Vec q_, u_, x_;
};

}  // namespace

const ContactList& Contacts::use() const {
  if (!list)
    throw std::runtime_error("the run is over, and its contacts are gone; expected this to be used during the run");
  if (stepping) throw std::runtime_error("a stepper of these contacts is in use by another thread");
  return *list;
}

py::object evaluator_of(const std::shared_ptr<Contacts>& contacts) {
  return py::cast(std::make_unique<PyEvaluator>(contacts));
}

void bind_evaluator(py::module_& module) {
  using py::arg;
  const auto all = py::none();
  py::class_<PyEvaluator>(module, "Evaluator",
                          "Masses, forces, gaps and directions of a system as arrays. Each thread has its own.")
      .def(py::init(
               [](const System& system) { return std::make_unique<PyEvaluator>(std::make_shared<Contacts>(system)); }),
           arg("system"))
      .def_property_readonly("system", [](const PyEvaluator& evaluator) { return System(evaluator.system()); })
      .def("mass", &PyEvaluator::mass, arg("t"), arg("q"), "M(t, q)")
      .def("forces", &PyEvaluator::forces, arg("t"), arg("q"), arg("u"), "h(t, q, u): without contacts M u' = h")
      .def("force_derivatives", &PyEvaluator::force_derivatives, arg("t"), arg("q"), arg("u"),
           "dh/dq and dh/du, along the velocities")
      .def("mass_derivative", &PyEvaluator::mass_derivative, arg("t"), arg("q"), arg("a"), "d(M a)/dq")
      .def("impulse_derivative", &PyEvaluator::impulse_derivative, arg("t"), arg("q"), arg("P"), arg("contacts") = all,
           "d(W P)/dq")
      .def("energy", &PyEvaluator::energy, arg("t"), arg("q"), arg("u"), "kinetic and potential energy")
      .def("gaps", &PyEvaluator::gaps, arg("t"), arg("q"), "the gap of every contact")
      .def("joint_residuals", &PyEvaluator::joint_residuals, arg("t"), arg("q"))
      .def(
          "directions", &PyEvaluator::directions, arg("t"), arg("q"), arg("contacts") = all,
          "W and chi: relative velocities are W.T @ u + chi, generalised forces W @ P. Columns: joints, then contacts.")
      .def("accelerations", &PyEvaluator::accelerations, arg("t"), arg("q"), arg("u"), arg("contacts") = all,
           "zeta: relative accelerations are W.T @ a + zeta")
      .def("displace", &PyEvaluator::displace, arg("q"), arg("w"))
      .def("problem", &PyEvaluator::problem, arg("contacts"), arg("G"), arg("c"),
           "The contact problem xi = G P + c with the laws of the joints and of these contacts.")
      .def("restitution", &PyEvaluator::restitution, arg("contacts") = all, "one number per row; zero for joints")
      .def("scatter", &PyEvaluator::scatter, arg("contacts"), arg("P"),
           "From the rows of joints and these contacts to all rows.")
      .def("rows", &PyEvaluator::rows, arg("contacts") = all, "the number of rows of joints and these contacts")
      .def_property_readonly("contacts", &PyEvaluator::contacts, "the number of contacts")
      .def_property_readonly("contact_names", &PyEvaluator::names)
      .def("contact", &PyEvaluator::contact, arg("k"), "row, rows, mu, e_N, e_F of a contact")
      .def("find", &PyEvaluator::find, arg("state"), arg("dt"), "Finds the contacts between colliders for a step.");
}

}  // namespace tappet::python
