// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "bind.h"

namespace tappet::python {

namespace {

struct Solution {
  SolveReport report;
  Vec P, xi;
};

// How many rows each contact has: those that were asked for, or those that follow from the number of coefficients.
int rows_of_contacts(int rows, int coefficients, int asked) {
  if (asked > 0) {
    if (asked > 4) throw py::value_error("rows_per_contact is " + std::to_string(asked) + "; expected 1 to 4");
    if (rows % asked != 0)
      throw py::value_error(std::to_string(rows) +
                            " rows of contacts; expected a multiple of rows_per_contact = " + std::to_string(asked));
    return asked;
  }
  if (coefficients == 0 && rows == 0) return 1;
  if (coefficients == 0 || rows % coefficients != 0 || rows / coefficients < 1 || rows / coefficients > 4)
    throw py::value_error("mu has " + std::to_string(coefficients) + " numbers for " + std::to_string(rows) +
                          " rows of contacts; expected one number per contact, each contact with 1 to 4 rows, or "
                          "rows_per_contact");
  return rows / coefficients;
}

void set_matrix(const py::handle& from, Delassus& G) {
  const Array matrix = Array::ensure(from);
  if (!matrix) {
    PyErr_Clear();
    throw py::type_error("W: expected a matrix of numbers");
  }
  if (matrix.ndim() != 2 || matrix.shape(0) != matrix.shape(1))
    throw py::value_error("W: expected a square matrix, one row for each row of the problem");
  const int n = static_cast<int>(matrix.shape(0));
  Mat& dense = G.dense(n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const double value = matrix.data()[static_cast<py::ssize_t>(i) * n + j];
      if (!std::isfinite(value))
        throw py::value_error("W[" + std::to_string(i) + ", " + std::to_string(j) + "] is " + std::to_string(value) +
                              "; expected a finite number");
      dense(i, j) = value;
    }
}

ContactProblem problem_of(const py::handle& W, const py::handle& q, const py::handle& mu, int joint_rows,
                          int per_contact) {
  ContactProblem problem;
  set_matrix(W, problem.G);
  const int n = problem.G.size();
  copy_vector(q, n, "q", problem.c);
  if (joint_rows < 0 || joint_rows > n)
    throw py::value_error("joint_rows is " + std::to_string(joint_rows) + "; expected 0 to " + std::to_string(n));
  const bool one = py::isinstance<py::float_>(mu) || py::isinstance<py::int_>(mu) ||
                   (py::isinstance<py::array>(mu) && py::reinterpret_borrow<py::array>(mu).ndim() == 0);
  Vec coefficients = one ? Vec{finite(mu.cast<double>(), "mu")} : vector_of(mu, -1, "mu");
  const int rows = rows_of_contacts(n - joint_rows, coefficients.size(), per_contact),
            contacts = (n - joint_rows) / rows;
  if (one && contacts != 1) coefficients = Vec(contacts, coefficients[0]);
  if (coefficients.size() != contacts)
    throw py::value_error("mu has " + std::to_string(coefficients.size()) + " numbers; expected " +
                          std::to_string(contacts));
  for (int r = 0; r < joint_rows; ++r) problem.laws.push_back({Law::Kind::bilateral, r, 1, 0.0});
  for (int k = 0; k < contacts; ++k) {
    if (coefficients[k] < 0.0)
      throw py::value_error("mu[" + std::to_string(k) + "] is " + std::to_string(coefficients[k]) +
                            "; expected at least 0");
    problem.laws.push_back({Law::Kind::contact, joint_rows + k * rows, rows, coefficients[k]});
  }
  return problem;
}

Solution solved(const ContactProblem& problem, const std::string& solver, const py::dict& options,
                const py::object& P_0) {
  SolverOptions settings;
  for (const auto& [key, value] : options) {
    const std::string name = py::str(key).cast<std::string>();
    if (name == "tolerance")
      settings.tolerance = finite(value.cast<double>(), "tolerance");
    else if (name == "max_iterations")
      settings.max_iterations = value.cast<int>();
    else if (name == "budget")
      settings.budget_s = finite(value.cast<double>(), "budget");
    else if (name == "facets")
      settings.facets = value.cast<int>();
    else if (name == "seed")
      settings.seed = value.cast<int>();
    else
      throw py::type_error("no option '" + name + "'; expected tolerance, max_iterations, budget, facets or seed");
  }
  const auto made = make_solver(solver, settings);
  if (const std::string wrong = fault(problem); !wrong.empty()) throw py::value_error(wrong);
  Solution solution;
  solution.P = P_0.is_none() ? Vec(problem.size()) : vector_of(P_0, problem.size(), "P0");
  {
    const py::gil_scoped_release release;
    solution.report = made->solve(problem, solution.P);
    solution.xi = problem.c;
    Vec caused(problem.size());
    problem.G.multiply(solution.P, caused);
    for (int i = 0; i < caused.size(); ++i) solution.xi[i] += caused[i];
  }
  return solution;
}

py::array_t<double> matrix_of(const ContactProblem& problem) {
  const int n = problem.size();
  py::array_t<double> array({n, n});
  auto entry = array.mutable_unchecked<2>();
  Vec unit(n), column(n);
  for (int j = 0; j < n; ++j) {
    unit.set_zero(), unit[j] = 1.0;
    problem.G.multiply(unit, column);
    for (int i = 0; i < n; ++i) entry(i, j) = column[i];
  }
  return array;
}

py::array_t<double> friction_of(const ContactProblem& problem) {
  std::vector<double> mu;
  for (const Law& law : problem.laws)
    if (law.kind == Law::Kind::contact) mu.push_back(law.mu);
  return py::array_t<double>(static_cast<py::ssize_t>(mu.size()), mu.data());
}

void bind_solution(py::module_& module) {
  py::class_<Solution>(module, "Solution", "The impulses P that solve a contact problem, and xi = W P + q.")
      .def_property_readonly("P", [](const Solution& s) { return array_of(s.P); })
      .def_property_readonly("xi", [](const Solution& s) { return array_of(s.xi); })
      .def_property_readonly("status", [](const Solution& s) { return std::string(name(s.report.status)); })
      .def_property_readonly("converged", [](const Solution& s) { return s.report.status == SolveStatus::converged; })
      .def_property_readonly("residual", [](const Solution& s) { return s.report.residual; })
      .def_property_readonly("iterations", [](const Solution& s) { return s.report.iterations; })
      .def("__repr__", [](const Solution& s) {
        return "<Solution " + std::string(name(s.report.status)) + ", residual " + std::to_string(s.report.residual) +
               ", " + std::to_string(s.report.iterations) + " iterations>";
      });
}

}  // namespace

void bind_problem(py::module_& module) {
  using py::arg;
  bind_solution(module);
  py::class_<ContactProblem>(module, "ContactProblem",
                             "Find P with xi = W P + q, joints xi = 0, contacts with Coulomb's law.")
      .def(py::init(&problem_of), arg("W"), arg("q"), arg("mu"), py::kw_only(), arg("joint_rows") = 0,
           arg("rows_per_contact") = 0)
      .def_property_readonly("W", &matrix_of, "The Delassus matrix, as an array of its own.")
      .def_property_readonly("q", [](const ContactProblem& p) { return array_of(p.c); })
      .def_property_readonly("mu", &friction_of)
      .def_property_readonly("size", &ContactProblem::size)
      .def_property_readonly("contacts", [](const ContactProblem& p) { return contacts(p); })
      .def(
          "residual",
          [](const ContactProblem& p, const py::handle& P) { return residual(p, vector_of(P, p.size(), "P")); },
          arg("P"), "How far P is from a solution; it does not depend on units.")
      .def(
          "solve",
          [](const ContactProblem& p, const std::string& solver, const py::object& P_0, const py::kwargs& options) {
            return solved(p, solver, options, P_0);
          },
          arg("solver") = "auto", py::kw_only(), arg("P0") = py::none())
      .def(
          "write_fclib",
          [](const ContactProblem& p, const std::filesystem::path& file, const std::string& title,
             const std::string& description) { write_fclib(file.string(), p, title, description); },
          arg("file"), arg("title") = "", arg("description") = "");
  module.def(
      "read_fclib", [](const std::filesystem::path& file) { return read_fclib(file.string()); }, arg("file"),
      "A contact problem from a file in the FCLIB layout (HDF5).");
}

}  // namespace tappet::python
