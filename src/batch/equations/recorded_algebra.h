// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "batch/equations/recorded_motion.h"
#include "formula/graph.h"

namespace tappet {

struct BatchEquations;

// Linear algebra on formulas. What is zero stays away, because the graph drops it.

Node dot(Graph& graph, const std::vector<Node>& x, const std::vector<Node>& y);

// L D Lᵀ of a symmetric matrix.
class RecordedFactors {
 public:
  RecordedFactors(Graph& graph, int n, const std::function<Node(int i, int j)>& entry);
  std::vector<Node> solve(std::vector<Node> x) const;
  int size() const { return n_; }

 private:
  Graph& graph_;
  int n_;
  std::vector<Node> L_, inverse_;  // L is n × n, row by row; the reciprocals of D
};

// The rows of all contacts, `stride` for each of them. Rows that a contact does not have are zero.
std::vector<RecordedRow> contact_rows(Graph& graph, const RecordedMotion& motion, int stride);

// The joints, eliminated.
class RecordedJoints {
 public:
  RecordedJoints(Graph& graph, const RecordedFactors& M, std::vector<RecordedRow> rows);
  std::vector<Node> hold(const std::vector<Node>& u) const;           // W u + χ = 0 afterwards
  std::vector<Node> hold_response(const std::vector<Node>& u) const;  // W u = 0 afterwards

 private:
  std::vector<Node> moved(const std::vector<Node>& u, bool with_chi) const;

  Graph& graph_;
  std::vector<RecordedRow> rows_;
  std::vector<std::vector<Node>> X_;  // M⁻¹Wᵀ
  RecordedFactors G_;
};

// Fills the rates, products, responses and the Delassus matrix of contacts.
void respond(Graph& graph, const std::vector<RecordedRow>& contacts, const RecordedFactors& M,
             const RecordedJoints& joints, BatchEquations& out);

}  // namespace tappet
