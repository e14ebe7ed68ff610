// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "model/reading/yaml.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <map>
#include <sstream>
#include <unordered_map>

namespace tappet {
namespace {

// This limits the number of values that come from aliases. Otherwise a file with aliases to aliases could fill the
// memory.
constexpr std::size_t most_aliased = 100'000;

// If a quote is never closed, the parser takes everything up to the end of the file as the text.
bool is_closed(const std::string& text, std::size_t at) {
  const char quote = at < text.size() ? text[at] : ' ';
  if (quote != '"' && quote != '\'') return true;
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\')
      ++i;
    else if (text[i] == quote)
      return true;
  }
  return false;
}

// Builds the tree from the events of the parser.
class Builder : public YAML::EventHandler {
 public:
  explicit Builder(const Source& source) : source_(source) {}

  Yaml root;

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { leaf(Yaml::Kind::null, mark, anchor, ""); }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor, const std::string& value) override {
    leaf(Yaml::Kind::scalar, mark, anchor, value);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(Yaml::Kind::list, mark, anchor);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(Yaml::Kind::map, mark, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end())
      throw ModelError(source_.file(), node(Yaml::Kind::null, mark).place, "", "an alias inside the node it names");
    count_ += found->second.second;
    aliased_ += found->second.second;
    if (aliased_ > most_aliased)
      throw ModelError(source_.file(), node(Yaml::Kind::null, mark).place, path(open_.size()),
                       fmt::format("aliases repeat more than {} values; expected fewer", most_aliased));
    add(Yaml(found->second.first));
  }

 private:
  struct Open {
    Yaml node;
    YAML::anchor_t anchor = YAML::NullAnchor;
    std::size_t first = 0;
    bool has_key = false;
    Yaml key;
    std::unordered_map<std::string, int> lines;  // of the keys so far
  };

  Yaml node(Yaml::Kind kind, const YAML::Mark& mark) const {
    Yaml n;
    n.kind = kind;
    n.offset = source_.offset(mark.line, mark.column);
    n.place = source_.place(n.offset);
    return n;
  }

  void leaf(Yaml::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor, const std::string& text) {
    ++count_;
    Yaml n = node(kind, mark);
    n.text = text;
    if (kind == Yaml::Kind::scalar && !is_closed(source_.text(), n.offset))
      throw ModelError(source_.file(), n.place, path(open_.size()),
                       "a quote that is not closed; expected another one at its end");
    if (anchor != YAML::NullAnchor) anchors_[anchor] = {n, 1};
    add(std::move(n));
  }

  void open(Yaml::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    Open& added = open_.emplace_back();
    added.node = node(kind, mark);
    added.anchor = anchor;
    added.first = count_;
  }

  void close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    ++count_;
    if (done.anchor != YAML::NullAnchor) anchors_[done.anchor] = {done.node, count_ - done.first};
    add(std::move(done.node));
  }

  void add(Yaml n) {
    if (open_.empty()) {
      root = std::move(n);
      return;
    }
    Open& parent = open_.back();
    if (parent.node.kind == Yaml::Kind::list) {
      parent.node.items.push_back(std::move(n));
    } else if (!parent.has_key) {
      check_key(n);
      parent.key = std::move(n);
      parent.has_key = true;
    } else {
      // An empty value has no place in the file. The parser marks what follows it.
      if (n.kind == Yaml::Kind::null) n.place = parent.key.place, n.offset = parent.key.offset;
      parent.node.pairs.push_back({std::move(parent.key), std::move(n)});
      parent.has_key = false;
    }
  }

  void check_key(const Yaml& key) {
    if (key.kind != Yaml::Kind::scalar)
      throw ModelError(source_.file(), key.place, path(open_.size() - 1),
                       "a key that is not a name; expected `name: value`, the name at most 1024 characters");
    const auto [first, is_new] = open_.back().lines.emplace(key.text, key.place.line);
    if (!is_new)
      throw ModelError(source_.file(), key.place, path(open_.size() - 1) + (open_.size() > 1 ? "." : "") + key.text,
                       fmt::format("the key appears twice, first in line {}; expected every key once", first->second));
  }

  // The keys that lead to the innermost value, if `levels` maps and lists are open.
  std::string path(std::size_t levels) const {
    std::string path;
    for (std::size_t i = 0; i < levels; ++i) {
      if (open_[i].node.kind == Yaml::Kind::list)
        path += fmt::format("[{}]", open_[i].node.items.size() + 1);
      else if (open_[i].has_key)
        path += (path.empty() ? "" : ".") + open_[i].key.text;
    }
    return path;
  }

  const Source& source_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, std::pair<Yaml, std::size_t>> anchors_;
  std::size_t count_ = 0, aliased_ = 0;  // values so far
};

// The messages of the parser do not mention the tab that indents a line, so tabs are refused here.
void refuse_tabs(const Source& source) {
  const std::string& text = source.text();
  bool indent = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (indent && text[i] == '\t')
      throw ModelError(source.file(), source.place(i), "", "not valid YAML: a tab indents the line; expected spaces");
    indent = text[i] == '\n' || (indent && text[i] == ' ');
  }
}

}  // namespace

Yaml parse_yaml(const Source& source) {
  Builder builder(source);
  try {
    std::istringstream in(source.text());
    YAML::Parser parser(in);
    if (!parser.HandleNextDocument(builder) || builder.root.kind == Yaml::Kind::null)
      throw ModelError(source.file(), {1, 1}, "", "the file is empty; expected a model: `coordinates:` or `bodies:`");
    Builder second(source);
    if (parser.HandleNextDocument(second))
      throw ModelError(source.file(), second.root.place, "", "a second document begins; expected one model per file");
  } catch (const YAML::Exception& e) {
    refuse_tabs(source);
    throw ModelError(source.file(), source.place(source.offset(e.mark.line, e.mark.column)), "",
                     fmt::format("not valid YAML: {}", e.msg));
  }
  return std::move(builder.root);
}

}  // namespace tappet
