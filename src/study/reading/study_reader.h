// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/model.h"
#include "model/reading/item.h"
#include "model/reading/values.h"
#include "study/study.h"

namespace tappet {

// Reads a study from its file. Every function throws a ModelError if the file does not hold what is asked for.
class StudyReader {
 public:
  StudyReader(const Item& root, Study& study, const GivenModel* given)
      : root_(root), study_(study), given_(given), values_(root.find("parameters"), {}, root.source()) {}

  void read();

 private:
  void read_model();
  void read_model_file();
  void take_given_model();
  void read_run();
  void read_axes();
  StudyAxis axis(const Item& item) const;
  StudyAxis grid(const Item& item) const;
  StudyAxis random(const Item& item, StudyAxis::Kind kind, const std::string& expected) const;
  void read_table(std::vector<StudyAxis>& axes) const;
  Sampling sampling(bool& given) const;
  void check_axes(const std::vector<StudyAxis>& axes) const;
  void check_count(const std::vector<StudyAxis>& axes, long samples) const;
  StudyMeasure measure(const Item& item) const;
  void read_at(const Item& item, StudyMeasure& m) const;
  void check_measure(const Item& item, const StudyMeasure& m) const;
  void read_threshold(const Item& item);
  void read_until(const Item& item);
  void read_fit(const Item& item);
  void read_optimum(const Item& item, bool largest);
  static void read_method(const Item& item, const std::vector<std::string>& methods, std::string& method);
  void check_search() const;
  int measure_named(const Item& item, const std::string& name, bool many_too = false) const;
  FitTarget fit_target(const Item& item) const;
  static StudyFormula formula(const Item& item, const std::string& key);

  const Item& root_;
  Study& study_;
  const GivenModel* given_;
  Values values_;
  Model model_;
};

}  // namespace tappet
