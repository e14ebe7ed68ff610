// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/run_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "record/recorder.h"
#include "report/scene.h"

namespace tappet {

namespace {

using Json = nlohmann::ordered_json;

constexpr int most_contacts = 60;
constexpr size_t most_impacts = 20000, most_marks = 2000;  // per contact

std::vector<double> thinned(const std::vector<double>& values) {
  const size_t every = values.size() / most_impacts + 1;
  std::vector<double> kept;
  for (size_t i = 0; i < values.size(); i += every) kept.push_back(values[i]);
  return kept;
}

// The events that cannot be seen from the numbers of a contact: all except impacts, if the scheme locates events.
Json marks(const std::vector<ResultSource::ListedEvent>& listed, const std::string& contact, bool located) {
  Json list = Json::array();
  for (const auto& event : listed)
    if (event.contact == contact && list.size() < most_marks &&
        ((located && event.kind != "impact") || event.kind == "accumulation" || event.kind == "branch" ||
         event.kind == "reversal"))
      list.push_back({{"time", event.t}, {"kind", event.kind}});
  return list;
}

}  // namespace

nlohmann::ordered_json json_object(const std::string& text) {
  Json json = Json::parse(text, nullptr, false);
  return json.is_object() ? json : Json::object();
}

RunData::RunData(const System& system, const ResultSource& result, Json summary)
    : system_(system),
      result_(result),
      summary_(std::move(summary)),
      settings_(json_object(result_.text("model/settings"))),
      found_(result_, system_.model()) {
  find_events();
  std::vector<int> shown(system_.named_contacts().size());
  std::iota(shown.begin(), shown.end(), 0);
  if (shown.size() > most_contacts) {  // the busiest ones
    const auto busy = [&](int c) { return events_[c].samples.size(); };
    std::stable_sort(shown.begin(), shown.end(), [&](int a, int b) { return busy(a) > busy(b); });
    shown.resize(most_contacts);
    std::sort(shown.begin(), shown.end());
  }
  const bool alternating = summary_.value("contact_forces", "") == "mean of P/dt";
  series_ = series_of(system_, result_, shown, alternating);
}

void RunData::find_events() {
  listed_ = result_.events();
  located_ = std::any_of(listed_.begin(), listed_.end(), [](const auto& event) {
    return event.kind == "opening" || event.kind == "closing" || event.kind == "stick" || event.kind == "slip";
  });
  events_.resize(system_.named_contacts().size());
  for (int c = 0; c < static_cast<int>(events_.size()); ++c) find_events(c);
  for (int p = 0; p < static_cast<int>(found_.pairs().size()); ++p)
    events_.push_back(contact_events(found_.history(p)));
  settle_events();
  constexpr long at_a_time = 1L << 20;
  for (long first = 0; result_.has("steps/status") && first < result_.samples(); first += at_a_time) {
    const auto status = result_.column("steps/status", 0, first, std::min(at_a_time, result_.samples() - first));
    for (size_t k = 0; k < status.size(); ++k)
      if (status[k] != 0.0) failures_.push_back(first + static_cast<long>(k));
  }
  marked_ = failures_;
  for (const ContactEvents& events : events_)
    marked_.insert(marked_.end(), events.samples.begin(), events.samples.end());
  std::sort(marked_.begin(), marked_.end());
  marked_.erase(std::unique(marked_.begin(), marked_.end()), marked_.end());
}

void RunData::find_events(int contact) {
  const std::string group = "contacts/" + hdf5_name(system_.named_contacts()[contact].name()) + "/";
  if (!result_.has(group + "P_N") || !result_.has(group + "gap_velocity")) return;
  const bool impacts_told = result_.has(group + "Lambda_N");
  const int slips = result_.has(group + "slip_velocity") ? std::min(2, result_.width(group + "slip_velocity")) : 0;
  ContactHistory history{
      result_.samples(), [&](long first, long count) {
        const auto read = [&](const std::string& data, int k = 0) { return result_.column(data, k, first, count); };
        ContactHistory::Stretch s{read("t"), read(group + "gap_velocity"), read(group + "P_N"), {}, {}};
        if (impacts_told) s.Lambda_N = read(group + "Lambda_N");
        if (slips > 0) s.slip.assign(count, 0.0);
        for (int k = 0; k < slips; ++k) {
          const auto component = read(group + "slip_velocity", k);
          for (long i = 0; i < count; ++i) s.slip[i] = std::hypot(s.slip[i], component[i]);
        }
        return s;
      }};
  if (!listed_.empty()) history.located.emplace();
  for (const auto& event : listed_)
    if (event.kind == "impact" && event.contact == system_.named_contacts()[contact].name())
      history.located->push_back(event.t);
  events_[contact] = contact_events(history);
}

void RunData::settle_events() {
  std::vector<std::vector<ListedMoment>> listed(events_.size());
  std::map<std::string, size_t> index;
  for (size_t c = 0; c < system_.named_contacts().size(); ++c) index[system_.named_contacts()[c].name()] = c;
  for (const auto& event : listed_)
    if (const auto contact = index.find(event.contact); contact != index.end())
      listed[contact->second].push_back({event.t, event.kind});
  settle_times(events_, listed);
}

RunData::Json RunData::head() const {
  const auto text = [&](const char* key) {
    return summary_.contains(key) && summary_[key].is_string() ? summary_[key].get<std::string>() : std::string();
  };
  const std::string status = text("status");
  Json json = {{"format", 1},
               {"title", result_.text("model/title")},
               {"model", result_.text("model/name")},
               {"source", result_.text("model/source")},
               {"scheme", result_.attribute("scheme")},
               {"version", result_.attribute("version")},
               {"created", ""},
               {"dt", result_.number("dt")},
               {"end", result_.number("end")}};
  json["steps"] = summary_.value("steps", result_.samples() - 1);
  json["status"] = status.empty() ? "interrupted" : status;
  json["message"] = text("message");
  json["summary"] = summary_;
  json["summary"].erase("q");  // long for large systems, and shown in the plots
  json["summary"].erase("u");
  json["summary"].erase("events");
  json["parameters"] = Json::array();
  for (const Parameter& p : system_.model().parameters)
    json["parameters"].push_back({{"name", p.name}, {"value", p.value}});
  json["options"] = Json::array();
  if (settings_.contains("options"))
    for (const auto& [name, value] : settings_["options"].items())
      json["options"].push_back(
          {{"name", name}, {"value", value.is_string() ? value.get<std::string>() : value.dump()}});
  json["warnings"] = summary_.value("warnings", Json::array());
  json["model_text"] = result_.text("model/text");
  return json;
}

RunData::Json RunData::contacts(PageArrays& arrays) const {
  Json list = Json::array();
  const auto add = [&](const std::string& name, double mu, double e_N, const ContactEvents& e) {
    list.push_back(
        {{"name", name},
         {"mu", mu},
         {"e_N", e_N},
         {"impacts",
          {{"time", arrays.doubles(thinned(e.impact_times))}, {"size", arrays.floats(thinned(e.impact_sizes))}}},
         {"phases",
          {{"from", arrays.doubles(e.from)}, {"to", arrays.doubles(e.to)}, {"kind", arrays.bytes(e.phases)}}}});
  };
  const size_t named = system_.named_contacts().size();
  for (size_t c = 0; c < named; ++c) {
    const Contact& contact = system_.named_contacts()[c];
    add(contact.name(), contact.law->mu_law(), contact.law->e_N, events_[c]);
    list.back()["marks"] = marks(listed_, contact.name(), located_);
    if (located_) list.back()["located"] = true;
  }
  for (size_t p = 0; p < found_.pairs().size(); ++p) {
    const FoundPairs::Pair& pair = found_.pairs()[p];
    add(pair.name, pair.mu, pair.e_N, events_[named + p]);
    list.back()["found"] = true;
  }
  return list;
}

// Adds the forces of pairs of colliders, impulse divided by the length of the step.
void RunData::add_found_forces(const std::vector<long>& samples, PageArrays& arrays, Json& list) const {
  if (found_.pairs().empty()) return;
  const auto dt = result_.rows("steps/dt", samples);
  for (const bool friction : {false, true})
    for (size_t p = 0; p < found_.pairs().size(); ++p) {
      if (friction && found_.pairs()[p].mu == 0.0) continue;
      const auto sums = found_.sums(static_cast<int>(p), samples);
      std::vector<double> values(samples.size());
      for (size_t i = 0; i < samples.size(); ++i)
        values[i] = dt[i] > 0.0 ? (friction ? norm(sums[i].friction) : sums[i].P_N) / dt[i] : 0.0;
      list.push_back({{"name", found_.pairs()[p].name},
                      {"unit", "N"},
                      {"group", friction ? "found_F" : "found_N"},
                      {"contact", system_.named_contacts().size() + p},
                      {"data", arrays.floats(values)}});
    }
}

// Reads each data set only once, even if many of its numbers are shown.
RunData::Json RunData::curves(const std::vector<long>& samples, PageArrays& arrays) const {
  Json list = Json::array();
  std::string data;
  std::vector<double> rows, values(samples.size());
  size_t width = 0;
  for (const Series& s : series_) {
    if (s.data != data) {
      data = s.data;
      rows = result_.rows(data, samples);
      width = static_cast<size_t>(result_.width(data));
    }
    for (size_t i = 0; i < samples.size(); ++i) values[i] = rows[i * width + s.component];
    if (s.mean > 0) {
      const auto forces = mean_forces(result_.column(s.data, s.component), result_.column("steps/dt"), s.mean);
      for (size_t i = 0; i < samples.size(); ++i) values[i] = forces[samples[i]];
    }
    list.push_back({{"name", s.name},
                    {"unit", s.unit},
                    {"group", s.group},
                    {"contact", s.contact},
                    {"data", arrays.floats(values)}});
  }
  add_found_forces(samples, arrays, list);
  return list;
}

// Says what else the page leaves out, in addition to steps.
std::string RunData::other_limits(const KeptSamples& kept, const Json& scene) const {
  std::string text;
  const size_t frames = scene["time"]["n"];
  if (frames < kept.samples.size()) text += fmt::format(" The animation has {} frames.", frames);
  if (system_.named_contacts().size() > most_contacts)
    text += fmt::format(" Plots are of the {} busiest of {} contacts.", most_contacts, system_.named_contacts().size());
  if (found_.all() > FoundPairs::most)
    text += fmt::format(" Of {} pairs of colliders that touched, the {} with the largest impulses are shown.",
                        found_.all(), FoundPairs::most);
  for (const ContactEvents& e : events_)
    if (e.impact_times.size() > most_impacts) {
      text += fmt::format(" Of contacts with more than {} impacts some are left out of the strip.", most_impacts);
      break;
    }
  return kept.note(result_.samples()).empty() && !text.empty() ? text.substr(1) : text;
}

RunData::Json RunData::write(long most, PageArrays& arrays) const {
  const KeptSamples kept = keep_samples(result_.samples(), marked_, most);
  Json json = head();
  const std::span first_failures(failures_.data(), std::min<size_t>(failures_.size(), 1000));
  const auto failure_times = result_.rows("t", first_failures), times = result_.rows("t", kept.samples);
  json["unconverged"] = {{"count", failures_.size()}, {"times", arrays.doubles(failure_times)}};
  json["time"] = arrays.doubles(times);
  json["series"] = curves(kept.samples, arrays);
  json["contacts"] = contacts(arrays);
  json["scene"] = scene(system_, result_, found_, kept.samples, arrays);
  json["sampling"] = {{"steps", result_.samples()},
                      {"kept", kept.samples.size()},
                      {"note", kept.note(result_.samples()) + other_limits(kept, json["scene"])}};
  return json;
}

long RunData::bytes_per_sample() const { return 8 + 4 * static_cast<long>(series_.size() + 2 * found_.pairs().size()); }

}  // namespace tappet
