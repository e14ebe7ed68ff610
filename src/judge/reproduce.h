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

// One published number or trait.
struct Outcome {
  std::string what, published, measured, bar;
  Verdict verdict = Verdict::failed;
  std::string note;  // why it differs, or why there is no number
  double value = 0;  // measured; NaN: none
};

struct Reproduced {
  std::string name, title, source, note, example;
  Verdict verdict = Verdict::passed;  // the worst of its outcomes
  std::vector<Outcome> outcomes;
  std::vector<Plot> figures;
  std::vector<std::string> commands;  // as a user would type its runs
  double seconds = 0;                 // processor time of all its runs
};

struct ReproduceOptions {
  int threads = 0;  // 0: one a core
  const std::atomic<bool>* stop = nullptr;
  std::function<void(int done, int all)> progress;  // runs
};

// In the order given. Throws ModelError where a file asks for what a model does not have; a run that fails is an
// outcome.
std::vector<Reproduced> reproduce(const std::vector<Reproduction>& reproductions, const ReproduceOptions& options = {});

Verdict worst(const std::vector<Reproduced>& results);
std::string to_text(const Reproduced& result);  // its rows as a table
std::string summary_line(const std::vector<Reproduced>& results);
nlohmann::ordered_json to_json(const std::vector<Reproduced>& results);

}  // namespace tappet
