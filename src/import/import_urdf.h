// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/pose.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tappet {

struct UrdfOptions {
  bool fixed = false;                       // the first link is fixed in the world, even if it has a mass
  std::map<std::string, double> pose = {};  // values of joints at the start, in rad or m
  std::optional<Vec3d> position = {};       // of the first link; without it a free robot stands on the plane z = 0
  std::filesystem::path folder = {};        // of the model file: meshes are named relative to it
};

// A model file, and what the robot has that the model has not.
struct ImportedModel {
  std::string text;
  std::vector<std::string> left_out;
};

// Throws a ModelError or a UsageError.
ImportedModel import_urdf(const std::filesystem::path& file, const UrdfOptions& options);

}  // namespace tappet
