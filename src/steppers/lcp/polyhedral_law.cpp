// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/lcp/polyhedral_law.h"

#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/dense.h"

namespace tappet {

namespace {

constexpr double accepted = 1e-9;  // for the residual of Lemke's method, which is scaled to |q| ≤ 1
constexpr int dense_joints = 64;
constexpr int lemke_rows = 4000;  // with more rows its dense tableau does not fit

bool slides(const Law& law) { return law.rows > 1 && law.mu > 0.0; }

void densify(const Delassus& G, Mat& A) {
  const int n = G.size();
  A.resize(n, n);
  if (G.form() == Delassus::Form::dense) {
    std::copy_n(G.dense().data(), static_cast<size_t>(n) * n, A.data());
    return;
  }
  A.set_zero();
  const SparseColumns& S = G.sparse();
  for (int j = 0; j < n; ++j)
    for (int k = S.start[j]; k < S.start[j + 1]; ++k) A(S.row[k], j) = S.value[k];
}

}  // namespace

struct PolyhedralLaw::SparseJoints {
  Eigen::SparseLU<Eigen::SparseMatrix<double>> lu;

  bool factor(const SparseColumns& G, int rows) {
    Eigen::SparseMatrix<double> A(rows, rows);
    std::vector<Eigen::Triplet<double>> entries;
    for (int j = 0; j < rows; ++j)
      for (int k = G.start[j]; k < G.start[j + 1]; ++k)
        if (G.row[k] < rows) entries.emplace_back(G.row[k], j, G.value[k]);
    A.setFromTriplets(entries.begin(), entries.end());
    lu.compute(A);
    return lu.info() == Eigen::Success;
  }
};

PolyhedralLaw::PolyhedralLaw(const ContactList& contacts, std::unique_ptr<ContactSolver> fallback, int directions)
    : contacts_(contacts), system_(contacts.system()), fallback_(std::move(fallback)), facets_(directions) {
  const int rows = contacts.rows();
  chi.reserve(rows), P_.reserve(rows);
  problem_.c.reserve(rows);
  problem_.laws.reserve(system_.joints().size() + contacts.size());
  cones_.reserve(contacts.size());
}

PolyhedralLaw::~PolyhedralLaw() = default;

void PolyhedralLaw::rates(const Vec& u, Vec& gamma) const {
  gamma.resize(W.rows());
  W.multiply(u, gamma);
  for (int r = 0; r < gamma.size(); ++r) gamma[r] += chi[r];
}

void PolyhedralLaw::add_velocity(const BlockMatrix& M, const Vec& P, Vec& u) {
  if (P.empty()) return;
  work_.assign(u.size(), 0.0);
  W.multiply_transposed(P, work_);
  M.solve(work_);
  for (int i = 0; i < u.size(); ++i) u[i] += work_[i];
}

SolveReport PolyhedralLaw::solve(const ContactSet& set, const BlockMatrix& M, const Vec& c, const HeldSlip* held) {
  return solve(set, M, c, held, nullptr);
}

SolveReport PolyhedralLaw::solve(const ContactSet& set, const BlockMatrix& M, const Vec& c, const Vec& given) {
  return solve(set, M, c, nullptr, &given);
}

SolveReport PolyhedralLaw::solve(const ContactSet& set, const BlockMatrix& M, const Vec& c, const HeldSlip* held,
                                 const Vec* given) {
  P_.assign(W.rows(), 0.0);
  if (P_.empty()) return {};
  contacts_.laws(set, problem_.laws);
  problem_.c = c;
  if (facets_ == 0 && !given) {
    problem_.G.assemble(M, W, fallback_->form(W.rows(), M.size()));
    return solve_round(set);
  }
  problem_.G.assemble(M, W, Delassus::form_of(W.rows()));
  joint_rows_ = system_.joint_rows();
  contact_rows_ = c.size() - joint_rows_;
  if (c.size() > lemke_rows || facets_ == 0) return fall_back(0, given);
  condense();
  lay_out(set, held);
  build(given);
  const Lemke::Report lemke = lemke_.solve(M_, q_, z_, w_);
  // A ray along which only round-off changes can still end at a solution, so the residual decides.
  if (!(lemke.residual <= accepted)) {
    if (held) return {SolveStatus::infeasible, lemke.pivots, lemke.residual};
    return fall_back(lemke.pivots, given);
  }
  recover();
  return {SolveStatus::converged, lemke.pivots, lemke.residual};
}

SolveReport PolyhedralLaw::finish(const ContactSet& set, const BlockMatrix& M, Vec& c, Vec& u) {
  if (facets_ != 0 || W.rows() == 0) {
    const SolveReport report = solve(set, M, c);
    add_velocity(M, P_, u);
    return report;
  }
  contacts_.laws(set, problem_.laws);
  std::swap(problem_.c, c);
  const DelassusInPlace in_place(problem_.G, M, W, fallback_->form(W.rows(), M.size()));
  const SolveReport report = solve_round(set);
  problem_.G.add_velocity(P_, u);
  std::swap(problem_.c, c);
  return report;
}

SolveReport PolyhedralLaw::solve_round(const ContactSet& set) {
  last_.recall(contacts_, set, P_);
  const InPhase phase(contacts_.execution(), Phase::solve);
  const SolveReport report = fallback_->solve(problem_, P_);
  last_.keep(contacts_, set, P_);
  return report;
}

// The fallback uses the round cone.
SolveReport PolyhedralLaw::fall_back(int pivots, const Vec* given) {
  P_.set_zero();
  SolveReport report;
  if (given) {
    response_given_.resize(P_.size());
    problem_.G.multiply(*given, response_given_);
    for (int r = 0; r < response_given_.size(); ++r) problem_.c[r] -= response_given_[r];
    report = poisson_.decompress(*fallback_, problem_, *given, P_);
    for (int r = 0; r < P_.size(); ++r) P_[r] -= (*given)[r];
  } else {
    report = fallback_->solve(problem_, P_);
  }
  report.iterations += pivots;
  ++report.solver;
  return report;
}

// LU of the joints in joint_block_. A column of which almost nothing is left depends on those before it.
bool PolyhedralLaw::factor_joints() {
  constexpr double dependent = 1e-9;
  const int b = joint_rows_;
  joint_block_.resize(b, b), joint_pivots_.resize(b);
  for (int j = 0; j < b; ++j) std::copy_n(G_all_.column(j), b, joint_block_.column(j));
  if (!dense::lu(joint_block_.data(), b, joint_pivots_.data())) return false;
  for (int j = 0; j < b; ++j) {
    double largest = 0.0;
    for (int i = 0; i < b; ++i) largest = std::max(largest, std::abs(G_all_(i, j)));
    if (!(std::abs(joint_block_(j, j)) > dependent * largest)) return false;
  }
  return true;
}

// Eliminates the joints: ξ_c = G_ P_c + c_ with P_b = −G_bb⁺ (G_bc P_c + c_b).
void PolyhedralLaw::condense() {
  const int b = joint_rows_, m = contact_rows_;
  densify(problem_.G, G_all_);
  bool sparse = b > dense_joints && problem_.G.form() == Delassus::Form::sparse;
  if (sparse) {
    if (!sparse_joints_) sparse_joints_ = std::make_unique<SparseJoints>();
    sparse = sparse_joints_->factor(problem_.G.sparse(), b);
  }
  const bool independent = !sparse && b > 0 && factor_joints();
  if (!sparse && b > 0 && !independent) {
    for (int j = 0; j < b; ++j) std::copy_n(G_all_.column(j), b, joint_block_.column(j));
    joints_.factor(b, joint_block_.data());
  }
  response_.resize(b, m + 1);
  for (int j = 0; j <= m && b > 0; ++j) {
    double* x = response_.column(j);
    for (int i = 0; i < b; ++i) x[i] = -(j < m ? G_all_(i, b + j) : problem_.c[i]);
    if (sparse) {
      Eigen::Map<Eigen::VectorXd> column(x, b);
      column = sparse_joints_->lu.solve(Eigen::VectorXd(column));
    } else if (independent) {
      dense::lu_solve(joint_block_.data(), b, joint_pivots_.data(), x);
    } else {
      joints_.solve(x);
    }
  }
  G_.resize(m, m), c_.resize(m);
  for (int j = 0; j <= m; ++j)
    for (int i = 0; i < m; ++i) {
      double sum = j < m ? G_all_(b + i, b + j) : problem_.c[b + i];
      for (int k = 0; k < b; ++k) sum += G_all_(b + i, k) * response_(k, j);
      (j < m ? G_(i, j) : c_[i]) = sum;
    }
}

int PolyhedralLaw::directions(const Law& law) const {
  if (!slides(law)) return 0;
  return law.rows == 2 ? 2 : law.rows == 3 ? facets_ : 14;
}

void PolyhedralLaw::direction(const Law& law, int j, double* d) const {
  std::fill_n(d, law.rows - 1, 0.0);
  if (law.rows == 2) {
    d[0] = j == 0 ? 1.0 : -1.0;
  } else if (law.rows == 3) {
    const double angle = 2.0 * std::numbers::pi * j / facets_;
    d[0] = std::cos(angle), d[1] = std::sin(angle);
  } else if (j < 6) {
    d[j / 2] = j % 2 ? -1.0 : 1.0;
  } else {
    for (int i = 0; i < 3; ++i) d[i] = (((j - 6) >> i) & 1 ? 1.0 : -1.0) / std::sqrt(3.0);
  }
}

void PolyhedralLaw::slip_direction(const Law& law, const double* gamma_F, std::array<double, 3>& d) const {
  double best = -1.0;
  for (int j = 0; j < directions(law); ++j) {
    std::array<double, 3> e{};
    direction(law, j, e.data());
    double along = 0.0;
    for (int i = 0; i < law.rows - 1; ++i) along += e[i] * gamma_F[i];
    if (along > best) best = along, d = e;
  }
}

// The unknowns, contact by contact: P_N, β, λ. Only P_N if nothing slides or if the slip is held.
void PolyhedralLaw::lay_out(const ContactSet& set, const HeldSlip* held) {
  columns_.clear(), cones_.clear();
  size_t k = 0;
  for (const Law& law : problem_.laws) {
    if (law.kind == Law::Kind::bilateral) continue;
    const bool is_held = held && set[k] == held->contact;
    ++k;
    Column normal{.row = law.row - joint_rows_, .rows = law.rows};
    normal.push[0] = normal.sense[0] = 1.0;
    if (is_held)
      for (int i = 1; i < law.rows; ++i) normal.push[i] = -law.mu * held->d[i - 1];
    columns_.push_back(normal);
    if (is_held || !slides(law)) continue;
    cones_.emplace_back(static_cast<int>(columns_.size()) - 1, directions(law));
    for (int j = 0; j < directions(law); ++j) {
      Column slide{.row = law.row - joint_rows_, .rows = law.rows};
      direction(law, j, slide.push.data() + 1);
      slide.sense = slide.push;
      columns_.push_back(slide);
    }
    columns_.push_back({});
  }
}

void PolyhedralLaw::build(const Vec* given) {
  const int n = static_cast<int>(columns_.size()), m = contact_rows_;
  M_.resize(n, n), q_.resize(n), GX_.resize(m, n);
  for (int j = 0; j < n; ++j) {
    double* x = GX_.column(j);
    std::fill_n(x, m, 0.0);
    for (int r = 0; r < columns_[j].rows; ++r)
      if (const double push = columns_[j].push[r]; push != 0.0)
        for (int i = 0; i < m; ++i) x[i] += push * G_(i, columns_[j].row + r);
  }
  for (int i = 0; i < n; ++i) {
    const auto sensed = [&](const double* xi) {
      double sum = 0.0;
      for (int r = 0; r < columns_[i].rows; ++r) sum += columns_[i].sense[r] * xi[columns_[i].row + r];
      return sum;
    };
    q_[i] = sensed(c_.data());
    for (int j = 0; j < n; ++j) M_(i, j) = sensed(GX_.column(j));
  }
  size_t cone = 0;
  for (const Law& law : problem_.laws) {
    if (cone == cones_.size()) break;
    if (law.kind == Law::Kind::bilateral || law.row - joint_rows_ != columns_[cones_[cone].first].row) continue;
    const auto [a, count] = cones_[cone++];
    // λ and the cone are in the unit of G, so that the numbers in the pivoting are comparable.
    const int lambda = a + count + 1, row = law.row - joint_rows_;
    const double unit = std::sqrt(std::max(G_(row, row), 1e-300));
    M_(lambda, a) = law.mu * unit;
    if (given) q_[lambda] = law.mu * unit * (*given)[law.row];
    for (int i = a + 1; i < lambda; ++i) M_(i, lambda) = unit, M_(lambda, i) = -unit;
  }
}

void PolyhedralLaw::recover() {
  const int b = joint_rows_, m = contact_rows_;
  for (size_t j = 0; j < columns_.size(); ++j)
    for (int r = 0; r < columns_[j].rows; ++r) P_[b + columns_[j].row + r] += columns_[j].push[r] * z_[j];
  for (int i = 0; i < b; ++i) {
    double sum = response_(i, m);
    for (int j = 0; j < m; ++j) sum += response_(i, j) * P_[b + j];
    P_[i] = sum;
  }
}

}  // namespace tappet
