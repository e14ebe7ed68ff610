// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "study/command_text.h"

#include <fmt/format.h>
#include <tappet/error.h>

namespace tappet {

namespace {

// A scalar of YAML in single quotes, so that nothing in it has a meaning of its own.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("''") : std::string(1, c);
  return result + "'";
}

std::pair<std::string, std::string> name_and_value(const std::string& flag, const std::string& text) {
  const std::size_t at = text.find('=');
  if (at == 0 || at == std::string::npos || at + 1 == text.size())
    throw UsageError(fmt::format("{} {}: expected NAME=VALUE", flag, text));
  return {text.substr(0, at), text.substr(at + 1)};
}

std::vector<std::string> split(const std::string& text, char by) {
  std::vector<std::string> parts(1);
  int depth = 0;  // of parentheses, in which the separator has another meaning
  for (const char c : text) {
    depth += (c == '(') - (c == ')');
    if (c == by && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

std::string list(const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "" : ", ") + quoted(value);
  return "[" + text + "]";
}

std::string axis(const std::string& given, const std::string& flag) {
  std::vector<std::string> parts = split(given, ':');
  const bool logarithmic = parts[0] == "log";
  if (parts.size() == 3 && (parts[0] == "uniform" || parts[0] == "normal"))
    return fmt::format("{{{}: {}}}", parts[0], list({parts[1], parts[2]}));
  if (logarithmic) parts.erase(parts.begin());
  if (parts.size() == 3)
    return fmt::format("{{from: {}, to: {}, count: {}{}}}", quoted(parts[0]), quoted(parts[1]), quoted(parts[2]),
                       logarithmic ? ", spacing: log" : "");
  if (parts.size() == 1 && !logarithmic) return list(split(given, ','));
  throw UsageError(fmt::format(
      "{}: expected first:last:count, log:first:last:count, a list a,b,c, uniform:low:high or normal:mean:deviation",
      flag));
}

std::string measure(const std::string& given, const std::string& flag) {
  if (given.starts_with('{')) return given;
  const std::size_t at = given.find(':');
  if (at == 0 || at == std::string::npos || at + 1 == given.size())
    throw UsageError(fmt::format("{}: expected KIND:FORMULA such as max:violation, or a map {{at: …}}", flag));
  return fmt::format("{{{}: {}}}", given.substr(0, at), quoted(given.substr(at + 1)));
}

}  // namespace

std::string to_text(const StudyText& study) {
  if (study.vary.empty()) throw UsageError("expected --vary NAME=VALUES, what varies");
  if (study.measure.empty()) throw UsageError("expected --measure NAME=KIND:FORMULA, what is measured");
  std::string text = study.model.empty() ? "" : fmt::format("model: {}\n", quoted(study.model));
  const auto map = [&](const char* title, const std::vector<std::pair<std::string, std::string>>& entries) {
    if (entries.empty()) return;
    text += fmt::format("{}:\n", title);
    for (const auto& [key, value] : entries) text += fmt::format("  {}: {}\n", quoted(key), quoted(value));
  };
  const std::pair<const char*, const std::string&> words[] = {{"scheme", study.scheme},     {"dt", study.dt},
                                                              {"end", study.end},           {"samples", study.samples},
                                                              {"sampling", study.sampling}, {"seed", study.seed}};
  for (const auto& [key, value] : words)
    if (!value.empty()) text += fmt::format("{}: {}\n", key, quoted(value));
  map("set", study.set);
  map("options", study.options);
  text += "vary:\n";
  for (const std::string& one : study.vary) {
    const auto [name, values] = name_and_value("--vary", one);
    text += fmt::format("  {}: {}\n", quoted(name), axis(values, "--vary " + one));
  }
  text += "measure:\n";
  for (const std::string& one : study.measure) {
    const auto [name, given] = name_and_value("--measure", one);
    text += fmt::format("  {}: {}\n", quoted(name), measure(given, "--measure " + one));
  }
  return text;
}

}  // namespace tappet
