// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tappet {

// A passage that was copied out of a paper. "…" stands for words that were left out.

// The numbers that a passage prints, with powers of ten in the ways papers write them: "1.324 × 10−04", "5.197e - 005",
// "8 \cdot 10^{-4}", "10−10".
std::vector<double> numbers_in(const std::string& passage);

// Whether the passage prints this number.
bool prints(const std::string& passage, double number);

// Whether a text holds the passage: all its parts, in this order and near each other. Letters and digits count; spaces,
// line breaks, signs and letter case do not, because they are the first to be lost when the text of a paper is
// extracted.
bool holds_passage(const std::string& text, const std::string& passage);

}  // namespace tappet
