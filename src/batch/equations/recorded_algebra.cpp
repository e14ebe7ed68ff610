// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "batch/equations/recorded_algebra.h"

#include <algorithm>

#include "batch/equations/equations.h"

namespace tappet {

Node dot(Graph& graph, const std::vector<Node>& x, const std::vector<Node>& y) {
  Node sum = graph.constant(0.0);
  for (size_t i = 0; i < x.size(); ++i) sum = graph.add(sum, graph.multiply(x[i], y[i]));
  return sum;
}

RecordedFactors::RecordedFactors(Graph& graph, int n, const std::function<Node(int i, int j)>& entry)
    : graph_(graph), n_(n), L_(n * n, graph.constant(0.0)), inverse_(n) {
  std::vector<Node> D(n);
  const auto reduced = [&](int i, int j) {
    Node a = entry(i, j);
    for (int k = 0; k < j; ++k)
      a = graph.subtract(a, graph.multiply(graph.multiply(L_[i * n + k], L_[j * n + k]), D[k]));
    return a;
  };
  for (int j = 0; j < n; ++j) {
    D[j] = reduced(j, j);
    inverse_[j] = graph.divide(graph.constant(1.0), D[j]);
    for (int i = j + 1; i < n; ++i) L_[i * n + j] = graph.multiply(reduced(i, j), inverse_[j]);
  }
}

std::vector<Node> RecordedFactors::solve(std::vector<Node> x) const {
  for (int i = 0; i < n_; ++i)
    for (int k = 0; k < i; ++k) x[i] = graph_.subtract(x[i], graph_.multiply(L_[i * n_ + k], x[k]));
  for (int i = 0; i < n_; ++i) x[i] = graph_.multiply(x[i], inverse_[i]);
  for (int i = n_ - 1; i >= 0; --i)
    for (int k = i + 1; k < n_; ++k) x[i] = graph_.subtract(x[i], graph_.multiply(L_[k * n_ + i], x[k]));
  return x;
}

std::vector<RecordedRow> contact_rows(Graph& graph, const RecordedMotion& motion, int stride) {
  const RecordedRow none{std::vector<Node>(motion.velocities(), graph.constant(0.0)), graph.constant(0.0)};
  std::vector<RecordedRow> rows;
  for (const auto& contact : motion.contacts) {
    rows.push_back(contact.gap);
    rows.insert(rows.end(), contact.friction.begin(), contact.friction.end());
    rows.resize(rows.size() + stride - 1 - contact.friction.size(), none);
  }
  return rows;
}

namespace {

std::vector<std::vector<Node>> responses_of(const RecordedFactors& M, const std::vector<RecordedRow>& rows) {
  std::vector<std::vector<Node>> X;
  for (const RecordedRow& row : rows) X.push_back(M.solve(row.W));
  return X;
}

}  // namespace

RecordedJoints::RecordedJoints(Graph& graph, const RecordedFactors& M, std::vector<RecordedRow> rows)
    : graph_(graph),
      rows_(std::move(rows)),
      X_(responses_of(M, rows_)),
      G_(graph, static_cast<int>(rows_.size()), [&](int i, int j) { return dot(graph, rows_[i].W, X_[j]); }) {}

std::vector<Node> RecordedJoints::moved(const std::vector<Node>& u, bool with_chi) const {
  if (rows_.empty()) return u;
  std::vector<Node> gamma;
  for (const RecordedRow& row : rows_) {
    gamma.push_back(dot(graph_, row.W, u));
    if (with_chi) gamma.back() = graph_.add(gamma.back(), row.chi);
  }
  const std::vector<Node> P = G_.solve(gamma);
  std::vector<Node> out = u;
  for (size_t r = 0; r < rows_.size(); ++r)
    for (size_t i = 0; i < out.size(); ++i) out[i] = graph_.subtract(out[i], graph_.multiply(X_[r][i], P[r]));
  return out;
}

std::vector<Node> RecordedJoints::hold(const std::vector<Node>& u) const { return moved(u, true); }

std::vector<Node> RecordedJoints::hold_response(const std::vector<Node>& u) const { return moved(u, false); }

namespace {
constexpr int first_push = 1 << 22;  // the slot of the first momentum that contacts add
}

void respond(Graph& graph, const std::vector<RecordedRow>& contacts, const RecordedFactors& M,
             const RecordedJoints& joints, BatchEquations& out) {
  std::vector<std::vector<Node>> X;
  for (const RecordedRow& row : contacts) X.push_back(joints.hold_response(M.solve(row.W)));
  for (int i = 0; i < static_cast<int>(out.u.size()); ++i)
    if (std::any_of(contacts.begin(), contacts.end(), [&](const auto& row) { return !graph.is_zero(row.W[i]); }))
      out.contact_columns.push_back(i), out.push.push_back(graph.input(first_push + i));
  for (const RecordedRow& row : contacts) {
    out.drifts.push_back(row.chi);
    for (int i : out.contact_columns) out.contact_rows.push_back(row.W[i]);
  }
  const std::vector<Node> zero(out.u.size(), graph.constant(0.0));
  std::vector<Node> pushed = zero;
  const int columns = static_cast<int>(out.contact_columns.size());
  out.compliance.resize(columns * columns);
  for (int j = 0; j < columns; ++j) {
    std::vector<Node> unit = zero;
    unit[out.contact_columns[j]] = graph.constant(1.0);
    pushed[out.contact_columns[j]] = out.push[j];
    const std::vector<Node> moved = joints.hold_response(M.solve(unit));
    for (int i = 0; i < columns; ++i)  // symmetric
      out.compliance[i * columns + j] = i <= j ? moved[out.contact_columns[i]] : -1;
  }
  for (int i = 0; i < columns; ++i)
    for (int j = 0; j < i; ++j) out.compliance[i * columns + j] = out.compliance[j * columns + i];
  const std::vector<Node> moved = joints.hold_response(M.solve(pushed));
  for (size_t i = 0; i < out.u.size(); ++i) out.pushed.push_back(graph.add(out.u[i], moved[i]));
  out.response = out.u;
  for (size_t r = 0; r < contacts.size(); ++r) {
    out.products.push_back(dot(graph, contacts[r].W, out.u));
    out.rates.push_back(graph.add(out.products.back(), contacts[r].chi));
    out.responses.insert(out.responses.end(), X[r].begin(), X[r].end());
    for (size_t s = 0; s < contacts.size(); ++s)  // symmetric
      out.delassus.push_back(s < r ? out.delassus[s * contacts.size() + r] : dot(graph, contacts[r].W, X[s]));
    for (size_t i = 0; i < out.u.size(); ++i)
      out.response[i] = graph.add(out.response[i], graph.multiply(X[r][i], out.P[r]));
  }
}

}  // namespace tappet
