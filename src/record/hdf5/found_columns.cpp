// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "record/hdf5/found_columns.h"

namespace tappet::hdf5 {

namespace {

Handle group_of(hid_t found, const Layout& layout) {
  Handle group = create_group(found, "contacts");
  if (static_cast<int>(layout.found.size()) <= Layout::most_names) write_texts(group, "names", layout.found);
  return group;
}

}  // namespace

FoundColumns::FoundColumns(hid_t found, const Layout& layout, int rows_per_chunk, int deflate)
    : FoundColumns(group_of(found, layout), rows_per_chunk, deflate) {}

FoundColumns::FoundColumns(const Handle& group, int rows_per_chunk, int deflate)
    : offset_(group, "offset", 0, rows_per_chunk, deflate, Column::Numbers::int64), rows_per_chunk_(rows_per_chunk) {
  for (const char* name : {"A", "B"}) columns_.emplace_back(group, name, 0, chunk, deflate, Column::Numbers::int32);
  for (const char* name : {"gap", "gap_velocity", "slip", "P_N"}) columns_.emplace_back(group, name, 0, chunk, deflate);
  for (const char* name : {"P", "point", "normal"}) columns_.emplace_back(group, name, 3, chunk, deflate);
}

void FoundColumns::take(const FoundContact& f, double* x) {
  for (const double number : {double(f.A), double(f.B), f.gap, f.gap_velocity, f.slip, f.P_N}) *x++ = number;
  for (const Vec3d* v : {&f.P, &f.point, &f.normal})
    for (const double number : {v->x, v->y, v->z}) *x++ = number;
}

void FoundColumns::start_sample(double offset) {
  offset_.append(offset);
  if (offset_.buffered() >= rows_per_chunk_) offset_.flush();
}

void FoundColumns::append(const double* contact) {
  for (size_t i = 0; i < columns_.size(); ++i) {
    columns_[i].append(contact);
    contact += i < 6 ? 1 : 3;
  }
  if (columns_[0].buffered() < chunk) return;
  for (Column& column : columns_) column.flush();
}

void FoundColumns::flush() {
  for (Column& column : columns_) column.flush();
  offset_.flush();
}

}  // namespace tappet::hdf5
