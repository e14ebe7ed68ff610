// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "study/page/study_page.h"

#include <fmt/format.h>

#include <fstream>

#include "report/embed.h"
#include "report/page.h"
#include "study/page/page_data.h"

namespace tappet {

bool write_study_page(const StudyResults& results, const nlohmann::ordered_json& found,
                      const std::filesystem::path& file, const StudyPageLimits& limits) {
  std::string page = study_page_template();
  if (page.empty()) return false;
  StudyPageData data(results, limits);
  nlohmann::ordered_json json = data.json(found);
  json["folder"] = file.parent_path().string();
  const std::string text = filled_page(std::move(page), json, data.arrays());
  const std::filesystem::path part = file.string() + ".part";
  std::ofstream stream(part, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw std::runtime_error(fmt::format("{}: the page of the study could not be written", file.string()));
  std::filesystem::rename(part, file);
  return true;
}

}  // namespace tappet
