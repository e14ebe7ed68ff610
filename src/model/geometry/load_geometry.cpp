// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "model/element_types.h"
#include "model/geometry/geometry.h"
#include "model/geometry/types.h"
#include "model/names.h"
#include "model/reading/nearest.h"

namespace tappet {
namespace {

constexpr double small = 1e-6;  // m

// Somebody who thinks in millimetres writes parts of a hundred metres, and a yard of a hundred kilometres.
void check_units(const Item& item, const Solid& solid, Loading& loading) {
  const double size = 2.0 * std::max({solid.half().x, solid.half().y, solid.half().z});
  const bool is_ground = solid.kind() == Shape::Kind::terrain;
  const double large = is_ground ? 1000.0 : 10.0, too_large = 100.0 * large;
  const std::string found = fmt::format("the {} is {:g} m across", is_ground ? "terrain" : "part", size);
  if (size >= too_large) item.fail_at_key(fmt::format("{}; expected lengths in metres, below {:g}", found, too_large));
  if (size < large && size > small) return;
  loading.model.warnings.push_back(fmt::format("{}:{}:{}: {}: {}; lengths are in metres, is that what you mean?",
                                               loading.model.file, item.key_place().line, item.key_place().column,
                                               item.path(), found));
}

}  // namespace

void load_geometry(Loading& loading) {
  const std::vector<std::string> types = type_names<Geometries>();
  for (const Item& item : section_of(loading, "geometry")) {
    check_free_name(item, "a geometry");
    const std::string type = type_of(item, types, "");
    GeometryEntry entry{item.key(), nullptr, item.key_place()};
    for_each<Geometries>([&]<class Geometry>() {
      if (type != Geometry::name) return;
      Geometry geometry{};
      read_element(item, loading.values, {"type"}, geometry);
      entry.solid = geometry.make(item, loading);
    });
    check_units(item, *entry.solid, loading);
    loading.model.geometries.push_back(std::move(entry));
  }
}

int geometry_named(const Loading& loading, const Item& item) {
  const std::string& name = item.text("the name of a geometry");
  std::vector<std::string> names;
  for (const GeometryEntry& entry : loading.model.geometries) {
    if (entry.name == name) return static_cast<int>(names.size());
    names.push_back(entry.name);
  }
  if (names.empty())
    item.fail(
        fmt::format("'{}' is not in the section `geometry:`, which is empty; expected the name of an entry", name));
  item.fail(fmt::format("unknown geometry '{}'{}; expected one of: {}", name, suggestion(name, names), listed(names)));
}

}  // namespace tappet
