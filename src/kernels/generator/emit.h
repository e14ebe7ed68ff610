// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "kernels/generator/record.h"

// Recorded functions as C++.
namespace tappet::kernels {

// The kernels of one type of element: a section of a source file, with a list of them.
class Emitter {
 public:
  explicit Emitter(std::string_view type);

  void add(Family family, unsigned form, const RecordedRows& rows);
  void add(Family family, unsigned form, const RecordedForce& force);

  const std::string& type() const { return type_; }  // as part of a C++ name
  std::string section() const;                       // of a source file
  int operations() const { return operations_; }
  bool empty() const { return row_table_.empty() && force_table_.empty(); }

 private:
  std::string function(const Graph& graph, std::string_view name, const Level& out, const Level& out_2 = {});
  std::string list(std::string_view name, const std::vector<int>& values);
  std::string entries(std::string_view name, const std::vector<Entry>& list);

  std::string name_, type_, code_, row_table_, force_table_;
  int operations_ = 0, kernels_ = 0;
};

}  // namespace tappet::kernels
