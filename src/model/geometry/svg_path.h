// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "collision/profile/outline.h"

namespace tappet {

// What is wrong with a path, and at which of its characters.
struct SvgError : std::runtime_error {
  SvgError(size_t at, const std::string& what) : std::runtime_error(what), position(at) {}
  size_t position;
};

// The closed curves of the `d` of an SVG path: M, L, H, V, A, C, S, Q, T, Z and their lower-case forms. Lengths are
// multiplied by `scale`. The y axis of SVG points down; that of the outline points up. Circular arcs are kept. Other
// curves become arcs that deviate from them by at most `tolerance` [m]; if it is 0, they are refused.
std::vector<Outline> outlines_of_svg(std::string_view path, double scale, double tolerance);

// The `d` of the path of an SVG file: of the one with this id, or if the id is empty, of the only one. Throws
// std::runtime_error.
std::string path_of_svg_file(const std::string& file, const std::string& id);

}  // namespace tappet
