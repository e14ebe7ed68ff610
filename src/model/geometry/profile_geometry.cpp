// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "model/geometry/profile_geometry.h"

#include <fmt/format.h>

#include "collision/profile/outline.h"
#include "model/geometry/read_outline.h"

namespace tappet {
namespace {

// A loop of the profile, and where it was written.
struct Loop {
  const ReadOutline* read;
  std::vector<Piece> pieces;
};

std::vector<Piece> checked_pieces(const ReadOutline& read, const Outline& outline, bool is_hole) {
  try {
    return pieces_of(outline, is_hole);
  } catch (const OutlineError& e) {
    read.fail(e.corner, e.what());
  }
}

// A round hole may be repeated about the origin.
int copies_of(const Item& item, const Loading& loading) {
  const auto repeat = item.is_map() ? item.find("repeat") : std::nullopt;
  return repeat ? loading.values.integer(*repeat, 1) : 1;
}

void check_size(const ReadOutline& read, const Outline& corners, int copies) {
  constexpr double most = 200'000;
  const double count = static_cast<double>(corners.size()) * copies;
  if (count > most) read.fail(-1, fmt::format("the outline has {:g} corners; expected at most {:g}", count, most));
}

void check_crossings(const PlanarProfile& profile, const std::vector<Loop>& loops) {
  const Crossing crossing = find_crossing(profile);
  if (crossing.first < 0) return;
  const auto loop_of = [&](int piece) {
    int k = 0, end = static_cast<int>(loops[0].pieces.size());
    while (piece >= end) end += static_cast<int>(loops[++k].pieces.size());
    return k;
  };
  const int a = loop_of(crossing.first), b = loop_of(crossing.second);
  const std::string where = fmt::format("at ({:g}, {:g})", crossing.at.x, crossing.at.y);
  const int corner = profile.pieces()[crossing.second].written;
  if (a == b)
    loops[b].read->fail(corner, fmt::format("the outline crosses itself {}; expected one that does not", where));
  loops[b].read->fail(corner,
                      fmt::format("the hole crosses {} {}; expected it inside the outline and beside other holes",
                                  a == 0 ? "the outline" : "another hole", where));
}

void check_inside(const std::vector<Loop>& loops) {
  for (size_t k = 1; k < loops.size(); ++k)
    for (size_t other = 0; other < loops.size(); ++other) {
      if (other == k || encloses(loops[other].pieces, loops[k].pieces[0].from) == (other == 0)) continue;
      loops[k].read->fail(-1, other == 0 ? "the hole is outside of the outline; expected it inside"
                                         : "the hole is inside another hole; expected it beside the other holes");
    }
}

}  // namespace

std::shared_ptr<const Solid> ProfileGeometry::make(const Item& item, Loading& loading) const {
  std::vector<ReadOutline> read{read_outline(*outline.item, loading, rounding)};
  if (holes.item)
    for (const Item& hole : holes.item->list("a list of outlines"))
      read.push_back(read_outline(hole, loading, rounding));
  std::vector<Loop> loops;
  for (size_t k = 0; k < read.size(); ++k) {
    const int copies = k == 0 ? repeat : copies_of(read[k].item, loading);
    if (k == 0 && outline.item->is_map() && outline.item->find("repeat"))
      outline.item->find("repeat")->fail_at_key("the outline is not repeated here; expected `repeat` beside `outline`");
    // The first curve of an SVG path is the outline, the others are holes in it.
    for (size_t part = 0; part < read[k].outlines.size(); ++part) {
      const Outline& corners = read[k].outlines[part];
      check_size(read[k], corners, copies);
      if (k == 0) {
        loops.push_back(
            {&read[k], checked_pieces(read[k], repeated_outline(corners, part == 0 ? copies : 1), part > 0)});
        continue;
      }
      for (int copy = 0; copy < copies; ++copy) {
        Outline turned_copy = repeated_outline(corners, copies);
        turned_copy.erase(turned_copy.begin(),
                          turned_copy.begin() + copy * static_cast<std::ptrdiff_t>(corners.size()));
        turned_copy.resize(corners.size());
        loops.push_back({&read[k], checked_pieces(read[k], turned_copy, true)});
      }
    }
  }
  std::vector<std::vector<Piece>> pieces;
  for (const Loop& loop : loops) pieces.push_back(loop.pieces);
  auto profile = std::make_shared<const PlanarProfile>(std::move(pieces));
  check_crossings(*profile, loops);
  check_inside(loops);
  return profile;
}

}  // namespace tappet
