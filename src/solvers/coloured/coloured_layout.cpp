// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
//
// The order of a sweep: colours, and in each of them first contacts between balls by groups, then all others. Laws are
// read in their order, which is their order in memory. A colour has its contacts in that order too.
#include <tappet/vec.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "solvers/coloured/coloured_sweeps.h"

namespace tappet {

namespace {

constexpr int region_contacts = 8192, smallest_region = 1024;

}  // namespace

void ColouredSweeps::lay_out(const ContactProblem& problem) {
  const int laws = static_cast<int>(problem.laws.size());
  place_velocities(problem.G);
  sides_.resize(laws), of_balls_.resize(laws);
  parallel_for(problem.G.execution(), laws, 1024, [&](int first, int last) {
    for (int k = first; k < last; ++k) sides_[k] = sides_of(problem, k);
  });
  choose_colours(problem);
  choose_frames(problem);
  for (int k = 0; k < laws; ++k) of_balls_[k] = !is_serial(colour_of_[k]) && between_balls(problem.laws[k], sides_[k]);
}

template <class Real>
void ColouredSweeps::fill(const ContactProblem& problem, Units units) {
  Balls<Real>& list = balls<Real>();
  const int groups = sort_by_colour(problem, list.lanes), lines = lines_ + 2 * (regions_ + 1);
  make_room_anew(list.groups, groups), make_room_anew(list.velocity, lines), make_room_anew(list.P, numbers_);
  list.groups.resize(groups), list.velocity.resize(lines), list.P.resize(numbers_);
  parallel_for(problem.G.execution(), static_cast<int>(problem.laws.size()), 256, [&](int first, int last) {
    for (int k = first; k < last; ++k)
      of_balls_[k] ? fill_lane(problem, k, units, list) : fill(problem, k, parts_[place_of_law_[k]]);
  });
  close_groups(list);
  sums_.resize(groups + parts_.size());
}

template void ColouredSweeps::fill<float>(const ContactProblem&, Units);
template void ColouredSweeps::fill<double>(const ContactProblem&, Units);

// Found contacts are sorted by their bodies, and neighbours have close numbers. So consecutive bodies form a region.
// The last region is that of contacts between regions.
void ColouredSweeps::choose_regions() {
  const int laws = static_cast<int>(sides_.size());
  regions_ = laws < 2 * smallest_region ? 0 : std::max(2, laws / region_contacts);
  region_of_.resize(bodies_);
  for (int r = 0, from = 0; r < regions_; ++r) {
    const int next = r + 1 == regions_ ? -1 : static_cast<int>(static_cast<std::int64_t>(laws) * (r + 1) / regions_);
    const int to = next < 0 ? bodies_ : std::max(from, sides_[next].A);
    std::fill(region_of_.begin() + from, region_of_.begin() + to, static_cast<std::uint16_t>(r));
    from = to;
  }
  if (static_cast<int>(colours_.size()) < regions_ + 1) colours_.resize(regions_ + 1);
}

int ColouredSweeps::region_of(Sides sides) const {
  if (sides.A < 0 || regions_ == 0) return regions_;
  return sides.B < 0 || region_of_[sides.A] == region_of_[sides.B] ? region_of_[sides.A] : regions_;
}

// Greedy, in the order of the laws: takes the lowest colour of its region that none of its bodies has.
void ColouredSweeps::choose_colours(const ContactProblem& problem) {
  const Delassus& G = problem.G;
  const int laws = static_cast<int>(problem.laws.size());
  choose_regions();
  used_.assign(2 * (bodies_ + G.blocks()), 0);  // within regions and across; of bodies, and of the blocks of all others
  colour_of_.resize(laws);
  const auto least = [](std::uint64_t used) { return std::min(std::countr_one(used), colours); };
  for (int k = 0; k < laws; ++k) {
    const int region = region_of(sides_[k]);
    std::uint64_t* seen = used_.data() + (region == regions_ ? bodies_ + G.blocks() : 0);
    int colour;
    if (const auto [A, B] = sides_[k]; A >= 0) {
      std::uint64_t &of_A = seen[A], &of_B = seen[B < 0 ? A : B];
      colour = least(of_A | of_B);
      of_A |= std::uint64_t{1} << colour, of_B |= std::uint64_t{1} << colour;
    } else {
      const auto columns = G.Y().columns(k);
      const auto at = [&](int v) -> std::uint64_t& {
        return seen[body_of(v) >= 0 ? body_of(v) : bodies_ + G.block_of(v)];
      };
      std::uint64_t used = 0;
      for (int v : columns) used |= at(v);
      colour = least(used);
      for (int v : columns) at(v) |= std::uint64_t{1} << colour;
    }
    colour_of_[k] = static_cast<std::uint16_t>(region * (colours + 1) + colour);
  }
}

// Places bodies with six velocities on one cache line each, then all other velocities.
void ColouredSweeps::place_velocities(const Delassus& G) {
  const int n = G.velocities();
  const auto end_of_block = [&](int first) {
    int last = first;
    while (last < n && G.block_of(last) == G.block_of(first)) ++last;
    return last;
  };
  place_.resize(n);
  bodies_ = 0;
  for (int first = 0, last = 0; first < n; first = last) {
    last = end_of_block(first);
    for (int v = first; v < last; ++v)
      place_[v] = last - first == body ? 8 * bodies_ + v - first + (v - first) / 3 : -1;
    bodies_ += last - first == body;
  }
  int at = 8 * bodies_;
  for (int v = 0; v < n; ++v)
    if (place_[v] < 0) place_[v] = at++;
  lines_ = (at + 7) / 8;
}

int ColouredSweeps::body_of(int velocity) const { return place_[velocity] < 8 * bodies_ ? place_[velocity] / 8 : -1; }

ColouredSweeps::Sides ColouredSweeps::sides_of(const ContactProblem& problem, int law) const {
  if (problem.laws[law].kind != Law::Kind::contact || &problem.G.W() != &problem.G.Y()) return {};
  const auto columns = problem.G.W().columns(law);
  const auto starts_body = [&](int v) { return place_[v] < 8 * bodies_ && place_[v] % 8 == 0; };
  if (columns.size() == body && starts_body(columns[0])) return {body_of(columns[0]), -1};
  if (columns.size() != 2 * body || !starts_body(columns[0]) || !starts_body(columns[body])) return {};
  return {body_of(columns[0]), body_of(columns[body])};
}

// Counts the laws and gives each its lane or part.
int ColouredSweeps::sort_by_colour(const ContactProblem& problem, int lanes) {
  const int laws = static_cast<int>(problem.laws.size());
  count_.assign(kinds * (regions_ + 1) * (colours + 1), 0);
  for (int k = 0; k < laws; ++k) ++count_[kinds * colour_of_[k] + group_of(k)];
  for (auto& list : colours_) list.clear();
  int groups = 0, parts = 0;
  const auto place = [&](int& count) {  // a number of lanes becomes the first of them
    const int first = groups;
    groups += (count + lanes - 1) / lanes;
    count = lanes * first;
    return groups;
  };
  for (int c = 0; c < (regions_ + 1) * (colours + 1); ++c) {
    int* count = count_.data() + kinds * c;
    if (count[pairs] + count[on_ground] + count[others] == 0) continue;
    Colour colour{groups, 0, 0, parts, parts + count[others], {count[pairs], count[on_ground]}, is_serial(c)};
    colour.first_on_ground = place(count[pairs]), colour.last_group = place(count[on_ground]);
    count[others] = parts, parts = colour.last_part;
    colours_[c / (colours + 1)].push_back(colour);
  }
  make_room_anew(parts_, parts);
  parts_.resize(parts), place_of_law_.resize(laws);
  for (int k = 0; k < laws; ++k) place_of_law_[k] = count_[kinds * colour_of_[k] + group_of(k)]++;
  numbers_ = BallGroup<double>::rows * lanes * groups;
  for (int k = 0; k < laws; ++k)
    if (!of_balls_[k]) parts_[place_of_law_[k]].at = numbers_, numbers_ += problem.laws[k].rows;
  return groups;
}

}  // namespace tappet
