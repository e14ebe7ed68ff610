// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "files/fingerprint.h"
#include "judge/reproduce.h"

namespace tappet {

// Tests the checks of a reproduction. A mutant is the same file with a planted error: another scheme instead of the one
// it names, or e_N, mu or dt multiplied by a factor. A check that tests what the paper says about a scheme fails for
// most mutants. A mutant that passes every check survives. Runs that serve as the reference of a distance, and
// event-driven runs beside others, are not changed, because the others are compared with them.
struct Mutant {
  std::string name;  // "moreau-jean → moreau-midpoint", "e_N × 0.8"
  Reproduction reproduction;
};

// All mutants of a reproduction, without those whose scheme or options the model refuses.
std::vector<Mutant> mutants_of(const Reproduction& reproduction);

enum class Fate {
  killed,     // a check fails that the original passes
  survived,   // every check passes
  undecided,  // its runs took too long
};

struct JudgedMutant {
  std::string name;
  Fate fate = Fate::killed;
  std::string by;  // the check it failed, or why it is undecided
};

struct MutantReport {
  std::string name;         // of the reproduction
  std::string fingerprint;  // of the text of its file
  std::vector<JudgedMutant> mutants;

  int count(Fate fate) const;
  bool weak() const { return !mutants.empty() && count(Fate::killed) == 0; }
};

// Runs every mutant. `results` are the outcomes of the originals, in the same order.
std::vector<MutantReport> judge_mutants(const std::vector<Reproduction>& reproductions,
                                        const std::vector<Reproduced>& results, const ReproduceOptions& options = {});

std::string to_text(const MutantReport& report);
nlohmann::ordered_json to_json(const std::vector<MutantReport>& reports);

// The record of the last full run is stored beside the reproductions (mutants.json). With it, `--all` can name weak
// reproductions without running their mutants again. If the text of a file has changed since then, its mutants count as
// not judged.
std::vector<MutantReport> read_mutant_record(const std::filesystem::path& file);
void write_mutant_record(const std::filesystem::path& file, const std::vector<MutantReport>& reports);

// Sets Reproduced::weakness if every mutant survives, with the reason that the file gives. Returns the names of the
// reproductions that have not been judged since their file changed.
std::vector<std::string> mark_weak(const std::vector<Reproduction>& reproductions,
                                   const std::vector<MutantReport>& reports, std::vector<Reproduced>& results);

}  // namespace tappet
