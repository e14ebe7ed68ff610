// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/reading/yaml.h"

namespace tappet {

// A value of the file on its way into the model. It holds the YAML node, the keys that lead to it
// (`contacts.corner1.mu`) and the place of the last of these keys. Every function throws a ModelError if the file does
// not hold what is asked for.
class Item {
 public:
  Item(const Source& source, const Yaml& node) : Item(source, node, "", node.place) {}

  [[noreturn]] void fail(const std::string& message) const;         // at the value
  [[noreturn]] void fail_at_key(const std::string& message) const;  // at its key
  [[noreturn]] void fail_at(Place place, const std::string& message) const;
  // "found 'abc', expected a number"
  [[noreturn]] void fail_expecting(const std::string& expected) const;

  bool is_null() const { return node_->kind == Yaml::Kind::null; }
  bool is_scalar() const { return node_->kind == Yaml::Kind::scalar; }
  bool is_list() const { return node_->kind == Yaml::Kind::list; }
  bool is_map() const { return node_->kind == Yaml::Kind::map; }

  const std::string& text(const std::string& expected = "a word") const;  // of a scalar
  std::vector<Item> list(const std::string& expected = "a list") const;
  std::vector<Item> map(const std::string& expected = "a map `{name: value}`") const;  // values, key() names each

  // Refuses keys other than these. The message names the nearest key and all that are allowed.
  void allow(const std::vector<std::string>& keys) const;
  std::optional<Item> find(const std::string& key) const;
  Item at(const std::string& key, const std::string& expected) const;  // a missing key is an error

  // The elements of a list as they are in the file, before repetitions are written out.
  std::vector<Item> elements() const;
  // The same place in the file, with another node.
  Item with(const Yaml& node) const;

  const std::string& key() const { return key_; }
  // The key. If the entry is repeated, this is the key without its indices.
  const std::string& entry_name() const {
    return node_->indices && !node_->indices->entry.empty() ? node_->indices->entry : key_;
  }
  const std::string& path() const { return path_; }
  Place place() const { return node_->place; }
  Place key_place() const { return key_place_; }
  const Yaml& node() const { return *node_; }
  const Source& source() const { return *source_; }

 private:
  Item(const Source& source, const Yaml& node, std::string path, Place key_place)
      : source_(&source), node_(&node), path_(std::move(path)), key_place_(key_place) {}
  Item child(const YamlPair& pair) const;

  const Source* source_;
  const Yaml* node_;
  std::string path_, key_;
  Place key_place_;
};

}  // namespace tappet
