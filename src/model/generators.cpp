// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "model/generators.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_map>

#include "model/reading/element_reader.h"

namespace tappet {
namespace {

constexpr int most_bodies = 10'000'000;

// SplitMix64, which gives the same numbers with every compiler and library.
class Random {
 public:
  explicit Random(int seed) : state_(static_cast<uint64_t>(seed) * 0x9E3779B97F4A7C15ull + 0x2545F4914F6CDD1Dull) {}
  double operator()(double low, double high) {
    uint64_t z = (state_ += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    z ^= z >> 31;
    return low + (high - low) * (static_cast<double>(z >> 11) * 0x1p-53);
  }
  Vec3d operator()(const Vec3d& low, const Vec3d& high) {
    const double x = (*this)(low.x, high.x), y = (*this)(low.y, high.y);
    return {x, y, (*this)(low.z, high.z)};
  }

 private:
  uint64_t state_;
};

int seed_of(const Loading& loading, const Item& item) {
  const auto seed = item.find("seed");
  return seed ? loading.values.integer(*seed, 0) : 0;
}

double length_of(const Loading& loading, const Item& item, const char* key) {
  const auto given = item.find(key);
  if (!given) return 0.0;
  const double value = loading.values.number(*given);
  if (value < 0.0) given->fail(fmt::format("found {}; expected a length, zero or more", value));
  return value;
}

void check_count(const Item& item, double total) {
  if (total > most_bodies) item.fail(fmt::format("{:g} bodies; expected at most {}", total, most_bodies));
}

Vec3d spacing_of(const Loading& loading, const Item& item) {
  const Item spacing = item.at("spacing", "a distance, or one for each axis");
  if (!spacing.is_list()) {
    const double s = loading.values.number(spacing);
    return {s, s, s};
  }
  const std::vector<double> s = loading.values.numbers(spacing, 3, 3, "a distance, or one for each axis [x, y, z]");
  return {s[0], s[1], s[2]};
}

std::vector<Vec3d> grid(const Loading& loading, const Item& item) {
  item.allow({"count", "spacing", "jitter", "seed"});
  const Item count = item.at("count", "three whole numbers [a, b, c]");
  const std::vector<Item> numbers = count.list("three whole numbers [a, b, c]");
  if (numbers.size() != 3) count.fail_expecting("three whole numbers [a, b, c]");
  int n[3];
  for (int i = 0; i < 3; ++i) n[i] = loading.values.integer(numbers[i], 1);
  check_count(count, static_cast<double>(n[0]) * n[1] * n[2]);
  const Vec3d step = spacing_of(loading, item);
  const double jitter = length_of(loading, item, "jitter");
  Random random(seed_of(loading, item));
  // Bodies are numbered along the shortest side first. Neighbours then have close numbers and lie close to each other
  // in memory.
  std::array axes{0, 1, 2};
  std::stable_sort(axes.begin(), axes.end(), [&](int a, int b) { return n[a] < n[b]; });
  std::vector<Vec3d> offsets;
  int at[3];
  for (int& k = at[axes[2]] = 0; k < n[axes[2]]; ++k)
    for (int& j = at[axes[1]] = 0; j < n[axes[1]]; ++j)
      for (int& i = at[axes[0]] = 0; i < n[axes[0]]; ++i) {
        Vec3d p{at[0] * step.x, at[1] * step.y, at[2] * step.z};
        if (jitter > 0.0) p = p + random(Vec3d{-jitter, -jitter, -jitter}, Vec3d{jitter, jitter, jitter});
        offsets.push_back(p);
      }
  return offsets;
}

std::vector<Vec3d> pyramid(const Loading& loading, const Item& item) {
  item.allow({"count", "spacing"});
  const Item count = item.at("count", "the number of bodies in the lowest row");
  const int n = loading.values.integer(count, 1);
  check_count(count, 0.5 * n * (n + 1.0));
  const Vec3d step = spacing_of(loading, item);
  std::vector<Vec3d> offsets;
  for (int row = 0; row < n; ++row)
    for (int i = 0; i < n - row; ++i) offsets.push_back({(i + 0.5 * row) * step.x, 0.0, row * step.z});
  return offsets;
}

// The points so far, sorted into cells that are as wide as the distance that points keep. A new point only needs to
// look at 27 cells.
class Scatter {
 public:
  Scatter(const Vec3d& low, double distance) : low_(low), distance_(distance) {}

