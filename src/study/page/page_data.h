// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "report/page_arrays.h"
#include "study/page/study_page.h"

namespace tappet {

// The data of the page of a study (docs/studies.md, viewer/src/study/data.ts).
class StudyPageData {
 public:
  StudyPageData(const StudyResults& results, const StudyPageLimits& limits);

  nlohmann::ordered_json json(const nlohmann::ordered_json& found);
  const PageArrays& arrays() const { return arrays_; }
  const std::vector<long>& runs() const { return runs_; }  // those that the page holds

 private:
  using Json = nlohmann::ordered_json;

  bool all() const { return static_cast<long>(runs_.size()) == results_.runs(); }
  bool on_grid(int axis) const;
  Json parameter(int axis);
  Json measure(int measure);
  Json series(int measure);
  Json costs();
  Json messages();
  Json counts() const;
  Json search(const Json& found) const;
  template <class F>
  std::vector<double> of_runs(F&& value) const;

  const StudyResults& results_;
  const Study& study_;
  const StudyPageLimits limits_;
  std::vector<long> runs_;
  PageArrays arrays_;
};

}  // namespace tappet
