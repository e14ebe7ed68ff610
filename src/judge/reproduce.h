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
  differs,  // it does not come out: it is misprinted, or a definition is missing
  missing,  // nothing to run yet
  failed,
};
std::string_view name(Verdict verdict);

// One number or trait that was checked.
struct Outcome {
  std::string what = {};
  std::string published = {};  // what the paper prints: a number, or its words
  std::string reference = {};  // our own comparison
  std::string measured = {}, bar = {};
  CheckKind kind = CheckKind::reference;
  Verdict verdict = Verdict::failed;
  std::string note = {};    // why it differs, or why there is no number
  std::string quote = {};   // the passage that prints the number
  std::string origin = {};  // of the reference
  double value = 0;         // measured; NaN if there is none
  bool timed = false;       // whether it depends on the speed of the machine
};

struct Reproduced {
  std::string name, title, source, note, example;
  Verdict verdict = Verdict::passed;  // the worst of its outcomes
  std::vector<Outcome> outcomes;
  std::vector<Plot> figures;
  std::string weakness;  // why no mutant of it fails a check; empty if some do, or if they have not been run
  std::vector<std::string> commands;  // its runs as a user would type them
  double seconds = 0;                 // processor time of all its runs
  std::vector<double> run_seconds;    // of every run
};

struct ReproduceOptions {
  int threads = 0;  // 0: one per core
  const std::atomic<bool>* stop = nullptr;
  std::function<void(int done, int all)> progress;  // runs
};

// The results are in the order given. Throws a ModelError if a file asks for something that a model does not have. If a
// run fails, this is an outcome.
std::vector<Reproduced> reproduce(const std::vector<Reproduction>& reproductions, const ReproduceOptions& options = {});

Verdict worst(const std::vector<Reproduced>& results);
std::string to_text(const Reproduced& result);       // its rows as a table
std::string published_cell(const Outcome& outcome);  // a trait is marked as such
std::string summary_line(const std::vector<Reproduced>& results);
nlohmann::ordered_json to_json(const std::vector<Reproduced>& results);

}  // namespace tappet