  bool add(const Vec3d& p) {
    const int64_t i = cell(p.x - low_.x), j = cell(p.y - low_.y), k = cell(p.z - low_.z);
    for (int64_t a = i - 1; a <= i + 1; ++a)
      for (int64_t b = j - 1; b <= j + 1; ++b)
        for (int64_t c = k - 1; c <= k + 1; ++c) {
          const auto found = cells_.find(key(a, b, c));
          if (found == cells_.end()) continue;
          for (const Vec3d& other : found->second)
            if (const Vec3d d = p - other; dot(d, d) < distance_ * distance_) return false;
        }
    cells_[key(i, j, k)].push_back(p);
    return true;
  }

 private:
  int64_t cell(double x) const { return static_cast<int64_t>(std::floor(x / distance_)); }
  static uint64_t key(int64_t a, int64_t b, int64_t c) {
    constexpr uint64_t mask = (1u << 21) - 1;
    return (static_cast<uint64_t>(a) & mask) << 42 | (static_cast<uint64_t>(b) & mask) << 21 |
           (static_cast<uint64_t>(c) & mask);
  }

  Vec3d low_;
  double distance_;
  std::unordered_map<uint64_t, std::vector<Vec3d>> cells_;
};

std::vector<Vec3d> random(const Loading& loading, const Item& item) {
  item.allow({"count", "box", "distance", "seed"});
  const Item count = item.at("count", "the number of bodies"),
             box = item.at("box", "two corners [[x, y, z], [x, y, z]]");
  const int n = loading.values.integer(count, 1);
  check_count(count, n);
  const std::vector<Item> corners = box.list("two corners [[x, y, z], [x, y, z]]");
  if (corners.size() != 2) box.fail_expecting("two corners [[x, y, z], [x, y, z]]");
  Vec3d corner[2];
  for (int i = 0; i < 2; ++i) {
    const std::vector<double> x = loading.values.numbers(corners[i], 3, 3, "a corner [x, y, z]");
    corner[i] = {x[0], x[1], x[2]};
  }
  for (int i = 0; i < 3; ++i)
    if (corner[1][i] < corner[0][i]) box.fail("the second corner lies below the first; expected lower, then upper");
  const double distance = length_of(loading, item, "distance");
  Random draw(seed_of(loading, item));
  Scatter scatter(corner[0], distance > 0.0 ? distance : 1.0);
  constexpr int tries = 1000;  // for one body; fewer are needed up to about a third of the volume
  std::vector<Vec3d> offsets;
  for (int i = 0; i < n; ++i) {
    Vec3d p = draw(corner[0], corner[1]);
    for (int attempt = 1; distance > 0.0 && !scatter.add(p); ++attempt) {
      if (attempt == tries)
        item.fail_at_key(
            fmt::format("after {} of {} bodies no place was left at distance {:g}; expected a larger box, "
                        "fewer bodies or `grid:`",
                        i, n, distance));
      p = draw(corner[0], corner[1]);
    }
    offsets.push_back(p);
  }
  // Bodies are numbered along the longest side, so neighbours have close numbers.
  const Vec3d size = corner[1] - corner[0];
  const int longest = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  std::stable_sort(offsets.begin(), offsets.end(),
                   [longest](const Vec3d& a, const Vec3d& b) { return a[longest] < b[longest]; });
  return offsets;
}

}  // namespace

const std::vector<std::string>& generator_keys() {
  static const std::vector<std::string> keys{"grid", "pyramid", "random"};
  return keys;
}

bool is_generated(const Item& body) {
  for (const std::string& key : generator_keys())
    if (body.is_map() && body.find(key)) return true;
  return false;
}

std::vector<Vec3d> generated_offsets(const Loading& loading, const Item& body) {
  std::optional<Item> chosen;
  for (const std::string& key : generator_keys())
    if (const auto item = body.find(key)) {
      if (chosen) item->fail_at_key(fmt::format("`{}` is given too; expected one of them", chosen->key()));
      chosen = item;
    }
  if (!chosen->is_map()) chosen->fail_expecting("a map `{count: .., ..}`");
  if (chosen->key() == "grid") return grid(loading, *chosen);
  return chosen->key() == "pyramid" ? pyramid(loading, *chosen) : random(loading, *chosen);
}

}  // namespace tappet
