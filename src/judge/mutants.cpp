// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "judge/mutants.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "judge/contact_laws.h"
#include "run/make_stepper.h"
#include "run/models.h"
#include "run/options.h"
#include "run/settings.h"

namespace tappet {

namespace {

constexpr double e_factor = 0.8, mu_factor = 1.25, dt_factor = 2;

using Member = RunFamily::Member;

Model model_of(const RunFamily& family, const Member& member) {
  return load(family.model_file.empty() ? find_example(family.model).string() : family.model_file, member.set);
}

std::string scheme_of(const RunFamily& family, const Member& member) {
  return member.scheme.empty() ? model_of(family, member).run.scheme : member.scheme;
}

// Whether a family is only used as the second run of distances, or only to take its time, and for nothing else that is
// measured.
bool is_reference(const Reproduction& reproduction, int family) {
  bool used = false;
  for (const Measure& m : reproduction.measures)
    for (size_t k = 0; k < m.runs.size(); ++k) {
      if (m.runs[k] != family) continue;
      if ((m.kind != "distance" || k != 1) && m.kind != "cost") return false;
      used = true;
    }
  return used;
}

class Breeder {
 public:
  explicit Breeder(const Reproduction& original) : original_(original) {
    std::set<std::string> others;
    for (size_t f = 0; f < original.runs.size(); ++f) {
      if (is_reference(original, static_cast<int>(f))) continue;
      for (size_t m = 0; m < original.runs[f].members.size(); ++m) {
        tested_.push_back(
            {static_cast<int>(f), static_cast<int>(m), scheme_of(original.runs[f], original.runs[f].members[m])});
        if (tested_.back().scheme != "event-driven") others.insert(tested_.back().scheme);
      }
    }
    if (!others.empty()) std::erase_if(tested_, [](const Tested& t) { return t.scheme == "event-driven"; });
  }

  std::vector<Mutant> breed() {
    std::set<std::string> named;
    for (const Tested& t : tested_) named.insert(t.scheme);
    for (const std::string& scheme : named)
      for (const SchemeInfo& other : schemes())
        if (other.name != scheme) replace(scheme, other.name);
    plant(fmt::format("e_N × {}", e_factor), has_law([](const ContactLaw& law) { return law.e_N > 0; }),
          [](const RunFamily&, Member& m) { m.e_factor = e_factor; });
    plant(fmt::format("mu × {}", mu_factor), has_law([](const ContactLaw& law) { return law.mu[0] > 0; }),
          [](const RunFamily&, Member& m) { m.mu_factor = mu_factor; });
    plant(fmt::format("dt × {}", dt_factor), true, [](const RunFamily& family, Member& m) {
      m.dt = dt_factor * (m.dt > 0 ? m.dt : model_of(family, m).run.dt);
    });
    return std::move(mutants_);
  }

 private:
  struct Tested {
    int family, member;
    std::string scheme;
  };

  template <class Has>
  bool has_law(Has has) const {
    bool found = false;
    for (const Tested& t : tested_) {
      const RunFamily& family = original_.runs[t.family];
      const Model model = model_of(family, family.members[t.member]);
      for_each_law(model, [&](const ContactLaw& law) { found = found || has(law); });
    }
    return found;
  }

  template <class Change>
  void plant(const std::string& name, bool possible, Change change) {
    if (!possible) return;
    Mutant mutant{name, original_};
    for (const Tested& t : tested_) {
      RunFamily& family = mutant.reproduction.runs[t.family];
      change(family, family.members[t.member]);
    }
    mutants_.push_back(std::move(mutant));
  }

  void replace(const std::string& scheme, const std::string& other) {
    Mutant mutant{fmt::format("{} → {}", scheme, other), original_};
    for (const Tested& t : tested_) {
      if (t.scheme != scheme) continue;
      RunFamily& family = mutant.reproduction.runs[t.family];
      Member& member = family.members[t.member];
      member.scheme = other;
      std::erase_if(member.options, [&](const Option& option) { return !accepts(other, option); });
      if (!runs(family, member)) return;
    }
    mutants_.push_back(std::move(mutant));
  }

  static bool accepts(const std::string& scheme, const Option& option) {
    if (!knows_option(scheme, option.key)) return false;
    for (const SchemeInfo& info : schemes())
      if (info.name == scheme)
        for (const OptionInfo& known : info.options)
          if (known.name == option.key && known.expected.find(" or ") != std::string::npos)
            return known.expected.find(option.value) != std::string::npos;
    return true;
  }

  // Whether the scheme can run the model.
  static bool runs(const RunFamily& family, const Member& member) try {
    const Model model = model_of(family, member);
    RunOptions asked{.scheme = member.scheme, .dt = member.dt, .end = member.end};
    asked.options = member.options;
    const System system(model);
    const Settings settings = settings_of(model, asked);
    make_stepper(settings.scheme, ContactList(system), settings.options);
    return true;
  } catch (const UsageError&) {
    return false;
  } catch (const ModelError&) {
    return false;
  }

