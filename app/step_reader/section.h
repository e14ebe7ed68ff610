// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <TopoDS_Shape.hxx>
#include <nlohmann/json.hpp>

// The curves in which the plane z = height cuts a shape, one after the other in no order. Lengths are those of the file
// in millimetres. Each is one of
//   {"from": [x, y], "to": [x, y]}                                  a segment
//   {"from", "to", "center": [x, y], "left": true}                  an arc that turns left; from = to: a whole circle
//   {"from", "to", "bezier": [[[x, y], four points], ..]}           any other curve, in cubic parts
// `tolerance` is the largest distance of a curve from what stands for it.
nlohmann::json section_of(const TopoDS_Shape& shape, double height, double tolerance);
