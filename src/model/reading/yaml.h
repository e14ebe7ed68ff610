// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/error.h>

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "formula/table.h"

namespace tappet {

struct YamlPair;

// One node of a YAML file with its place. The keys of a map keep the order of the file.
struct Yaml {
  enum class Kind { null, scalar, list, map };
  // The indices of the repetition from which a node comes (repeat.h), and the name of the entry that is repeated.
  struct Indices {
    std::string entry;
    std::vector<std::pair<std::string, double>> values;
  };
  Kind kind = Kind::null;
  std::string text;     // of a scalar
  std::string written;  // the text in the file, if computed numbers in it were replaced; otherwise empty
  Place place;
  std::size_t offset = 0;       // of its first character in the source
  std::vector<Yaml> items;      // of a list
  std::vector<YamlPair> pairs;  // of a map, keys are scalars and unique
  std::shared_ptr<const Indices> indices;
};

struct YamlPair {
  Yaml key, value;
};

// The text of a model file, with places.
class Source {
 public:
  Source(std::string file, std::string text);

  // The byte offset of the line and column (from 0, in bytes) of a YAML mark.
  std::size_t offset(int line, int column) const;
  // Columns count characters, as editors do, and not bytes.
  Place place(std::size_t offset) const;
  // The place of character `index` of a scalar. It follows folded lines, but not escapes in double quotes.
  Place place_in(const Yaml& scalar, std::size_t index) const;

  // The table in a file beside this one (read_table.h). Each file is read once. Throws std::runtime_error.
  std::shared_ptr<const Table> table(const std::string& file, int column, Table::Kind kind) const;

  const std::string& file() const { return file_; }
  const std::string& text() const { return text_; }

 private:
  std::size_t characters_before(std::size_t offset) const;

  std::string file_, text_;
  std::vector<std::size_t> lines_;       // offset of the start of each line
  std::vector<std::size_t> characters_;  // number of characters before every 256th byte
  mutable std::map<std::tuple<std::string, int, Table::Kind>, std::shared_ptr<const Table>> tables_;
};

// Throws a ModelError for syntax errors, duplicate keys, keys that are not scalars, empty files and a second document.
Yaml parse_yaml(const Source& source);

}  // namespace tappet
