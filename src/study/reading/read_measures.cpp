// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "judge/measure.h"
#include "model/reading/nearest.h"
#include "study/reading/study_reader.h"

namespace tappet {

StudyFormula StudyReader::formula(const Item& item, const std::string& key) {
  const auto found = item.find(key);
  return found ? StudyFormula{found->text("a formula"), found->place()} : StudyFormula{};
}

// `at:` is a time, or one of the words first, last, every.
void StudyReader::read_at(const Item& item, StudyMeasure& m) const {
  m.at = formula(item, "at");
  if (m.at.text == "first" || m.at.text == "last")
    m.kind = "at_" + m.at.text;
  else
    m.kind = m.at.text == "every" ? "every" : "at";
}

StudyMeasure StudyReader::measure(const Item& item) const {
  std::vector<std::string> keys{"of", "where", "when", "from", "to", "period", "contact", "number"};
  std::vector<std::string> kinds = reductions();
  kinds.insert(kinds.end(), {"at", "event", "events"});
  keys.insert(keys.end(), kinds.begin(), kinds.end());
  item.allow(keys);
  StudyMeasure m;
  m.name = item.key(), m.place = item.place();
  for (const std::string& kind : kinds) {
    const auto found = item.find(kind);
    if (!found) continue;
    if (!m.kind.empty()) found->fail_at_key(fmt::format("a measure has one kind, and this has {} too", m.kind));
    m.kind = kind;
    if (kind == "at")
      read_at(item, m);
    else if (found->is_list())
      for (const Item& one : found->list()) m.of.push_back({one.text("a kind of event"), one.place()});
    else
      m.of.push_back({found->text("a formula"), found->place()});
  }
  if (m.kind.empty()) item.fail(fmt::format("no measure; expected one of {}", fmt::join(kinds, ", ")));
  if (const auto of = item.find("of")) m.of = {{of->text("a formula"), of->place()}};
  m.where = formula(item, "where"), m.when = formula(item, "when"), m.period = formula(item, "period");
  m.from = formula(item, "from"), m.to = formula(item, "to");
  if (const auto contact = item.find("contact")) m.contact = contact->text("the name of a contact");
  if (const auto number = item.find("number")) m.number = values_.integer(*number, 1);
  check_measure(item, m);
  return m;
}

void StudyReader::check_measure(const Item& item, const StudyMeasure& m) const {
  const bool crossing = m.kind == "at_first" || m.kind == "at_last";
  if (crossing && !m.when.given()) item.fail("expected `when:`, a condition such as x > 1.2");
  if (m.kind == "every" && m.when.given() == m.period.given())
    item.fail("expected either `period:`, a time, or `when:`, a condition");
  if ((m.kind == "every" || m.kind == "at") && m.of.size() != 1) item.fail("expected `of:`, a formula");
  if (m.when.given() && !crossing && m.kind != "every")
    item.find("when")->fail_at_key("`when:` belongs to `at: first`, `at: last` and `at: every`");
  if (m.period.given() && m.kind != "every") item.find("period")->fail_at_key("`period:` belongs to `at: every`");
  if (m.where.given() && (crossing || m.many() || m.kind == "at"))
    item.find("where")->fail_at_key("`where:` belongs to reductions such as `max:`");
  if (item.find("contact") && m.kind != "event" && m.kind != "events")
    item.find("contact")->fail_at_key("`contact:` belongs to `event:` and `events:`");
}

int StudyReader::measure_named(const Item& item, const std::string& name, bool many_too) const {
  std::vector<std::string> names;
  for (std::size_t m = 0; m < study_.measures.size(); ++m) {
    names.push_back(study_.measures[m].name);
    if (names.back() != name) continue;
    if (study_.measures[m].many() && !many_too)
      item.fail(fmt::format("'{}' has many values; expected a measure with one", name));
    return static_cast<int>(m);
  }
  item.fail(fmt::format("no measure '{}'{}; expected one of {}", name, suggestion(name, names), listed(names)));
}

}  // namespace tappet
