// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "judge/gallery.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "report/report.h"
#include "run/models.h"
#include "run/simulate.h"

namespace tappet {

namespace {

namespace fs = std::filesystem;

// Prepares a text for a cell of a Markdown table.
std::string cell(std::string text) {
  for (size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, "\\");
  return text;
}

std::string reference_cell(const Outcome& o) {
  return o.origin.empty() ? o.reference : fmt::format("{} ({})", o.reference, o.origin);
}

// The comments at the beginning of a model file: what it shows, and the commands for its variants.
std::vector<std::string> head_of(const std::string& model_text) {
  std::vector<std::string> lines;
  std::istringstream in(model_text);
  for (std::string line; std::getline(in, line) && line.starts_with("#");) {
    const std::string text = line.substr(std::min<size_t>(2, line.size()));
    if (!text.starts_with("SPDX-") && (!text.empty() || !lines.empty())) lines.push_back(text);
  }
  return lines;
}

// The model itself, without these comments and the drawing.
std::string body_of(const std::string& model_text) {
  std::istringstream in(model_text);
  std::string text, line;
  while (std::getline(in, line)) {
    if (line.starts_with("draw:")) break;
    if (!line.starts_with("#")) text += line + "\n";
  }
  return text;
}

class Gallery {
 public:
  Gallery(fs::path folder, const GalleryOptions& options) : folder_(std::move(folder)), options_(options) {}

  std::vector<Reproduced> write() {
    fs::create_directories(folder_);
    const auto wanted = [&](const std::string& example) { return options_.only.empty() || example == options_.only; };
    std::vector<Reproduction> published = reproductions();
    std::erase_if(published, [&](const Reproduction& r) { return !wanted(r.example); });
    results_ = reproduce(published, options_.reproduce);
    std::vector<Model> models;
    for (const fs::path& file : options_.only.empty() ? shipped_models() : std::vector{find_example(options_.only)})
      if (Model model = load(file); model.bodies.size() <= 200)
        models.push_back(std::move(model));  // piles take minutes
    for (const Model& model : models) {
      if (options_.pictures) take_picture(model);
      put(model.name + ".md", page(model));
    }
    if (!options_.only.empty()) return std::move(results_);
    put("README.md", index(models));
    remove_leftovers();
    return std::move(results_);
  }

 private:
  void put(const std::string& name, const std::string& text) {
    const fs::path file = folder_ / name;
    std::ofstream stream(file);
    stream << text;
    stream.close();
    if (!stream) throw std::runtime_error(fmt::format("cannot write {}", file.string()));
    written_.insert(name);
  }

  void remove_leftovers() const {
    for (const auto& entry : fs::directory_iterator(folder_)) {
      const fs::path& file = entry.path();
      if ((file.extension() == ".md" || file.extension() == ".svg") && !written_.contains(file.filename().string()))
        fs::remove(file);
    }
  }

  void take_picture(const Model& model) const {
    const fs::path scratch = fs::temp_directory_path() / fmt::format("tappet-gallery-{}", model.name);
    simulate(model, {.out = scratch, .keep = false});
    if (fs::exists(scratch / "result.h5")) {
      write_report(scratch);
      if (const auto picture = write_thumbnail(scratch))
        fs::copy_file(*picture, folder_ / (model.name + ".png"), fs::copy_options::overwrite_existing);
    }
    fs::remove_all(scratch);
  }

  bool has_picture(const std::string& model) const { return fs::exists(folder_ / (model + ".png")); }

  std::vector<const Reproduced*> shown_by(const std::string& model) const {
    std::vector<const Reproduced*> own;
    for (const Reproduced& result : results_)
      if (result.example == model && result.verdict != Verdict::missing) own.push_back(&result);
    return own;
  }

  std::string page(const Model& model) {
    std::string text = fmt::format("# {}\n\n", model.title.empty() ? model.name : model.title);
    if (!model.source.empty()) text += fmt::format("{}\n\n", model.source);
    if (has_picture(model.name)) text += fmt::format("![{0}]({0}.png)\n\n", model.name);
    std::string commands = fmt::format("tappet run {}\n", model.name);
    for (const std::string& line : head_of(model.text)) {
      if (line.starts_with("tappet "))
        commands += line + "\n";
      else
        text += line + "\n";
    }
    text += fmt::format("\n## How to run it\n\n```\n{}```\n\n## The system\n\n```yaml\n{}```\n", commands,
                        body_of(model.text));
    if (options_.figures)
      for (const GalleryFigure& figure : options_.figures(model.name)) text += section(figure);
    const auto own = shown_by(model.name);
    if (own.empty()) return text + motion(model);
    text += "\n## What was published\n";
    for (const Reproduced* result : own) text += section(*result);
    return text;
  }

