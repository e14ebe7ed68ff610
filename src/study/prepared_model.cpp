// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "study/prepared_model.h"

#include <fmt/format.h>

#include "formula/parse.h"

namespace tappet {

namespace {

// A formula of samples, as the trace has it.
struct Sampled {
  const StudyFormula* formula;
  std::string text;
};

std::vector<Sampled> sampled_formulas(const Study& study) {
  std::vector<Sampled> list;
  for (const StudyMeasure& m : study.measures) {
    if (!is_event(m))
      for (const StudyFormula& formula : m.of) list.push_back({&formula, formula.text});
    if (m.where.given()) list.push_back({&m.where, m.where.text});
    if (m.when.given()) list.push_back({&m.when, condition(m)});
  }
  return list;
}

}  // namespace

std::string condition(const StudyMeasure& m) { return fmt::format("if({}, 1, 0)", m.when.text); }

PreparedModel::PreparedModel(const Study& study, const ModelText& text, const std::vector<std::string>& varied,
                             const std::vector<double>& values)
    : study_(study), system_(text, study.set, varied, values) {
  compile_measures();
  for (const StudyFormula* formula : {&study.dt, &study.end}) compile_time(*formula);
  for (const StudyMeasure& m : study.measures) {
    for (const StudyFormula* formula : {&m.from, &m.to, &m.period}) compile_time(*formula);
    if (m.kind == "at") compile_time(m.at);
  }
  if (system_.stage()) trace_->end_recording();
  system_.end_recording();
}

void PreparedModel::compile_measures() {
  const std::vector<Sampled> formulas = sampled_formulas(study_);
  std::vector<std::string> texts;
  for (const Sampled& sampled : formulas) texts.push_back(sampled.text);
  std::string wrong;
  try {
    trace_ = std::make_unique<Trace>(system(), texts, &wrong);
  } catch (const FormulaError& error) {
    Place place;
    for (const Sampled& sampled : formulas)
      if (sampled.text == wrong) place = sampled.formula->place;
    throw ModelError(study_.file, place, "measure", error.what());
  }
}

namespace {

// Parses a formula of parameters. They are numbers of the stage into which the model is recorded, if there is one.
StagedNumber number_of(const Study& study, const StudyFormula& formula, const Model& model,
                       const std::shared_ptr<ParameterStage>& stage) {
  Graph graph;
  graph.record_into(stage);
  Scope scope;
  for (std::size_t i = 0; i < model.parameters.size(); ++i) {
    const Node node = model.formulas.parameters[i];
    scope[model.parameters[i].name] =
        graph.constant(stage ? model.formulas.graph.number(node) : StagedNumber{model.parameters[i].value});
  }
  try {
    const Node node = parse(graph, formula.text, scope);
    if (!graph.is_finite(node))
      throw ModelError(study.file, formula.place, "measure",
                       fmt::format("found {}; expected a finite number", graph.number(node).value));
    return graph.number(node);
  } catch (const FormulaError& error) {
    throw ModelError(study.file, formula.place, "measure",
                     fmt::format("in the formula of parameters: {}", error.what()));
  }
}

double checked_positive(const Study& study, const StudyFormula& formula, double value) {
  if (formula.given() && !(value > 0))
    throw ModelError(study.file, formula.place, "time", fmt::format("found {}; expected a positive time", value));
  return value;
}

}  // namespace

void PreparedModel::compile_time(const StudyFormula& formula) {
  if (formula.given()) times_[&formula] = number_of(study_, formula, system().model(), system_.stage());
}

double positive_time_of(const Study& study, const StudyFormula& formula, const Model& model) {
  return formula.given() ? checked_positive(study, formula, number_of(study, formula, model, nullptr).value) : 0.0;
}

bool PreparedModel::set(const std::vector<double>& values) {
  if (!system_.set(values)) return false;
  trace_->follow(*system_.stage());
  for (auto& [formula, number] : times_)
    if (number.place >= 0) number.value = (*system_.stage())[number.place];
  return true;
}

double PreparedModel::time(const StudyFormula& formula, double otherwise) const {
  return formula.given() ? times_.at(&formula).value : otherwise;
}

double PreparedModel::positive_time(const StudyFormula& formula) const {
  return checked_positive(study_, formula, time(formula, 0.0));
}

}  // namespace tappet
