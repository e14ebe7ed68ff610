// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "model/reading/repeat.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_map>

#include "model/names.h"
#include "model/reading/expand_text.h"

namespace tappet {
namespace {

constexpr int most_entries = 1'000'000;
constexpr std::string_view sections[] = {"coordinates", "define",   "lagrangian", "mass",      "bodies",
                                         "joints",      "contacts", "forces",     "colliders", "draw"};

using Shared = std::shared_ptr<const Yaml::Indices>;
constexpr const char* ranges = "a range such as 0..29, or a list of whole numbers";

const Yaml* for_of(const Yaml& node) {
  if (node.kind != Yaml::Kind::map) return nullptr;
  for (const YamlPair& pair : node.pairs)
    if (pair.key.text == "for") return &pair.value;
  return nullptr;
}

class Repetition {
 public:
  Repetition(const Item& root, const Values& values) : root_(root), values_(values) {}

  Yaml document() {
    Yaml result = root_.node();
    result.pairs.clear();
    for (const Item& section : root_.map()) {
      const bool repeats = std::find(std::begin(sections), std::end(sections), section.key()) != std::end(sections);
      const YamlPair& pair = root_.node().pairs[result.pairs.size()];
      result.pairs.push_back({pair.key, repeats ? this->section(section) : pair.value});
    }
    return result;
  }

 private:
  Yaml section(const Item& section) {
    if (!section.is_map()) return copy(section, nullptr);
    Yaml result = shallow(section.node(), nullptr);
    std::unordered_map<std::string, int> lines;
    std::size_t at = 0;
    for (const Item& entry : section.map()) {
      const Yaml& key = section.node().pairs[at++].key;
      if (for_of(entry.node()))
        run(entry, nullptr, entry.key(), [&](const Shared& indices) {
          Yaml name = key;
          name.text = name_of(*indices);
          result.pairs.push_back({std::move(name), body(entry, indices)});
        });
      else
        result.pairs.push_back({named(entry, key), copy(entry, nullptr)});
      for (; lines.size() < result.pairs.size();) {
        const Yaml& added = result.pairs[lines.size()].key;
        if (const auto [first, is_new] = lines.emplace(added.text, added.place.line); !is_new)
          entry.fail_at_key(fmt::format("the name '{}' is taken, first in line {}; expected every name once",
                                        added.text, first->second));
      }
    }
    return result;
  }

  // Returns tooth.3, or peg.2.5 if there are two indices.
  static std::string name_of(const Yaml::Indices& indices) {
    std::string name = indices.entry;
    for (const auto& [index, value] : indices.values) name += fmt::format(".{}", value);
    return name;
  }

  Yaml named(const Item& entry, const Yaml& key) const {
    Yaml name = key;
    expand_text(entry, values_, name);
    return name;
  }

  // Calls `each` for all values of the indices in `for:`.
  void run(const Item& entry, const Shared& around, const std::string& name,
           const std::function<void(const Shared&)>& each) {
    const Item loop = *entry.find("for");
    const std::vector<Item> indices = loop.map("a map of indices `{i: 0..29}`");
    if (indices.empty()) loop.fail_expecting("an index and its range, `{i: 0..29}`");
    for (const Item& index : indices) check_name(index, around);
    Yaml::Indices values;
    if (around) values = *around;
    if (!name.empty()) values.entry = name;
    run(indices, 0, values, each);
  }

  void run(const std::vector<Item>& indices, std::size_t which, Yaml::Indices& values,
           const std::function<void(const Shared&)>& each) {
    if (which == indices.size()) {
      if (++entries_ > most_entries)
        indices[0].fail_at_key(fmt::format("more than {} repetitions; expected fewer", most_entries));
      each(std::make_shared<const Yaml::Indices>(values));
      return;
    }
    for (const double value : range(indices[which], values)) {
      values.values.emplace_back(indices[which].key(), value);
      run(indices, which + 1, values, each);
      values.values.pop_back();
    }
  }

