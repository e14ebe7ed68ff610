// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/pose.h>

#include <filesystem>
#include <optional>
#include <vector>

#include "collision/profile/outline.h"
#include "collision/solid.h"

namespace tappet {

// What a STEP file holds, in metres and for the density 1 kg/m³.
struct StepPart {
  struct Piece {
    std::vector<Vec3d> points;
    double volume = 0.0;
  };
  struct PartSolid {
    MassProperties mass;
    std::vector<Piece> pieces;  // only without a section
  };
  // A closed curve of the section: a circle, or corners with edges of segments and arcs.
  struct Loop {
    std::optional<double> radius;  // of a circle
    Vec2 center;
    Outline corners;
  };

  Vec3d low, high;  // a box about it
  std::vector<PartSolid> solids;
  std::vector<Loop> loops;
};

struct StepRequest {
  std::filesystem::path file, reader;  // the program tappet-step-reader
  std::optional<double> section;       // the height z of the plane [m]; without it there are pieces
  double tolerance = 1e-6;             // with which curves are followed [m]
};

// Throws a UsageError: the reader was not built, the file cannot be read, or the plane does not cut the part.
StepPart read_step(const StepRequest& request);

}  // namespace tappet
