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
    : offset_(group, "offset", 0, rows_per_chunk, deflate, Column::Numbers::int64) {
  for (const char* name : {"A", "B"}) columns_.emplace_back(group, name, 0, chunk, deflate, Column::Numbers::int32);
  for (const char* name : {"gap", "gap_velocity", "slip", "P_N"}) columns_.emplace_back(group, name, 0, chunk, deflate);
  for (const char* name : {"P", "point", "normal"}) columns_.emplace_back(group, name, 3, chunk, deflate);
}

void FoundColumns::append(const std::vector<FoundContact>& touching) {
  offset_.append(written_);
  written_ += static_cast<double>(touching.size());
  for (const FoundContact& f : touching) {
    size_t i = 0;
    for (const double x : {double(f.A), double(f.B), f.gap, f.gap_velocity, f.slip, f.P_N}) columns_[i++].append(x);
    for (const Vec3d* v : {&f.P, &f.point, &f.normal}) {
      const double xyz[] = {v->x, v->y, v->z};
      columns_[i++].append(xyz);
    }
    if (columns_[0].buffered() < chunk) continue;
    for (Column& column : columns_) column.flush();
  }
}

void FoundColumns::flush() {
  for (Column& column : columns_) column.flush();
  offset_.flush();
}

}  // namespace tappet::hdf5
