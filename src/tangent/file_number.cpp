// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "tangent/file_number.h"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

#include "model/reading/yaml.h"

namespace tappet {

namespace {

const Yaml* child(const Yaml& map, std::string_view key) {
  for (const YamlPair& pair : map.pairs)
    if (pair.key.text == key) return &pair.value;
  return nullptr;
}

// Follows "e_N", "position[0]" or "rotation.angle" into an entry. Names of entries may contain dots themselves.
const Yaml* follow(const Yaml& from, std::string_view path) {
  if (path.empty()) return from.kind == Yaml::Kind::scalar ? &from : nullptr;
  if (path[0] == '[') {
    const std::size_t close = path.find(']');
    std::size_t index = 0;
    if (close == std::string_view::npos) return nullptr;
    const auto [rest, error] = std::from_chars(path.data() + 1, path.data() + close, index);
    if (error != std::errc() || rest != path.data() + close || index >= from.items.size()) return nullptr;
    return follow(from.items[index], path.substr(close + 1));
  }
  if (path[0] == '.') path.remove_prefix(1);
  for (const YamlPair& pair : from.pairs) {
    const std::string_view key = pair.key.text;
    if (!path.starts_with(key)) continue;
    const std::string_view rest = path.substr(key.size());
    if (!rest.empty() && rest[0] != '.' && rest[0] != '[') continue;
    if (const Yaml* found = follow(pair.value, rest)) return found;
  }
  return nullptr;
}

}  // namespace

std::string FileNumber::changed(const std::string& text, double more) const {
  return text.substr(0, at) + fmt::format("\"({}) + ({:.17g})\"", formula, more) + text.substr(at + length);
}

std::optional<FileNumber> file_number(const std::string& text, const std::string& file, const std::string& name) {
  const Source source(file, text);
  const Yaml root = parse_yaml(source);
  const Yaml* found = nullptr;
  for (const char* section : {"bodies", "joints", "contacts", "colliders", "forces", "coordinates"}) {
    const Yaml* entries = child(root, section);
    if (!entries || found) continue;
    const std::string before = std::string(section) + ".";
    found = follow(*entries, name.starts_with(before) ? std::string_view(name).substr(before.size()) : name);
  }
  if (!found || !found->written.empty() || found->text.empty()) return {};
  const char first = text[found->offset];
  const std::size_t quote = first == '"' || first == '\'' ? 1 : 0;
  const std::string& written = found->text;
  if (text.compare(found->offset + quote, written.size(), written) != 0) return {};
  return FileNumber{written, found->offset, written.size() + 2 * quote};
}

}  // namespace tappet