  std::string section(const GalleryFigure& figure) {
    put(figure.name + ".svg", to_svg(figure.plot));
    return fmt::format("\n## {0}\n\n{1}: `{2}`\n\n![{0}]({3}.svg)\n", figure.plot.title, figure.text, figure.command,
                       figure.name);
  }

  std::string section(const Reproduced& result) {
    std::string text =
        fmt::format("\n### {}\n\n{}: `tappet reproduce {}`\n\n", result.title, result.source, result.name);
    if (!result.note.empty()) text += result.note + "\n\n";
    for (size_t k = 0; k < result.figures.size(); ++k) {
      const std::string name = fmt::format("{}-{}.svg", result.name, k + 1);
      put(name, to_svg(result.figures[k]));
      text += fmt::format("![{}]({})\n", result.figures[k].title, name);
    }
    text += "\n| what | published | reference | measured | bar | verdict |\n|---|---|---|---|---|---|\n";
    for (const Outcome& o : result.outcomes) {
      const bool why = !o.note.empty() && o.verdict != Verdict::passed;
      text += fmt::format("| {} | {} | {} | {} | {} | {}{} |\n", cell(o.what), cell(published_cell(o)),
                          cell(reference_cell(o)), o.measured, o.bar, name(o.verdict), why ? ": " + cell(o.note) : "");
    }
    if (!result.weakness.empty()) text += fmt::format("\nWeak: {}\n", result.weakness);
    text += "\n<details><summary>its runs</summary>\n\n```\n";
    for (const std::string& command : result.commands) text += command + "\n";
    return text + "```\n\n</details>\n";
  }

  // For examples without a published figure: the coordinates, at most six, and the energy.
  std::string motion(const Model& model) {
    const Result result = simulate(model);
    Plot plot{model.title, {"t, s"}, {"coordinates"}, {}};
    for (size_t i = 0; i < std::min<size_t>(6, result.summary.q_names.size()); ++i) {
      Curve curve{result.summary.q_names[i], result.t, {}};
      for (const Vec& q : result.q) curve.y.push_back(q[static_cast<int>(i)]);
      plot.curves.push_back(std::move(curve));
    }
    const std::string name = model.name + "-motion.svg";
    put(name, to_svg(plot));
    return fmt::format("\n## Its motion\n\n{}\n\n![motion]({})\n", brief_settings(result.summary), name);
  }
  static std::string brief_settings(const Summary& s) {
    return fmt::format("`{}`, dt = {:g} s, to t = {:g} s.", s.scheme, s.dt, s.end);
  }

  std::string index(const std::vector<Model>& models) const {
    std::string text =
        "# Gallery\n\nThe examples that come with Tappet, and how well they reproduce their papers. `make gallery` "
        "writes these pages (`tappet gallery docs/gallery`).\n\n";
    text += summary_line(results_) + ".\n\n| | example | from | published numbers and traits |\n|---|---|---|---|\n";
    for (const Model& model : models) {
      const auto own = shown_by(model.name);
      size_t passed = 0, all = 0;
      for (const Reproduced* result : own)
        for (const Outcome& o : result->outcomes) ++all, passed += o.verdict == Verdict::passed;
      text += fmt::format("| {} | [{}]({}.md)<br>`{}` | {} | {} |\n",
                          has_picture(model.name) ? fmt::format("<img src=\"{}.png\" width=\"240\">", model.name) : "",
                          cell(model.title), model.name, model.name, cell(model.source),
                          all == 0 ? std::string() : fmt::format("{} of {}", passed, all));
    }
    text += "\n## Tables and figures\n\n| name | what | source | verdict |\n|---|---|---|---|\n";
    for (const Reproduced& result : results_) {
      const bool missing = result.verdict == Verdict::missing;
      text += fmt::format("| {} | {} | {} | {}{} |\n",
                          missing ? result.name : fmt::format("[{}]({}.md)", result.name, result.example),
                          cell(result.title), cell(result.source), name(result.verdict),
                          missing ? ": " + cell(result.outcomes[0].note) : "");
    }
    return text;
  }

  fs::path folder_;
  const GalleryOptions& options_;
  std::vector<Reproduced> results_;
  std::set<std::string> written_;
};

}  // namespace

std::vector<Reproduced> write_gallery(const fs::path& folder, const GalleryOptions& options) {
  return Gallery(folder, options).write();
}

}  // namespace tappet
