// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "steppers/stepper.h"
#include "support/paths.h"

// The reference solutions of test/data/cases.
namespace tappet::test {

using nlohmann::json;
using Kind = Event::Kind;

inline json reference(const std::string& name) {
  return json::parse(std::ifstream(test::data() + "/cases/" + name + ".json"));
}

inline double number(const json& value) {
  return value.is_string() ? std::stod(value.get<std::string>()) : value.get<double>();
}

inline std::vector<double> times_of(const json& samples) {
  std::vector<double> times;
  for (const json& s : samples) times.push_back(number(s["t"]));
  return times;
}

inline std::vector<Event> impacts_of(const json& events) {
  std::vector<Event> impacts;
  for (const json& e : events) impacts.push_back({number(e["t"]), Kind::impact, e["contact"]});
  return impacts;
}

}  // namespace tappet::test
