// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "study/search/carry_out.h"

#include <nlohmann/json.hpp>

namespace tappet {

FoundBySearch carry_out(const Study& study, const StudyOptions& options, StudyResults& results) {
  FoundBySearch found;
  if (study.threshold)
    found.thresholds = find_thresholds(study, options, results);
  else if (study.fit)
    found.fit = fit_parameters(study, options, results);
  else if (study.optimum)
    found.optimum = find_optimum(study, options, results);
  else if (study.until)
    found.quantile = sample_until(study, options, results);
  else
    run_study(study, options, results);
  return found;
}

nlohmann::ordered_json to_json(const FoundBySearch& found) {
  nlohmann::ordered_json json;
  for (const FoundThreshold& one : found.thresholds)
    json["thresholds"].push_back({{"others", one.others},
                                  {"low", one.low},
                                  {"high", one.high},
                                  {"derivatives", one.slopes},
                                  {"trouble", one.trouble}});
  if (const auto& fit = found.fit)
    json["fit"] = {{"values", fit->values},         {"deviations", fit->deviations},
                   {"half_width", fit->half_width}, {"chi2", fit->chi2},
                   {"method", fit->method},         {"without_derivatives", fit->without_slopes},
                   {"trouble", fit->trouble}};
  if (const auto& optimum = found.optimum)
    json["optimum"] = {{"values", optimum->values},   {"measured", optimum->measured},
                       {"method", optimum->method},   {"without_derivatives", optimum->without_slopes},
                       {"trouble", optimum->trouble}, {"derivatives", optimum->slopes}};
  if (const auto& q = found.quantile)
    json["quantile"] = {
        {"value", q->value}, {"low", q->low}, {"high", q->high}, {"samples", q->samples}, {"reached", q->reached}};
  return json;
}

}  // namespace tappet
