// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "tangent/gradient/moment.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "model/reading/nearest.h"

namespace tappet {

namespace {

using Kind = Event::Kind;

// Those whose time is known exactly. Impacts that accumulate are skipped near the end.
constexpr std::array kinds{Kind::impact, Kind::closing,  Kind::opening,  Kind::stick,
                           Kind::slip,   Kind::reversal, Kind::switching};

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const Kind kind : kinds) names.emplace_back(name(kind));
  return names;
}

template <class Number>
bool reads(const std::string& text, Number& value) {
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && rest == text.data() + text.size();
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (size_t i = 0; (i = text.find_first_not_of(' ', i)) != std::string::npos;) {
    const size_t end = std::min(text.find(' ', i), text.size());
    words.push_back(text.substr(i, end - i)), i = end;
  }
  return words;
}

// "impact floor 2"
EventName event_named(const std::string& text, const std::string& event) {
  std::vector<std::string> words = words_of(event);
  EventName found;
  const auto kind =
      std::find_if(kinds.begin(), kinds.end(), [&](Kind k) { return !words.empty() && name(k) == words[0]; });
  if (kind == kinds.end())
    throw UsageError(
        fmt::format("{}: found '{}'; expected a positive time in seconds, or an event such as 'impact floor "
                    "2': one of {}, then a contact and a number if you like",
                    text, event, fmt::join(kind_names(), ", ")));
  found.kind = *kind;
  words.erase(words.begin());
  if (!words.empty() && reads(words.back(), found.number)) words.pop_back();
  if (found.number < 1) throw UsageError(fmt::format("{}: events are counted from 1", text));
  found.contact = fmt::format("{}", fmt::join(words, " "));
  return found;
}

// Where " at ", " before " or " after " begins; the last of them.
struct Preposition {
  size_t place = std::string::npos;
  std::string_view word;
};
Preposition last_preposition(const std::string& text) {
  Preposition last;
  for (const std::string_view word : {" at ", " before ", " after "})
    if (const size_t place = text.rfind(word);
        place != std::string::npos && (last.place == std::string::npos || place > last.place))
      last = {place, word};
  return last;
}

}  // namespace

std::string EventName::words() const {
  return fmt::format("{}{}{}", name(kind), contact.empty() ? "" : " " + contact,
                     number > 1 ? fmt::format(" {}", number) : "");
}

QuantityAtTime parse_quantity(const std::string& text, double end) {
  const Preposition when = last_preposition(text);
  if (when.place == std::string::npos) {
    if (end > 0) return {text, end, text};
    throw UsageError(fmt::format("{}: no time is given and the model has no end; expected '{} at TIME'", text, text));
  }
  QuantityAtTime parsed{text.substr(0, when.place), 0.0, text};
  const std::string moment = text.substr(when.place + when.word.size());
  const bool at = when.word == " at ";
  if (at && reads(moment, parsed.t)) {
    if (parsed.t > 0 && std::isfinite(parsed.t)) return parsed;
    throw UsageError(fmt::format("{}: expected a positive time in seconds after 'at'", text));
  }
  parsed.event = event_named(text, moment);
  parsed.t = end;
  if (!(end > 0)) throw UsageError(fmt::format("{}: the model has no end until which the event is waited for", text));
  if (at && parsed.formula != "t")
    throw UsageError(fmt::format("{}: velocities may jump at an event; expected '{} before {}' or '{} after {}'", text,
                                 parsed.formula, moment, parsed.formula, moment));
  parsed.side = when.word == " before " ? BesideEvent::before : BesideEvent::after;
  return parsed;
}

EventWatch::EventWatch(const CompiledModel& base, const QuantityAtTime& of) : of_(of), left_(of.event->number) {
  if (of.event->contact.empty()) return;
  std::vector<std::string> known;
  for (const int k : base.contacts.all()) {
    known.push_back(base.contacts.name(k));
    if (known.back() == of.event->contact) contact_ = k;
  }
  if (contact_ < 0)
    throw UsageError(fmt::format("{}: no contact '{}'{}; expected one of {}", of.text, of.event->contact,
                                 suggestion(of.event->contact, known), listed(known)));
}

bool EventWatch::is_meant(const Event& event) const {
  return event.kind == of_.event->kind && (contact_ < 0 || event.contact == contact_);
}

void EventWatch::take(const events::Instant& instant, Tangent& tangent) {
  for (const Event& event : instant.events)
    if (!found_ && is_meant(event) && --left_ == 0) keep(instant, tangent);
}

void EventWatch::keep(const events::Instant& instant, Tangent& tangent) {
  const Tangent::LastEvent& last = tangent.last_event();
  const bool before = of_.side == BesideEvent::before;
  const State& state = before ? instant.before : instant.after;
  found_ = Found{state, before ? instant.regime_before : instant.regime_after, before ? last.X : tangent.X(),
                 last.delays, tangent.trouble()};
  const auto spoil_all = [&](const std::string& why) {
    for (std::string& trouble : found_->trouble)
      if (trouble.empty()) trouble = fmt::format("at t = {:.9g} s {}", state.t, why);
  };
  if (instant.cause == events::Instant::Cause::start || last.rate.size() == 0) {
    spoil_all("the event is at the start, or its time is not known");
    found_->X = Eigen::MatrixXd::Zero(tangent.X().rows(), tangent.X().cols());
    found_->delays = Eigen::RowVectorXd::Zero(tangent.X().cols());
    return;
  }
  if (!instant.accumulated.empty())
    spoil_all("impacts accumulate, and the last ones are skipped: the time of this event is known to 1e-8 s only");
  found_->X += (before ? last.rate : tangent.rate(instant.after)) * last.delays;
  for (size_t d = 0; d < last.one.size(); ++d)
    if (!last.one[d] && found_->trouble[d].empty())
      found_->trouble[d] = fmt::format("at t = {:.9g} s two events coincide that this separates", state.t);
}

}  // namespace tappet
