// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "record/hdf5/hdf5_column.h"
#include "record/sample.h"

namespace tappet::hdf5 {

// A quantity of a sample that becomes a data set of result.h5, with `entries()` numbers per sample.
struct Quantity {
  std::string group;  // "" is the file itself; a group of a contact or joint has its name in the second part
  std::string name;
  int width = 0;  // 0: a plain vector
  std::function<void(const Sample&, double*)> take;
  Column::Numbers numbers = Column::Numbers::real;

  int entries() const { return width == 0 ? 1 : width; }
};

// What is recorded of a layout, in the order of the numbers of a row. `only` is as in Hdf5Options.
class Quantities {
 public:
  Quantities(const Layout& layout, const std::vector<std::string>& only);

  const std::vector<Quantity>& list() const { return list_; }
  int width() const { return width_; }  // of a row
  bool keeps(const std::string& group, const std::string& name = "") const;
  void take(const Sample& sample, double* row) const;

 private:
  using Take = std::function<void(const Sample&, double*)>;
  void add(const std::string& group, const std::string& name, int width, Take take,
           Column::Numbers numbers = Column::Numbers::real);
  void add_one(const std::string& group, const std::string& name, double Sample::*value);
  void add_rows(const std::string& group, const std::string& name, Vec Sample::*values, int row, int rows);
  void add_state(const Layout& layout);
  void add_contacts(const Layout& layout);
  void add_joints(const Layout& layout);

  std::vector<std::string> only_;
  std::vector<Quantity> list_;
  int width_ = 0;
};

}  // namespace tappet::hdf5
