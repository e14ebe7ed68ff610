// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/choose.h"

namespace tappet::kernels {

namespace {

Kind in_space(Kind kind) { return kind == Kind::ground ? Kind::ground : Kind::spatial; }

template <class Kernel>
const Kernel* find(std::span<const Kernel> list, std::string_view type, Family family, unsigned form) {
  for (const Kernel& kernel : list)
    if (kernel.type == type && kernel.family == family && kernel.form == form) return &kernel;
  return nullptr;
}

}  // namespace

std::vector<Family> candidates(Family bodies) {
  std::vector<Family> list;
  if (bodies.in_plane()) list = {bodies, {Kind::planar, Kind::planar}};
  list.push_back({in_space(bodies.A), in_space(bodies.B)});
  list.push_back({Kind::spatial, Kind::spatial});
  return list;
}

const RowKernel* find_rows(std::string_view type, Family family, unsigned form) {
  return find(row_kernels(), type, family, form);
}
const ForceKernel* find_force(std::string_view type, Family family, unsigned form) {
  return find(force_kernels(), type, family, form);
}

}  // namespace tappet::kernels
