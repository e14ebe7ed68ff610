// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tappet {

class PageArrays;

// Writes the data of a page into its template: the JSON object and the packed arrays to which it refers. Throws a
// std::runtime_error if the template lacks one of its two marks.
std::string filled_page(std::string page_template, const nlohmann::ordered_json& json, const PageArrays& arrays);

}  // namespace tappet
