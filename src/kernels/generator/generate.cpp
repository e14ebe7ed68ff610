// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// Writes the kernels of all elements into kernels_0.cpp, kernels_1.cpp, …: generate_kernels <folder> <number of files>.
// Run while Tappet is built.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "elements/derive_joint.h"
#include "kernels/generator/emit.h"

namespace tappet::kernels {
namespace {

template <class Record, class Recorded>
void each_form(Emitter& emitter, Record&& record, Recorded*, bool ground_first, bool in_plane_only) {
  for (const Family& family : families)
    for (unsigned form = 0;
         form < 64 && (ground_first || family.A != Kind::ground) && (!in_plane_only || family.in_plane()); ++form) {
      Recorded recorded;
      if (record(family, form, recorded)) emitter.add(family, form, recorded);
    }
}

constexpr std::string_view head =
    "// Written by the program in src/kernels/generator while Tappet is built.\n#include <cmath>\n#include "
    "<vector>\n\n#include \"kernels/kernel.h\"\n\nnamespace tappet::kernels {\n\n";
constexpr std::string_view foot = "}  // namespace tappet::kernels\n";

void write(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << head << text << foot;
  if (!file) throw std::runtime_error("cannot write " + path);
}

// The function that returns the kernels of all types.
std::string all_of(const std::vector<Emitter>& list, std::string_view kind, std::string_view function) {
  std::string declarations, calls;
  for (const Emitter& emitter : list) {
    declarations += fmt::format("std::span<const {}> {}_list();\n", kind, emitter.type());
    calls += fmt::format("    for (const {} & kernel : {}_list()) all.push_back(kernel);\n", kind, emitter.type());
  }
  return fmt::format(
      "{}std::span<const {}> {}() {{\n  static const auto list = [] {{\n    std::vector<{}> all;\n{}    return "
      "all;\n  }}();\n  return list;\n}}\n",
      declarations, kind, function, kind, calls);
}

// The types in so many files that are about equally long, and the lists of all.
void write_all(const std::string& folder, int files, const std::vector<Emitter>& rows,
               const std::vector<Emitter>& forces) {
  std::vector<const Emitter*> order;
  for (const auto* list : {&rows, &forces})
    for (const Emitter& emitter : *list) order.push_back(&emitter);
  std::stable_sort(order.begin(), order.end(),
                   [](const Emitter* a, const Emitter* b) { return a->operations() > b->operations(); });
  std::vector<std::string> text(files);
  std::vector<int> length(files);
  int operations = 0;
  for (const Emitter* emitter : order) {
    const auto shortest = std::min_element(length.begin(), length.end()) - length.begin();
    text[shortest] += emitter->section();
    length[shortest] += emitter->operations();
    operations += emitter->operations();
  }
  text[0] += all_of(rows, "RowKernel", "row_kernels") + all_of(forces, "ForceKernel", "force_kernels");
  for (int i = 0; i < files; ++i) write(fmt::format("{}/kernels_{}.cpp", folder, i), text[i]);
  fmt::print("{} operations in the kernels of {} types\n", operations, order.size());
}

void generate(const std::string& folder, int files) {
  std::vector<Emitter> rows, forces;
  const auto joints = [&]<class J>() {
    if constexpr (Recordable<J> && !requires { J::kernel; })
      each_form(rows.emplace_back(J::name), record_joint<J>, static_cast<RecordedRows*>(nullptr), PositionJoint<J>,
                false);
  };
  for_each<Joints>(joints);
  for_each<VelocityJoints>(joints);
  for_each<Contacts>([&]<class C>() {
    constexpr bool in_plane_only = requires { C::kernel_in_plane_only; };
    if constexpr (Recordable<C> && !requires { C::kernel; })
      each_form(rows.emplace_back(C::name), record_contact<C>, static_cast<RecordedRows*>(nullptr), false,
                in_plane_only);
  });
  for_each<Forces>([&]<class F>() {
    if constexpr (Recordable<F> && !requires { F::kernel; })
      each_form(forces.emplace_back(F::name), record_force<F>, static_cast<RecordedForce*>(nullptr), true, false);
  });
  write_all(folder, files, rows, forces);
}

}  // namespace
}  // namespace tappet::kernels

int main(int count, char** arguments) {
  if (count != 3) {
    fmt::print(stderr, "usage: generate_kernels <folder> <number of files>\n");
    return 2;
  }
  tappet::kernels::generate(arguments[1], std::stoi(arguments[2]));
}
