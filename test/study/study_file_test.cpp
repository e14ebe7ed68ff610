// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "study/command_text.h"
#include "study/study.h"
#include "study/worker.h"

namespace tappet {
namespace {

using testing::HasSubstr;

// The message with which a study is refused, either when it is read or when its measures are compiled.
std::string refusal(const std::string& text) {
  try {
    const Study study = parse_study(text, "study.yaml");
    StudyWorker worker(study);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}

struct Broken {
  const char* name;
  const char* text;
  const char* message;
};

class BrokenStudy : public testing::TestWithParam<Broken> {};
TEST_P(BrokenStudy, is_refused_with_its_place) { EXPECT_THAT(refusal(GetParam().text), HasSubstr(GetParam().message)); }

INSTANTIATE_TEST_SUITE_P(
    all, BrokenStudy,
    testing::Values(
        Broken{"unknown_parameter", "model: slider_crank\nvary: {muu: [1]}\nmeasure: {a: {max: violation}}",
               "study.yaml:2:8: the model slider_crank has no parameter 'muu'; did you mean 'mu'?"},
        Broken{"unknown_model", "model: slider_krank\nvary: {mu: [1]}\nmeasure: {a: {max: violation}}",
               "study.yaml:1:8: model: no model 'slider_krank'"},
        Broken{"unknown_measure", "model: slider_crank\nvary: {mu: [0.1]}\nmeasure: {a: {max: violatio}}",
               "study.yaml:3:20: measure: unknown name 'violatio'"},
        Broken{"unknown_kind", "model: slider_crank\nvary: {mu: [0.1]}\nmeasure: {a: {maximum: violation}}",
               "study.yaml:3:15: measure.a.maximum: unknown key"},
        Broken{"two_kinds", "model: slider_crank\nvary: {mu: [0.1]}\nmeasure: {a: {max: t, min: t}}",
               "a measure has one kind"},
        Broken{"empty_list", "model: slider_crank\nvary: {mu: []}\nmeasure: {a: {max: t}}",
               "study.yaml:2:12: vary.mu: found an empty list"},
        Broken{"empty_grid", "model: slider_crank\nvary: {mu: {from: 0, to: 1, count: 0}}\nmeasure: {a: {max: t}}",
               "study.yaml:2:36: vary.mu.count: found '0'; expected a whole number, at least 1"},
        Broken{"too_many",
               "model: slider_crank\nvary: {mu: {from: 0, to: 1, count: 1e6}, e_N: {from: 0, to: 1, "
               "count: 1e6}}\nmeasure: {a: {max: t}}",
               "1e+12 runs; expected at most 10000000"},
        Broken{"too_many_samples",
               "model: slider_crank\nvary: {mu: {uniform: [0, 1]}}\nsamples: 1e12\nmeasure: {a: "
               "{max: t}}",
               "1e+12 runs"},
        Broken{"no_samples", "model: slider_crank\nvary: {mu: {uniform: [0, 1]}}\nmeasure: {a: {max: t}}", "samples"},
        Broken{"nothing_random", "model: slider_crank\nvary: {mu: [0.1]}\nsamples: 10\nmeasure: {a: {max: t}}",
               "study.yaml:3:1: samples: no parameter is random"},
        Broken{"reversed", "model: slider_crank\nvary: {mu: {uniform: [1, 0]}}\nsamples: 3\nmeasure: {a: {max: t}}",
               "the smaller one first"},
        Broken{"log_of_zero",
               "model: slider_crank\nvary: {mu: {from: 0, to: 1, count: 5, spacing: log}}\nmeasure: "
               "{a: {max: t}}",
               "expected positive `from:` and `to:`"},
        Broken{"nothing_varies", "model: slider_crank\nmeasure: {a: {max: t}}", "nothing varies"},
        Broken{"nothing_measured", "model: slider_crank\nvary: {mu: [0.1]}", "measure"},
        Broken{"missing_table", "model: slider_crank\ntable: none.csv\nmeasure: {a: {max: t}}",
               "none.csv: the file cannot be read"},
        Broken{"varied_and_set", "model: slider_crank\nset: {mu: 0.2}\nvary: {mu: [0.1]}\nmeasure: {a: {max: t}}",
               "'mu' is varied, and `set:` fixes it"},
        Broken{"event_of_another_scheme",
               "model: slider_crank\nscheme: moreau-jean\nvary: {mu: [0.1]}\nmeasure: {a: {events: impact}}",
               "study.yaml:4:14: measure: the scheme of the study does not locate events"},
        Broken{"first_without_when", "model: slider_crank\nvary: {mu: [0.1]}\nmeasure: {a: {at: first}}",
               "expected `when:`"},
        Broken{"every_without_period", "model: slider_crank\nvary: {mu: [0.1]}\nmeasure: {a: {at: every, of: t}}",
               "expected either `period:`"},
        Broken{"period_of_unknown",
               "model: slider_crank\nvary: {mu: [0.1]}\nmeasure: {a: {at: every, of: t, period: 1/omega9}}",
               "study.yaml:3:41: measure: in the formula of parameters: unknown name 'omega9'"},
        Broken{"threshold_without_interval",
               "model: slider_crank\nvary: {mu: [0.1]}\nmeasure: {a: {max: t}}\nthreshold: {of: a}",
               "study.yaml:4:1: threshold: expected one parameter with {uniform: [a, b]}"},
        Broken{"threshold_of_unknown",
               "model: slider_crank\nvary: {mu: {uniform: [0, 1]}}\nmeasure: {a: {max: t}}\nthreshold: {of: b}",
               "no measure 'b'"},
        Broken{"fit_without_data",
               "model: slider_crank\nvary: {mu: {uniform: [0, 1]}}\nmeasure: {a: {max: t}}\nfit: {}", "data"},
        Broken{"fit_with_too_few_data",
               "model: slider_crank\nvary: {mu: {uniform: [0, 1]}, e_N: {uniform: [0, 1]}}\nmeasure: {a: {max: "
               "t}}\nfit: {data: {a: [1, 0.1]}}",
               "1 measured values for 2 parameters"},
        Broken{"unknown_scheme", "model: slider_crank\nscheme: moro\nvary: {mu: [0.1]}\nmeasure: {a: {max: t}}",
               "study.yaml:2:9: scheme: no scheme 'moro'"},
        Broken{"until_of_a_grid",
               "model: slider_crank\nvary: {mu: [0.1]}\nmeasure: {a: {max: t}}\nuntil: {of: a, "
               "within: 0.1}",
               "study.yaml:2:8: with `until:` every parameter is random"}),
    [](const auto& info) { return info.param.name; });

TEST(StudyText, of_the_command_line_is_that_of_a_file) {
  StudyText text;
  text.model = "slider_crank";
  text.vary = {"mu=0:0.2:3", "e_N=0.1,0.4"};
  text.measure = {"deepest=max:violation", "late={at: first, when: theta1 > 1}"};
  text.end = "0.01";
  const Study study = parse_study(to_text(text), "command line");
  EXPECT_EQ(study.plan.runs(), 6);
  EXPECT_EQ(study.measures[1].kind, "at_first");
  EXPECT_EQ(study.end.text, "0.01");
  text.vary = {"mu=log:0.01:1:3"};
  std::vector<double> v;
  parse_study(to_text(text), "command line").plan.values(1, v);
  EXPECT_NEAR(v[0], 0.1, 1e-15);
  text.vary = {"mu"};
  EXPECT_THROW(to_text(text), UsageError);
  text.vary = {"mu=1:2"};
  EXPECT_THROW(to_text(text), UsageError);
}

}  // namespace
}  // namespace tappet
