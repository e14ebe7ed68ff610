// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "record/hdf5/quantities.h"

#include <algorithm>

namespace tappet::hdf5 {

Quantities::Quantities(const Layout& layout, const std::vector<std::string>& only) : only_(only) {
  add_state(layout);
  add_contacts(layout);
  add_joints(layout);
  add(
      "steps", "status", 0, [](const Sample& s, double* x) { *x = static_cast<double>(s.status); },
      Column::Numbers::int32);
  add(
      "steps", "iterations", 0, [](const Sample& s, double* x) { *x = s.iterations; }, Column::Numbers::int32);
  add_one("steps", "residual", &Sample::residual);
  add_one("steps", "dt", &Sample::dt);
}

bool Quantities::keeps(const std::string& group, const std::string& name) const {
  return only_.empty() || std::any_of(only_.begin(), only_.end(), [&](const std::string& kept) {
           return kept == group || (!name.empty() && kept == name);
         });
}

void Quantities::take(const Sample& sample, double* row) const {
  for (const Quantity& quantity : list_) {
    quantity.take(sample, row);
    row += quantity.entries();
  }
}

void Quantities::add(const std::string& group, const std::string& name, int width, Take take, Column::Numbers numbers) {
  list_.push_back({group, name, width, std::move(take), numbers});
  width_ += list_.back().entries();
}

void Quantities::add_one(const std::string& group, const std::string& name, double Sample::*value) {
  add(group, name, 0, [value](const Sample& s, double* x) { *x = s.*value; });
}

// Some of the numbers of a vector. If `rows` is 0, one number of it is a plain vector in the file.
void Quantities::add_rows(const std::string& group, const std::string& name, Vec Sample::*values, int row, int rows) {
  add(group, name, rows, [values, row, count = std::max(rows, 1)](const Sample& s, double* x) {
    std::copy_n((s.*values).data() + row, count, x);
  });
}

void Quantities::add_state(const Layout& layout) {
  add_one("", "t", &Sample::t);
  if (layout.q_size > 0 && keeps("q")) add_rows("", "q", &Sample::q, 0, layout.q_size);
  if (layout.u_size > 0 && keeps("u")) add_rows("", "u", &Sample::u, 0, layout.u_size);
  if (!keeps("energy")) return;
  add_one("energy", "kinetic", &Sample::kinetic);
  add_one("energy", "potential", &Sample::potential);
  add("energy", "total", 0, [](const Sample& s, double* x) { *x = s.kinetic + s.potential; });
}

void Quantities::add_contacts(const Layout& layout) {
  if (layout.colliders && keeps("found")) {
    add_one("found", "count", &Sample::found);
    add_one("found", "penetration", &Sample::penetration);
  }
  for (size_t i = 0; i < layout.contacts.size(); ++i) {
    const auto& [name, row, rows] = layout.contacts[i];
    if (!keeps("contacts", name)) continue;
    const std::string group = "contacts/" + name;
    const auto normal = [&](const char* quantity, Vec Sample::*values) {
      add_rows(group, quantity, values, static_cast<int>(i), 0);
    };
    const auto tangential = [&](const char* quantity, Vec Sample::*values) {
      if (rows > 0) add_rows(group, quantity, values, row, rows);
    };
    normal("gap", &Sample::gap);
    normal("gap_velocity", &Sample::gap_velocity);
    tangential("slip_velocity", &Sample::slip_velocity);
    normal("P_N", &Sample::P_N);
    tangential("P_F", &Sample::P_F);
    normal("lambda_N", &Sample::lambda_N);
    tangential("lambda_F", &Sample::lambda_F);
    normal("Lambda_N", &Sample::Lambda_N);
    tangential("Lambda_F", &Sample::Lambda_F);
  }
}

void Quantities::add_joints(const Layout& layout) {
  using Measured = Layout::MeasuredJoint;
  for (const auto& [name, row, rows] : layout.joints) {
    if (rows == 0 || !keeps("joints", name)) continue;
    const std::string group = "joints/" + name;
    add_rows(group, "residual", &Sample::joint_residual, row, rows);
    add_rows(group, "impulse", &Sample::joint_impulse, row, rows);
    for (size_t k = 0; k < layout.measured.size(); ++k) {
      const Measured& joint = layout.measured[k];
      for (int i = 0; i < Measured::numbers && joint.name == name; ++i)
        if (i < 2 || (i == 2 && joint.friction) || (i == 3 && joint.motor))
          add_rows(group, Measured::quantities(joint.slides, i), &Sample::joint_motion,
                   Measured::numbers * static_cast<int>(k) + i, 0);
    }
  }
}

}  // namespace tappet::hdf5
