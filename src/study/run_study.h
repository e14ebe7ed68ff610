// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>

#include "study/results.h"

namespace tappet {

struct StudyStopped {};  // thrown by searches if the study is to stop

struct StudyOptions {
  int threads = 0;                // 0: one per core
  std::filesystem::path journal;  // empty: none; outcomes are lost if the program ends
  const std::atomic<bool>* stop = nullptr;
  std::function<void(long done, long all, long failed)> progress = {};  // several times per second, on any thread
  long first = 0, end = -1;                                             // only these runs; end −1: to the last one
};

// Carries out the runs of a study that `results` does not have yet. Each of them is a computation of its own, so the
// outcomes have the same bits in any order and on any number of threads. If `stop` becomes true, runs that have begun
// are cut off and count as missing.
void run_study(const Study& study, const StudyOptions& options, StudyResults& results);

// The results that the journals of a study hold. Journals that belong to another study throw a std::runtime_error.
void read_journals(const Study& study, const std::vector<std::filesystem::path>& files, StudyResults& results);

}  // namespace tappet
