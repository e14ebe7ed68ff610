// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "judge/reproduce.h"

namespace tappet {

namespace {

// Counts characters, not bytes.
size_t width(const std::string& text) {
  return std::count_if(text.begin(), text.end(), [](unsigned char c) { return (c & 0xC0) != 0x80; });
}
std::string padded(const std::string& text, size_t columns) {
  return text + std::string(columns > width(text) ? columns - width(text) : 0, ' ');
}

using Json = nlohmann::ordered_json;

Json number_or_text(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? Json(number) : Json(text);
}

}  // namespace

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::passed:
      return "passed";
    case Verdict::differs:
      return "differs";
    case Verdict::missing:
      return "missing";
    case Verdict::failed:
      break;
  }
  return "FAILED";
}

std::string to_text(const Reproduced& result) {
  std::string text = fmt::format("{}: {} ({})\n", result.name, result.title, result.source);
  if (result.verdict == Verdict::missing) return text + fmt::format("  missing: {}\n", result.outcomes[0].note);
  using Row = std::array<std::string, 6>;
  std::vector<Row> rows{{"what", "published", "reference", "measured", "bar", "verdict"}};
  for (const Outcome& o : result.outcomes)
    rows.push_back({o.what, published_cell(o), o.reference, o.measured, o.bar, std::string(name(o.verdict))});
  std::array<size_t, 5> columns{};
  for (const Row& row : rows)
    for (size_t i = 0; i < columns.size(); ++i) columns[i] = std::max(columns[i], std::min<size_t>(width(row[i]), 90));
  for (size_t k = 0; k < rows.size(); ++k) {
    text += " ";
    for (size_t i = 0; i < columns.size(); ++i) text += " " + padded(rows[k][i], columns[i]) + " ";
    text += " " + rows[k].back() + "\n";
    if (k == 0) continue;
    const Outcome& o = result.outcomes[k - 1];
    if (!o.note.empty() && o.verdict != Verdict::passed) text += fmt::format("    {}\n", o.note);
  }
  if (!result.weakness.empty()) text += fmt::format("  weak: {}\n", result.weakness);
  return text;
}

std::string published_cell(const Outcome& outcome) {
  return outcome.kind == CheckKind::trait ? fmt::format("trait: “{}”", outcome.published) : outcome.published;
}

std::string summary_line(const std::vector<Reproduced>& results) {
  const auto count = [&](Verdict verdict) {
    return std::count_if(results.begin(), results.end(), [&](const Reproduced& r) { return r.verdict == verdict; });
  };
  size_t rows = 0;
  for (const Reproduced& result : results) rows += result.verdict == Verdict::missing ? 0 : result.outcomes.size();
  std::string failed;
  for (const Reproduced& result : results)
    if (result.verdict == Verdict::failed) failed += (failed.empty() ? ": " : ", ") + result.name;
  std::string weak;
  for (const Reproduced& result : results)
    if (!result.weakness.empty()) weak += (weak.empty() ? "; weak: " : ", ") + result.name;
  return fmt::format(
      "{} reproductions with {} numbers and traits: {} passed, {} differ for a reason they give, {} missing, {} "
      "failed{}{}",
      results.size(), rows, count(Verdict::passed), count(Verdict::differs), count(Verdict::missing),
      count(Verdict::failed), failed, weak);
}

nlohmann::ordered_json to_json(const std::vector<Reproduced>& results) {
  Json list = Json::array();
  for (const Reproduced& result : results) {
    Json rows = Json::array();
    for (const Outcome& o : result.outcomes) {
      Json row = {{"what", o.what}, {"kind", std::string(name(o.kind))}};
      row["published"] = o.published.empty() ? Json() : number_or_text(o.published);
      if (!o.quote.empty()) row["quote"] = o.quote;
      row["reference"] = o.reference.empty() ? Json() : number_or_text(o.reference);
      if (!o.origin.empty()) row["origin"] = o.origin;
      row["measured"] = std::isfinite(o.value) && o.verdict != Verdict::missing ? Json(o.value) : Json();
      row["bar"] = o.bar;
      row["verdict"] = o.verdict == Verdict::failed ? "failed" : std::string(name(o.verdict));
      if (!o.note.empty()) row["note"] = o.note;
      rows.push_back(std::move(row));
    }
    Json entry = {{"name", result.name}, {"title", result.title}, {"source", result.source}};
    entry["verdict"] = result.verdict == Verdict::failed ? "failed" : std::string(name(result.verdict));
    if (!result.weakness.empty()) entry["weak"] = result.weakness;
    entry["seconds"] = result.seconds;
    entry["rows"] = std::move(rows);
    entry["commands"] = result.commands;
    list.push_back(std::move(entry));
  }
  return {{"passed", worst(results) != Verdict::failed}, {"reproductions", std::move(list)}};
}

}  // namespace tappet
