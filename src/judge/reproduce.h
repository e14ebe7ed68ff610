// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "judge/plot.h"
#include "judge/reproduction.h"

namespace tappet {

enum class Verdict {
  passed,
  differs,  // it does not come out: misprinted, or without a definition that decides it
  missing,  // nothing to run yet
  failed,
};
std::string_view name(Verdict verdict);

// One number or trait that was checked.
struct Outcome {
  std::string what = {};
  std::string published = {};  // what the paper prints: a number, or its words
  std::string reference = {};  // what is ours
  std::string measured = {}, bar = {};
  CheckKind kind = CheckKind::reference;
  Verdict verdict = Verdict::failed;
  std::string note = {};    // why it differs, or why there is no number
  std::string quote = {};   // the passage that prints the number
  std::string origin = {};  // of the reference
  double value = 0;         // measured; NaN: none
  bool timed = false;       // it depends on how fast the machine was
};

struct Reproduced {
  std::string name, title, source, note, example;
  Verdict verdict = Verdict::passed;  // the worst of its outcomes
  std::vector<Outcome> outcomes;
  std::vector<Plot> figures;
  std::string weakness;               // why no mutant of it fails a check; empty: some do, or nobody has looked
  std::vector<std::string> commands;  // as a user would type its runs
  double seconds = 0;                 // processor time of all its runs
};

struct ReproduceOptions {
  int threads = 0;  // 0: one a core
  const std::atomic<bool>* stop = nullptr;
  std::function<void(int done, int all)> progress;  // runs
  double limit_s = 0;                               // processor time a run may take; 0: any
};

// In the order given. Throws ModelError where a file asks for what a model does not have; a run that fails is an
// outcome.
std::vector<Reproduced> reproduce(const std::vector<Reproduction>& reproductions, const ReproduceOptions& options = {});

Verdict worst(const std::vector<Reproduced>& results);
std::string to_text(const Reproduced& result);       // its rows as a table
std::string published_cell(const Outcome& outcome);  // a trait is marked as one
std::string summary_line(const std::vector<Reproduced>& results);
nlohmann::ordered_json to_json(const std::vector<Reproduced>& results);

}  // namespace tappet
