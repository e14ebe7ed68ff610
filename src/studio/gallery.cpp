// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "studio/gallery.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "run/models.h"

namespace tappet::studio {

namespace {

using Json = nlohmann::ordered_json;

struct Template {
  const char *model, *what;
};
constexpr Template templates[] = {{"first_model", "A ball: one coordinate and one contact"},
                                  {"dry_pendulum", "A pendulum: a body on a joint with friction"},
                                  {"slider_crank", "A slider-crank in formulas"},
                                  {"slider_crank_bodies", "The same as bodies with joints"},
                                  {"standing_quadruped", "A robot on four legs"},
                                  {"spheres_in_box", "Many balls in a box"}};

// The title without reading the whole file as a model, which takes long for some of them.
std::string title_of(const std::string& text) {
  size_t at = text.starts_with("title:") ? 0 : text.find("\ntitle:");
  if (at == std::string::npos) return {};
  at = text.find(':', at) + 1;
  std::string title = text.substr(at, text.find('\n', at) - at);
  title.erase(0, title.find_first_not_of(" \"'"));
  while (!title.empty() && (title.back() == ' ' || title.back() == '"' || title.back() == '\'')) title.pop_back();
  return title;
}

}  // namespace

Json gallery() {
  Json examples = Json::array(), chosen = Json::array();
  for (const auto& file : shipped_models()) {
    std::ifstream stream(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    examples.push_back({{"name", file.stem().string()},
                        {"folder", file.parent_path().filename().string()},
                        {"title", title_of(text)},
                        {"text", text}});
  }
  for (const Template& one : templates)
    for (const Json& example : examples)
      if (example["name"] == one.model) chosen.push_back({{"name", one.model}, {"what", one.what}});
  return {{"examples", examples}, {"templates", chosen}};
}

}  // namespace tappet::studio
