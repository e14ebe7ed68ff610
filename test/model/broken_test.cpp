// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "model/model.h"
#include "support/paths.h"

namespace tappet {
namespace {

std::vector<std::filesystem::path> broken_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(test::data() + "/broken"))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

// The head of a broken file: "# line:column key", "# says: part of the message".
struct Expected {
  Place place;
  std::string key, says;

  explicit Expected(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::string first, second;
    std::getline(in, first);
    std::getline(in, second);
    std::istringstream words(first.substr(2));
    char colon;
    words >> place.line >> colon >> place.column >> std::ws;
    std::getline(words, key);
    says = second.substr(std::string("# says: ").size());
  }
};

std::string test_name(const testing::TestParamInfo<std::filesystem::path>& info) { return info.param.stem().string(); }

class BrokenModel : public testing::TestWithParam<std::filesystem::path> {};
INSTANTIATE_TEST_SUITE_P(all, BrokenModel, testing::ValuesIn(broken_files()), test_name);

TEST_P(BrokenModel, is_refused_with_file_place_key_and_expectation) {
  const Expected expected(GetParam());
  try {
    load(GetParam());
    FAIL() << "accepted";
  } catch (const ModelError& e) {
    const std::string what = e.what();
    EXPECT_EQ(e.place.line, expected.place.line) << what;
    EXPECT_EQ(e.place.column, expected.place.column) << what;
    EXPECT_EQ(e.key, expected.key) << what;
    EXPECT_NE(what.find(expected.says), std::string::npos) << what << "\nshould say: " << expected.says;
    const std::string head =
        GetParam().string() + ":" + std::to_string(e.place.line) + ":" + std::to_string(e.place.column) + ": ";
    EXPECT_EQ(what.rfind(head + e.key, 0), 0u) << what;
  }
}

TEST(broken_models, are_at_least_sixty) { EXPECT_GE(broken_files().size(), 60u); }

}  // namespace
}  // namespace tappet
