// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "model/attachments.h"
#include "model/reading/nearest.h"

namespace tappet {
namespace {

// The keys of each kind, as docs/report-format.md states them. A key with a star is required.
struct Kind {
  const char* name;
  std::vector<std::string> points, numbers, words;
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = {
      {"line", {"points*"}, {"width"}, {}},
      {"polygon", {"points*"}, {}, {}},
      {"circle", {"center*"}, {"radius*", "angle"}, {"fill"}},
      {"box", {"center*"}, {"size*", "angle"}, {}},
      {"sphere", {"center*"}, {"radius*"}, {}},
      {"cylinder", {"from*", "to*"}, {"radius*"}, {"fill"}},
      {"rod", {"from*", "to*"}, {"radius*"}, {}},
      {"point", {"at*"}, {"radius"}, {}},
      {"spring", {"from*", "to*"}, {"coils", "width"}, {}},
      {"damper", {"from*", "to*"}, {}, {}},
      {"joint", {"at*"}, {}, {"type", "fixed"}},
      {"ground", {"from*", "to*"}, {}, {}},
      {"plane", {"at*", "normal*"}, {"size"}, {}},
      {"path", {"point*"}, {}, {}},
      {"force", {"at*", "normal*"}, {}, {"contact*"}},
      {"flexible", {}, {"scale", "height"}, {}},
      {"collider", {}, {}, {"name*"}},
  };
  return all;
}

std::string plain(std::string key) {
  if (key.back() == '*') key.pop_back();
  return key;
}

// The value of a key. It is required if the key has a star.
std::optional<Item> value_of_key(const Item& item, const std::string& key, const std::string& expected) {
  return key.back() == '*' ? item.at(plain(key), expected) : item.find(key);
}

void check_word(const Loading& loading, const Item& item, const std::string& key) {
  std::vector<std::string> allowed;
  if (key == "fill" || key == "fixed") allowed = {"true", "false"};
  if (key == "type") allowed = {"revolute", "prismatic", "spherical", "fixed"};
  if (key == "contact") {
    for (const FormulaContact& c : loading.model.formulas.contacts) allowed.push_back(c.name);
    for (const ContactEntry& c : loading.model.contacts) allowed.push_back(c.name);
  }
  if (key == "name")
    for (const ColliderEntry& c : loading.model.colliders) allowed.push_back(c.name);
  const std::string& word = item.text();
  if (std::find(allowed.begin(), allowed.end(), word) == allowed.end())
    item.fail(fmt::format("found '{}'{}; expected {}", word, suggestion(word, allowed),
                          allowed.empty() ? fmt::format("the model to have {}s", key == "name" ? "collider" : key)
                                          : fmt::format("one of: {}", listed(allowed))));
}

bool is_flexible(const Model& model, int body) {
  return body >= 0 &&
         std::visit([](const auto& e) { return FlexibleBody<std::decay_t<decltype(e)>>; }, model.bodies[body].element);
}

std::array<Node, 3> read_point(const Loading& loading, const Item& item, DrawItem& draw) {
  const std::string expected = "a point [x, y] or [x, y, z]";
  const std::vector<Item> numbers = item.list(expected);
  if (numbers.size() != 2 && numbers.size() != 3) item.fail_expecting(expected);
  std::array<Node, 3> point{0, 0, loading.model.formulas.graph.constant(0.0)};
  for (std::size_t i = 0; i < numbers.size(); ++i) point[i] = loading.formula(numbers[i]);
  if (numbers.size() == 3) draw.planar = false;
  return point;
}

void read_size(const Loading& loading, const Item& item, DrawItem& draw) {
  if (!item.is_list()) {
    draw.numbers.emplace_back("size.x", loading.formula(item));
    return;
  }
  const std::vector<Item> numbers = item.list();
  if (numbers.size() != 2 && numbers.size() != 3) item.fail_expecting("two or three numbers");
  for (std::size_t i = 0; i < numbers.size(); ++i)
    draw.numbers.emplace_back(std::string("size.") + "xyz"[i], loading.formula(numbers[i]));
}

DrawItem read_draw(const Loading& loading, const Item& item, const Kind& kind) {
  std::vector<std::string> keys{"label", "color", "body"};
  for (const auto* list : {&kind.points, &kind.numbers, &kind.words})
    for (const std::string& key : *list) keys.push_back(plain(key));
  item.allow(keys);
  DrawItem draw;
  draw.kind = kind.name;
  draw.place = item.key_place();
  if (const auto label = item.find("label")) draw.label = label->text("a text");
  if (const auto color = item.find("color")) draw.color = color->text("a CSS colour");
  if (const auto body = item.find("body")) draw.body = body_named(loading, *body);
  if (draw.kind == "collider" && item.find("body"))
    item.find("body")->fail_at_key("a collider lies in its own body; expected no `body`");
  if (draw.kind == "flexible" && !is_flexible(loading.model, draw.body))
    item.fail("expected `body`, a flexible one of the model");
  for (const std::string& key : kind.points) {
    const auto value = value_of_key(item, key, "a point [x, y] or [x, y, z]");
    if (plain(key) != "points") {
      draw.points.push_back(read_point(loading, *value, draw));
      continue;
    }
    const std::size_t least = draw.kind == "polygon" ? 3 : 2;
    const std::string expected = fmt::format("at least {} points [[x, y], [x, y], ..]", least);
    const std::vector<Item> points = value->list(expected);
    if (points.size() < least) value->fail_expecting(expected);
    for (const Item& point : points) draw.points.push_back(read_point(loading, point, draw));
  }
  for (const std::string& key : kind.numbers)
    if (const auto value = value_of_key(item, key, "a number or a formula")) {
      if (plain(key) == "size")
        read_size(loading, *value, draw);
      else
        draw.numbers.emplace_back(plain(key), loading.formula(*value));
    }
  for (const std::string& key : kind.words)
    if (const auto value = value_of_key(item, key, "a word")) {
      check_word(loading, *value, plain(key));
      draw.words.emplace_back(plain(key), value->text());
    }
  return draw;
}

}  // namespace

void load_draw(Loading& loading) {
  const auto section = loading.root.find("draw");
  if (!section || section->is_null()) return;
  std::vector<std::string> names;
  for (const Kind& kind : kinds()) names.emplace_back(kind.name);
  for (const Item& entry : section->list("a list of `- kind: {..}`")) {
    const std::vector<Item> pairs = entry.map("`kind: {..}`");
    if (pairs.size() != 1)
      entry.fail(fmt::format("found {} keys; expected one, the kind: {}", pairs.size(), listed(names)));
    const Item& item = pairs[0];
    const auto kind = std::find(names.begin(), names.end(), item.key());
    if (kind == names.end())
      item.fail_at_key(
          fmt::format("unknown kind{}; expected one of: {}", suggestion(item.key(), names), listed(names)));
    loading.model.draw.push_back(read_draw(loading, item, kinds()[kind - names.begin()]));
  }
}

}  // namespace tappet
