// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// What the evaluator keeps from one call to the next: layouts of rows, and the rows computed last.
#include <algorithm>
#include <atomic>
#include <cstring>

#include "system/evaluator.h"

namespace tappet {

namespace {

constexpr size_t few_contacts = 256;  // with more in the set, nothing is kept
constexpr size_t few_found = 64;      // with more found contacts, their numbers are not kept

long next_layout() {
  static std::atomic<long> last{0};
  return ++last;
}

}  // namespace

// So that a step in which contacts close does not allocate.
void Evaluator::reserve_kept_rows() {
  const size_t contacts = system_.has_colliders() ? few_contacts : std::min<size_t>(few_contacts, contacts_.named());
  for (KnownLayout& known : layouts_) known.set.reserve(contacts);
  if (system_.has_colliders()) found_uses_.resize(few_found);
  if (other_q_.empty()) return;
  size_t rows = 0, values = 0;
  const auto add = [&](const Constraint& c) { rows += c.rows, values += c.rows * c.columns.size(); };
  for (const Constraint& joint : system_.joints()) add(joint);
  for (const Contact& contact : system_.named_contacts()) add(contact);
  for (KeptDirections& kept : kept_) kept.values.reserve(values), kept.chi.reserve(rows);
}

long Evaluator::layout(const ContactSet& set) {
  if (set.size() > few_contacts) return 0;
  for (const KnownLayout& known : layouts_)
    if (known.list == contacts_.layout() && known.set == set) return known.number;
  KnownLayout& known = layouts_[next_layout_++ % layouts_.size()];
  known.number = next_layout(), known.list = contacts_.layout(), known.set = set;
  return known.number;
}

void Evaluator::lay_out(const ContactSet& set, BlockRows& rows) {
  rows.use(execution_);
  const long number = layout(set);
  if (number != 0 && rows.layout() == number) return;
  rows.clear();
  if (system_.has_colliders()) {  // contacts come and go and may be many, so no more memory is used than needed
    int blocks = 0, columns = 0, values = 0;
    each(set, [&](const Constraint& c, int) {
      const int width = static_cast<int>(c.columns.size());
      ++blocks, columns += width, values += c.rows * width;
    });
    rows.clear(blocks, columns, values);
  }
  each(set, [&](const Constraint& c, int) { rows.append_unset(c.rows, c.columns); });
  rows.number_layout(number);
}

bool Evaluator::take_kept(double t, BlockRows& W, Vec& chi) {
  for (const KeptDirections& kept : kept_) {
    const bool same = kept.layout != 0 && kept.layout == W.layout() && kept.place == place_ &&
                      kept.list == contacts_.version() && kept.t == t;
    if (!same) continue;
    asks_again_ = true;
    if (kept.chi.empty()) return false;
    std::copy(kept.values.begin(), kept.values.end(), W.values(0));
    std::copy(kept.chi.begin(), kept.chi.end(), chi.begin());
    return true;
  }
  return false;
}

void Evaluator::keep(double t, const BlockRows& W, const Vec& chi) {
  if (W.layout() == 0 || place_ == 0 || other_q_.empty()) return;
  KeptDirections& kept = kept_[next_kept_++ % kept_.size()];
  kept.layout = W.layout(), kept.place = place_, kept.list = contacts_.version(), kept.t = t;
  kept.chi.clear();
  if (!asks_again_) return;  // only the state is kept
  kept.values.assign(W.all_values().begin(), W.all_values().end());
  kept.chi.assign(chi.begin(), chi.end());
}

}  // namespace tappet
