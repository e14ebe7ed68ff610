// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <TopoDS_Shape.hxx>
#include <nlohmann/json.hpp>

// A solid as convex pieces: it is cut along the planes of faces at inner edges until none is left. Each piece is
// {"points": [[x, y, z], ..], "volume": v}, in millimetres. Its hull is the piece if all its faces are flat; round
// faces are followed by points no further than `tolerance` apart from them. A solid with hollow round faces, such as a
// bore, has no such pieces; then "points" still holds the points, and whoever reads them compares the volume of their
// hull.
nlohmann::json pieces_of(const TopoDS_Shape& solid, double tolerance);
