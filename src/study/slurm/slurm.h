// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "study/run_study.h"

namespace tappet {

// A study on a Slurm cluster. Its runs are divided into tasks of a job array. Each task writes journals of its own into
// a folder that all nodes share. These files alone say what is done; what Slurm says about jobs is only a hint. So
// tasks may be lost, requeued, killed or run twice at the same time, and the program that submitted them may be killed:
// whoever continues the study reads the journals and submits what is missing.

struct SlurmOptions {
  std::vector<std::string> command;    // how a task is started: the program, `study`, the file, `--out`, the folder
  std::vector<std::string> arguments;  // further arguments of sbatch, such as --partition=long
  double task_seconds = 60;            // how long a task is to take
  double poll_seconds = 2;             // between two looks at the journals
  std::function<void(const std::string&)> message = {};
};

// Submits what is missing, and follows it until every run is done. If `stop` becomes true, it returns; the tasks go on.
// Throws a std::runtime_error if Slurm does not accept the tasks, or if runs vanish again and again.
void run_on_slurm(const Study& study, const std::filesystem::path& folder, const StudyOptions& options,
                  const SlurmOptions& slurm, StudyResults& results);

// A task: the runs first … end − 1, except those that other journals in the folder already hold.
void run_task(const Study& study, const std::filesystem::path& folder, const StudyOptions& options,
              StudyResults& results);

// All journals of a study in its folder.
std::vector<std::filesystem::path> journals_in(const std::filesystem::path& folder);

// Ranges of runs that cover all that are missing, at most `most` of them, with about the same number of missing runs in
// each.
struct RunRange {
  long first = 0, end = 0;
};
std::vector<RunRange> missing_ranges(const StudyResults& results, int most);

}  // namespace tappet