  const Reproduction& original_;
  std::vector<Tested> tested_;
  std::vector<Mutant> mutants_;
};

// Every run may take three times as long as in the original, and 2 s, but at most `longest`. Returns whether that is
// less for any of them.
bool limit_runs(const std::vector<double>& seconds, double longest, Reproduction& mutant) {
  size_t next = 0;
  bool shortened = false;
  for (RunFamily& family : mutant.runs)
    for (Member& member : family.members) {
      const double whole = 2 + 3 * seconds.at(next++);
      member.limit_s = std::min(whole, longest);
      shortened = shortened || longest < whole;
    }
  return shortened;
}

// A check does not kill a mutant if its number depends on the speed of the machine.
JudgedMutant fate_of(const std::string& name, const Reproduced& original, const Reproduced& mutant) {
  JudgedMutant judged{name, Fate::survived, ""};
  for (size_t k = 0; k < mutant.outcomes.size(); ++k) {
    const Outcome &before = original.outcomes[k], &now = mutant.outcomes[k];
    if (before.timed || before.verdict != Verdict::passed || now.verdict == Verdict::passed) continue;
    judged.by = now.what;
    if (now.note.find("it took more than") == std::string::npos) return {name, Fate::killed, now.what};
    judged.fate = Fate::undecided, judged.by = now.note;
  }
  return judged;
}

}  // namespace

std::vector<Mutant> mutants_of(const Reproduction& reproduction) {
  return reproduction.missing.empty() ? Breeder(reproduction).breed() : std::vector<Mutant>();
}

int MutantReport::count(Fate fate) const {
  return static_cast<int>(
      std::count_if(mutants.begin(), mutants.end(), [&](const JudgedMutant& m) { return m.fate == fate; }));
}

namespace {

// Most mutants fail a check of a short run. So all of them first get little time for each run, and those that are still
// undecided then get more, until they have the whole time.
MutantReport judge_mutants_of(const Reproduction& reproduction, const Reproduced& original,
                              const ReproduceOptions& options) {
  constexpr double first = 0.5, growth = 8.0;  // s
  MutantReport report{reproduction.name, fingerprint(reproduction.text), {}};
  std::vector<Mutant> mutants = mutants_of(reproduction);
  std::vector<size_t> open(mutants.size());
  std::iota(open.begin(), open.end(), size_t{0});
  report.mutants.resize(mutants.size());
  for (double longest = first; !open.empty(); longest *= growth) {
    std::vector<Reproduction> files;
    bool shortened = false;
    for (size_t m : open) {
      shortened = limit_runs(original.run_seconds, longest, mutants[m].reproduction) || shortened;
      files.push_back(mutants[m].reproduction);
    }
    const std::vector<Reproduced> mutated = reproduce(files, options);
    if (options.stop != nullptr && *options.stop) break;
    std::vector<size_t> undecided;
    for (size_t k = 0; k < open.size(); ++k) {
      JudgedMutant& judged = report.mutants[open[k]];
      judged = fate_of(mutants[open[k]].name, original, mutated[k]);
      if (judged.fate == Fate::undecided && shortened) undecided.push_back(open[k]);
    }
    open = undecided;
  }
  return report;
}

}  // namespace

std::vector<MutantReport> judge_mutants(const std::vector<Reproduction>& reproductions,
                                        const std::vector<Reproduced>& results, const ReproduceOptions& options) {
  std::vector<MutantReport> reports;
  for (size_t k = 0; k < reproductions.size(); ++k) {
    reports.push_back(judge_mutants_of(reproductions[k], results[k], options));
    if (options.stop != nullptr && *options.stop) {
      reports.back().mutants.clear();
      return reports;
    }
  }
  return reports;
}

std::vector<std::string> mark_weak(const std::vector<Reproduction>& reproductions,
                                   const std::vector<MutantReport>& reports, std::vector<Reproduced>& results) {
  std::vector<std::string> not_judged;
  for (size_t k = 0; k < reproductions.size(); ++k) {
    const Reproduction& reproduction = reproductions[k];
    if (!reproduction.missing.empty()) continue;
    const auto report = std::find_if(reports.begin(), reports.end(), [&](const MutantReport& r) {
      return r.name == reproduction.name && r.fingerprint == fingerprint(reproduction.text);
    });
    if (report == reports.end()) {
      not_judged.push_back(reproduction.name);
    } else if (report->weak()) {
      results[k].weakness = fmt::format("none of its {} mutants fails a check; {}", report->mutants.size(),
                                        reproduction.weak.empty() ? "no reason is given" : reproduction.weak);
    }
  }
  return not_judged;
}

}  // namespace tappet
