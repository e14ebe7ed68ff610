// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "commands.h"
#include "files/durable_file.h"
#include "import/import_urdf.h"
#include "import/step/import_step.h"
#include "model/model.h"

namespace {

constexpr const char* examples = R"(
Examples:
  tappet import robot.urdf -o robot.yaml                writes a model file and lists what it has not
  tappet import robot.urdf -o robot.yaml --fixed        the first link is fixed in the world
  tappet import robot.urdf -o robot.yaml --pose elbow=1.2 --pose wrist=-0.3
                                                        joints start at these values (rad, m)
  tappet run robot.yaml                                 runs it
  tappet import lever.step -o lever.yaml --section z=1e-3   the profile of a part 1 mm above its origin
  tappet import lever.step -o lever.yaml                the part as convex solids in space

The model file is meant to be edited: give joints a motor, and choose mu (docs/tutorials/robot-from-urdf.md). STEP files
are read with OpenCASCADE, which Tappet uses if it is installed when Tappet is built (docs/model-files.md).
)";

struct Settings {
  std::string file, output;
  std::vector<std::string> pose;
  std::vector<double> position;
  bool fixed = false;
  std::string section;
  double density = 7850, tolerance = 1e-6;
};

std::pair<std::string, double> value_of_joint(const std::string& text) {
  const auto equals = text.rfind('=');
  size_t used = 0;
  try {
    const std::string value = equals == std::string::npos ? "" : text.substr(equals + 1);
    const double number = std::stod(value, &used);
    if (used == value.size()) return {text.substr(0, equals), number};
  } catch (const std::logic_error&) {
  }
  throw tappet::UsageError(fmt::format("--pose {}: expected JOINT=NUMBER", text));
}

bool is_step(const std::string& file) {
  std::string ending = std::filesystem::path(file).extension();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  return ending == ".step" || ending == ".stp";
}

double height_of_section(const std::string& text) {
  size_t used = 0;
  try {
    if (text.starts_with("z=")) {
      const double z = std::stod(text.substr(2), &used);
      if (used == text.size() - 2 && std::isfinite(z)) return z;
    }
  } catch (const std::logic_error&) {
  }
  throw tappet::UsageError(fmt::format("--section {}: expected z=HEIGHT in metres", text));
}

// The reader stands beside the program, or where it was installed.
std::filesystem::path step_reader() {
  std::error_code none;
  const auto here = std::filesystem::read_symlink("/proc/self/exe", none).parent_path();
  return here / "tappet-step-reader";
}

tappet::ImportedModel import_part(const Settings& settings) {
  if (settings.fixed || !settings.pose.empty() || !settings.position.empty())
    throw tappet::UsageError("--fixed, --pose and --position belong to robots; expected a URDF file, or none of them");
  if (!(settings.density > 0.0)) throw tappet::UsageError("--density: expected a positive number of kg/m³");
  if (!(settings.tolerance > 0.0)) throw tappet::UsageError("--tolerance: expected a positive number of metres");
  tappet::StepRequest request{.file = settings.file, .reader = step_reader(), .tolerance = settings.tolerance};
  if (!settings.section.empty()) request.section = height_of_section(settings.section);
  return tappet::import_step(request, settings.density);
}

tappet::ImportedModel import_robot(const Settings& settings) {
  if (!settings.section.empty())
    throw tappet::UsageError("--section belongs to parts; expected a file with the ending .step or .stp");
  tappet::UrdfOptions options;
  options.fixed = settings.fixed;
  for (const std::string& one : settings.pose) options.pose.insert(value_of_joint(one));
  if (!settings.position.empty())
    options.position = tappet::Vec3d{settings.position[0], settings.position[1], settings.position[2]};
  options.folder = std::filesystem::absolute(settings.output).parent_path();
  return tappet::import_urdf(settings.file, options);
}

std::string line_of(const std::string& text, int number) {
  std::istringstream lines(text);
  std::string line;
  for (int i = 0; i < number && std::getline(lines, line);) ++i;
  return line;
}

// The text as a model, before it becomes a file: if the model is refused, no file is left behind. The message then
// shows the line, because there is no file in which one could look.
tappet::Model accepted(const std::string& text, const std::string& output) {
  try {
    return tappet::parse_model(text, output);
  } catch (const tappet::ModelError& error) {
    throw tappet::UsageError(fmt::format("{}\n{}\n'{}' is not written, because this model is refused", error.what(),
                                         line_of(text, error.place.line), output));
  }
}

int import(const Settings& settings) {
  const std::filesystem::path output = settings.output;
  if (std::filesystem::exists(output))
    throw tappet::UsageError(fmt::format("'{}' exists already; expected the name of a new file", settings.output));
  const bool part = is_step(settings.file);
  const tappet::ImportedModel model = part ? import_part(settings) : import_robot(settings);
  const tappet::Model check = accepted(model.text, settings.output);
  tappet::write_complete(output, model.text);
  const auto count = [](size_t n, const char* one, const char* more) {
    return fmt::format("{} {}", n, n == 1 ? one : more);
  };
  fmt::print("{}: {}, {}, {}\n", settings.output, count(check.bodies.size(), "body", "bodies"),
             count(check.joints.size(), "joint", "joints"), count(check.colliders.size(), "collider", "colliders"));
  if (!model.left_out.empty())
    fmt::print("what the {} has and the model has not, or has in another form:\n", part ? "part" : "robot");
  for (const std::string& what : model.left_out) fmt::print("  {}\n", what);
  return exit_done;
}

}  // namespace

void tappet::add_import(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("import", "Make a model file from a robot in a URDF file, or from a part in a STEP file");
  const auto settings = std::make_shared<Settings>();
  command->add_option("file", settings->file, "URDF or STEP file")->required();
  command->add_option("-o,--output", settings->output, "The model file to write")->required();
  command->add_flag("--fixed", settings->fixed, "Fix the first link in the world, even if it has a mass");
  command->add_option("--pose", settings->pose, "JOINT=VALUE at the start, in rad or m; may be repeated");
  command
      ->add_option("--position", settings->position, "x y z of the first link; otherwise a free robot stands on z = 0")
      ->expected(3);
  command->add_option("--section", settings->section, "z=HEIGHT in metres: the profile of a part at this height");
  command->add_option("--density", settings->density, "Of a part, in kg/m³ (7850)");
  command->add_option("--tolerance", settings->tolerance, "With which curves of a part are followed, in metres (1e-6)");
  command->footer(examples);
  command->callback([settings, &exit_code] { exit_code = import(*settings); });
}
