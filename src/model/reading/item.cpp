// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "model/reading/item.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/reading/nearest.h"

namespace tappet {
namespace {

std::string shortened(const std::string& text) {
  constexpr std::size_t most = 80;
  return text.size() <= most ? text : text.substr(0, most) + "…";
}

std::string found(const Yaml& node) {
  switch (node.kind) {
    case Yaml::Kind::null:
      return "nothing";
    case Yaml::Kind::scalar:
      return fmt::format("'{}'", shortened(node.text));
    case Yaml::Kind::list:
      return fmt::format("a list of {}", node.items.size());
    case Yaml::Kind::map:
      return "a map";
  }
  return "";
}

}  // namespace

void Item::fail(const std::string& message) const { fail_at(place(), message); }
void Item::fail_at_key(const std::string& message) const { fail_at(key_place_, message); }
void Item::fail_at(Place place, const std::string& message) const {
  throw ModelError(source_->file(), place, path_, message);
}
void Item::fail_expecting(const std::string& expected) const {
  fail(fmt::format("found {}; expected {}", found(*node_), expected));
}

const std::string& Item::text(const std::string& expected) const {
  if (!is_scalar()) fail_expecting(expected);
  return node_->text;
}

std::vector<Item> Item::elements() const {
  std::vector<Item> items;
  for (const Yaml& node : node_->items) {
    items.push_back(Item(*source_, node, fmt::format("{}[{}]", path_, items.size() + 1), node.place));
    items.back().key_ = key_;
  }
  return items;
}

std::vector<Item> Item::list(const std::string& expected) const {
  if (!is_list()) fail_expecting(expected);
  std::vector<Item> items = elements();
  for (const Item& item : items) {
    // YAML cuts `[max(a, b), 0]` at the first comma.
    const Yaml& node = item.node();
    const auto count = [&](char c) { return std::count(node.text.begin(), node.text.end(), c); };
    if (node.kind == Yaml::Kind::scalar && count('(') > count(')'))
      item.fail("a formula cut at a comma; expected quotes around a formula with commas inside [] and {}");
  }
  return items;
}

Item Item::with(const Yaml& node) const {
  Item item = *this;
  item.node_ = &node;
  return item;
}

Item Item::child(const YamlPair& pair) const {
  const std::string& key = pair.key.text;
  Item item(*source_, pair.value, path_.empty() ? shortened(key) : path_ + "." + shortened(key), pair.key.place);
  item.key_ = key;
  return item;
}

std::vector<Item> Item::map(const std::string& expected) const {
  if (!is_map()) fail_expecting(expected);
  std::vector<Item> items;
  for (const YamlPair& pair : node_->pairs) items.push_back(child(pair));
  return items;
}

void Item::allow(const std::vector<std::string>& keys) const {
  for (const Item& item : map()) {
    if (std::find(keys.begin(), keys.end(), item.key()) != keys.end()) continue;
    // YAML cuts `{gap: atan2(y, x)}` at the comma, which leaves a key `x)`.
    if (item.is_null() && item.key().find(')') != std::string::npos)
      item.fail_at_key("not a key but the rest of a formula; expected quotes around a formula with commas inside {}");
    item.fail_at_key(fmt::format("unknown key{}; expected one of: {}", suggestion(item.key(), keys), listed(keys)));
  }
}

std::optional<Item> Item::find(const std::string& key) const {
  for (const YamlPair& pair : node_->pairs)
    if (pair.key.text == key) return child(pair);
  return std::nullopt;
}

Item Item::at(const std::string& key, const std::string& expected) const {
  if (auto item = find(key)) return *item;
  throw ModelError(source_->file(), key_place_, path_.empty() ? key : path_ + "." + key,
                   fmt::format("the key is missing; expected {}", expected));
}

}  // namespace tappet
