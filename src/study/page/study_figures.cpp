// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "study/page/study_figures.h"

#include <fmt/format.h>

#include "run/models.h"
#include "study/run_study.h"

namespace tappet {

namespace {

GalleryFigure figure_of(const StudyResults& results, int measure) {
  const Study& study = results.study();
  const StudyMeasure& m = study.measures[measure];
  const std::string& parameter = study.plan.axes()[0].parameter;
  Curve points;
  points.cloud = m.many(), points.markers = !m.many();
  const std::vector<double> x = results.parameter(0);
  for (long run = 0; run < results.runs(); ++run) {
    const std::vector<double> single{results.measured(run, measure)};
    for (const double y : m.many() ? results.series(run, measure) : single)
      points.x.push_back(x[run]), points.y.push_back(y);
  }
  GalleryFigure figure;
  figure.name = fmt::format("{}-study-{}", study.name, m.name);
  figure.text =
      fmt::format("{} runs with different {}, {} values of {}", results.runs(), parameter, points.y.size(), m.name);
  figure.command = fmt::format("tappet study studies/{}.yaml", study.name);
  figure.plot = {study.title.empty() ? study.name : study.title, {parameter}, {m.name}, {std::move(points)}};
  return figure;
}

}  // namespace

std::vector<GalleryFigure> study_figures(const std::string& model, int threads, const std::atomic<bool>* stop) {
  std::vector<GalleryFigure> figures;
  for (const std::filesystem::path& file : yaml_files(studies_folder())) {
    const Study study = load_study(file);
    if (study.model != model || study.plan.axes().empty()) continue;
    StudyResults results(study);
    StudyOptions options;
    options.threads = threads, options.stop = stop;
    run_study(study, options, results);
    for (int m = 0; m < static_cast<int>(study.measures.size()); ++m) figures.push_back(figure_of(results, m));
  }
  return figures;
}

}  // namespace tappet
