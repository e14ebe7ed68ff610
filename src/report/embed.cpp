// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/embed.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "report/page_arrays.h"

namespace tappet {

namespace {

void replace(std::string& text, const std::string& mark, const std::string& by) {
  const size_t at = text.find(mark);
  if (at == std::string::npos) throw std::runtime_error("the page lacks the mark " + mark);
  text.replace(at, mark.size(), by);
}

// Makes sure that no text of a model ends the HTML element that holds it.
std::string embedded(const nlohmann::ordered_json& json) {
  const std::string text = json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text)
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  return safe;
}

}  // namespace

std::string filled_page(std::string page, const nlohmann::ordered_json& json, const PageArrays& arrays) {
  replace(page, "<!--TAPPET-ARRAYS-->", arrays.packed());
  replace(page, "<!--TAPPET-RUN-->", embedded(json));
  return page;
}

}  // namespace tappet
