// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <fstream>

#include "commands.h"
#include "import/import_urdf.h"
#include "model/model.h"

namespace {

constexpr const char* examples = R"(
Examples:
  tappet import robot.urdf -o robot.yaml                writes a model file and lists what it has not
  tappet import robot.urdf -o robot.yaml --fixed        the first link is fixed in the world
  tappet import robot.urdf -o robot.yaml --pose elbow=1.2 --pose wrist=-0.3
                                                        joints start at these values (rad, m)
  tappet run robot.yaml                                 runs it

The model file is meant to be edited: give joints a motor, and choose mu (docs/tutorials/robot-from-urdf.md).
)";

struct Settings {
  std::string file, output;
  std::vector<std::string> pose;
  std::vector<double> position;
  bool fixed = false;
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

int import(const Settings& settings) {
  tappet::UrdfOptions options;
  options.fixed = settings.fixed;
  for (const std::string& one : settings.pose) options.pose.insert(value_of_joint(one));
  if (!settings.position.empty())
    options.position = tappet::Vec3d{settings.position[0], settings.position[1], settings.position[2]};
  const std::filesystem::path output = settings.output;
  options.folder = std::filesystem::absolute(output).parent_path();
  if (std::filesystem::exists(output))
    throw tappet::UsageError(fmt::format("'{}' exists already; expected the name of a new file", settings.output));
  const tappet::ImportedModel model = tappet::import_urdf(settings.file, options);
  std::ofstream(output) << model.text;
  if (!std::ifstream(output)) throw tappet::UsageError(fmt::format("cannot write '{}'", settings.output));
  const tappet::Model check = tappet::load(output);
  fmt::print("{}: {} bodies, {} joints, {} colliders\n", settings.output, check.bodies.size(), check.joints.size(),
             check.colliders.size());
  if (!model.left_out.empty()) fmt::print("what the robot has and the model has not, or has in another form:\n");
  for (const std::string& what : model.left_out) fmt::print("  {}\n", what);
  return exit_done;
}

}  // namespace

void tappet::add_import(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("import", "Make a model file from a robot in a URDF file");
  const auto settings = std::make_shared<Settings>();
  command->add_option("file", settings->file, "URDF file")->required();
  command->add_option("-o,--output", settings->output, "The model file to write")->required();
  command->add_flag("--fixed", settings->fixed, "Fix the first link in the world, even if it has a mass");
  command->add_option("--pose", settings->pose, "JOINT=VALUE at the start, in rad or m; may be repeated");
  command
      ->add_option("--position", settings->position, "x y z of the first link; otherwise a free robot stands on z = 0")
      ->expected(3);
  command->footer(examples);
  command->callback([settings, &exit_code] { exit_code = import(*settings); });
}
