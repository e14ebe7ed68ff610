// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "judge/measure.h"
#include "model/model.h"

namespace tappet {

// One table or figure of a paper, as described by a file (docs/reproductions.md): the runs, what is measured in them,
// and what was published.

struct PlacedText {
  std::string text;
  Place place;
};

// One run, or several runs that differ in the values that the file gives as lists.
struct RunFamily {
  struct Member {
    std::string label;  // "dt = 0.001"
    Overrides set;
    std::string scheme;
    double dt = 0, end = 0;  // 0: that of the model
    std::vector<Option> options;
    double e_factor = 1, mu_factor = 1;  // planted errors (mutants.h): factors on every e_N and mu of the model
    double limit_s = 0;                  // the longest processor time; 0: no limit
  };
  std::string name, model;
  // the path if `model` is a file, relative to the folder of the reproduction; otherwise an example
  std::string model_file;
  std::vector<Member> members;
  int record_every = 1;
  bool lists = false;  // it was given as lists
  Place place;
};

struct Measure {
  std::string name;  // measures that are written inside a check are called "#1", "#2", …
  std::string kind;  // one of reductions(), or at, distance, order, event, events, cost
  std::vector<int> runs;
  std::vector<PlacedText> of;  // formulas of the run; order: the name of another measure; event: its kind
  PlacedText where;
  double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();
  double at = 0;             // s
  std::string norm = "end";  // of distance
  std::string contact;       // of event, events; empty: any
  int number = 1;            // of event: which one, from 1
  Place place;
};

// What a check compares with.
enum class CheckKind {
  number,     // a number that the paper prints
  trait,      // a sentence of the paper; we set the bar
  reference,  // a number or statement of our own, with its origin
};
std::string_view name(CheckKind kind);

struct Check {
  std::string what, note;
  std::vector<std::string> published_words;  // a trait: the words of the paper, one, or one for each value
  std::vector<double> published;             // the numbers that the paper prints: one, or one for each value
  std::string quote;                         // the passage that prints them
  std::vector<std::string> reference_words;  // our own statements: one, or one for each value
  std::vector<double> reference;             // the same as numbers
  std::string origin;                        // where they come from
  PlacedText value;                          // a formula of measures
  std::vector<double> within;                // one, or one for each number
  bool relative = false;                     // within is a share of the number
  std::vector<PlacedText> below, above;      // formulas of measures: one, or one for each value
  std::string differs;                       // why the number does not come out; such a check does not fail
  Place place;

  CheckKind kind() const {
    if (!published.empty()) return CheckKind::number;
    return published_words.empty() ? CheckKind::reference : CheckKind::trait;
  }
};

struct Figure {
  std::string title, x_label, y_label;
  bool log_x = false, log_y = false;
  std::vector<std::pair<std::string, PlacedText>> y;  // by label: formulas of the runs, or measures if over_dt
  PlacedText x{"t", {}};
  std::vector<int> runs;
  std::vector<std::string> members;  // labels of the members to draw; empty: all
  double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();
  bool over_dt = false;
  Place place;
};

struct Reproduction {
  std::string name, file, title, source, note;
  std::string text;     // of the file
  std::string example;  // the model whose page shows it
  bool quick = false;
  std::string weak;     // why its checks cannot tell mutants apart, if they cannot
  std::string missing;  // why nothing of it can be run yet; empty if it can
  std::vector<RunFamily> runs;
  std::vector<Measure> measures;
  std::vector<Check> checks;
  std::vector<Figure> figures;
};

// These throw a ModelError with file, line and column.
Reproduction parse_reproduction(const std::string& text, const std::string& file);
Reproduction load_reproduction(const std::filesystem::path& file);

// All reproductions, sorted by name ($TAPPET_REPRODUCTIONS, share/tappet/reproductions, the source tree). If `names` is
// given, only those. Throws a UsageError with the nearest name if one does not exist.
std::vector<Reproduction> reproductions(const std::vector<std::string>& names = {});

}  // namespace tappet
