// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "elements/contacts/surface_function.h"

#include <stdexcept>
#include <vector>

#include "elements/seed.h"
#include "formula/switches.h"

namespace tappet {

SurfaceFunction::SurfaceFunction(Graph& graph, Node g) {
  for (int slot : graph.input_slots({&g, 1}))
    if (slot > slot_z) throw std::invalid_argument("a gap formula may only depend on x, y, z and t");
  switches_ = !switch_functions(graph, g).empty();
  const Node outputs[] = {g, graph.derivative(g, graph.input(slot_t)), graph.derivative(g, graph.input(slot_x)),
                          graph.derivative(g, graph.input(slot_y)), graph.derivative(g, graph.input(slot_z))};
  program_ = std::make_shared<const Program>(graph, outputs, 4);
}

template <class S>
SurfaceFunction::Value<S> SurfaceFunction::operator()(const Vec3<S>& position, const S& t) const {
  if (!program_) return {};
  static thread_local std::vector<S> registers;  // grows to the size of the longest formula and is kept
  if (static_cast<int>(registers.size()) < program_->register_count()) registers.resize(program_->register_count());
  const S inputs[] = {t, position.x, position.y, position.z};
  S outputs[5];
  program_->run(inputs, outputs, registers.data());
  return {outputs[0], outputs[1], {outputs[2], outputs[3], outputs[4]}};
}

// The scalars of derive_contacts.cpp.
using D6 = seed::Along6<double>;
using D1 = seed::Along1<double>;
using D61 = seed::Along6<D1>;
template SurfaceFunction::Value<double> SurfaceFunction::operator()(const Vec3<double>&, const double&) const;
template SurfaceFunction::Value<D6> SurfaceFunction::operator()(const Vec3<D6>&, const D6&) const;
template SurfaceFunction::Value<D1> SurfaceFunction::operator()(const Vec3<D1>&, const D1&) const;
template SurfaceFunction::Value<D61> SurfaceFunction::operator()(const Vec3<D61>&, const D61&) const;

}  // namespace tappet