  void check_name(const Item& index, const Shared& around) const {
    check_formula_name(index, "an index");
    bool taken = values_.known().contains(index.key());
    if (const auto coordinates = root_.find("coordinates"); coordinates && coordinates->is_map())
      taken = taken || coordinates->find(index.key());
    if (const auto definitions = root_.find("define"); definitions && definitions->is_map())
      taken = taken || definitions->find(index.key());
    if (around)
      for (const auto& [name, value] : around->values) taken = taken || name == index.key();
    if (taken) index.fail_at_key("cannot name an index: the name already has a meaning; expected another name");
  }

  std::vector<double> range(const Item& item, const Yaml::Indices& known) const {
    const auto indices = std::make_shared<const Yaml::Indices>(known);
    std::vector<double> values;
    if (item.is_list()) {
      for (const Item& value : item.list()) values.push_back(whole(value, value.text(ranges), 0, indices));
      return values;
    }
    const std::string& text = item.text(ranges);
    const std::size_t dots = text.find("..");
    if (dots == std::string::npos) item.fail_expecting(ranges);
    const double first = whole(item, text.substr(0, dots), 0, indices);
    const double last = whole(item, text.substr(dots + 2), dots + 2, indices);
    if (last - first >= most_entries) item.fail(fmt::format("more than {} repetitions; expected fewer", most_entries));
    for (double value = first; value <= last; ++value) values.push_back(value);
    return values;
  }

  // Reads a part of a scalar as a number.
  double number(const Item& item, const std::string& text, std::size_t from, const Shared& indices) const {
    Yaml part = item.node();
    part.text = text;
    part.offset += from;
    part.place.column += static_cast<int>(from);
    part.indices = indices;
    if (text.find_first_not_of(' ') == std::string::npos) item.fail_expecting(ranges);
    return values_.number(item.with(part));
  }
  double whole(const Item& item, const std::string& text, std::size_t from, const Shared& indices) const {
    const double value = number(item, text, from, indices);
    if (value != std::round(value)) item.fail(fmt::format("'{}' is {}; expected a whole number", text, value));
    return value;
  }

  static Yaml shallow(const Yaml& node, const Shared& indices) {
    Yaml result;
    result.kind = node.kind, result.text = node.text, result.place = node.place, result.offset = node.offset;
    result.indices = indices;
    return result;
  }

  // An entry without its `for:`. For `{for: .., each: value}` this is the value.
  Yaml body(const Item& entry, const Shared& indices) {
    const auto each = entry.find("each");
    if (!each) {
      Yaml result = copy(entry, indices);
      std::erase_if(result.pairs, [](const YamlPair& pair) { return pair.key.text == "for"; });
      return result;
    }
    for (const Item& other : entry.map())
      if (other.key() != "for" && other.key() != "each")
        other.fail_at_key("is given beside `each`, which is the whole value; expected only `for` and `each`");
    return copy(*each, indices);
  }

  Yaml copy(const Item& item, const Shared& indices) {
    Yaml result = shallow(item.node(), indices);
    if (item.is_scalar()) expand_text(item, values_, result);
    if (item.is_map()) {
      std::size_t at = 0;
      for (const Item& child : item.map()) {
        const Yaml& key = item.node().pairs[at++].key;
        result.pairs.push_back({key, copy(child, indices)});
      }
    }
    if (item.is_list())
      for (const Item& element : item.elements()) add(element, indices, result.items);
    return result;
  }

  // Adds an element of a list. If it has the key `for:`, or if its only value has it (`- line: {for: ..}`), many
  // elements are added.
  void add(const Item& element, const Shared& indices, std::vector<Yaml>& out) {
    if (for_of(element.node())) {
      run(element, indices, "", [&](const Shared& all) { out.push_back(body(element, all)); });
      return;
    }
    const auto& pairs = element.node().pairs;
    if (pairs.size() == 1 && for_of(pairs[0].value)) {
      const Item only = element.map()[0];
      run(only, indices, "", [&](const Shared& all) {
        Yaml map = shallow(element.node(), all);
        map.pairs.push_back({pairs[0].key, body(only, all)});
        out.push_back(std::move(map));
      });
      return;
    }
    out.push_back(copy(element, indices));
  }

  const Item& root_;
  const Values& values_;
  int entries_ = 0;
};

}  // namespace

Yaml repeated(const Item& root, const Values& values) { return Repetition(root, values).document(); }

}  // namespace tappet
