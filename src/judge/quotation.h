// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tappet {

// A passage that was copied out of a paper. "…" stands for words that were left out.

// The numbers that a passage prints. Powers of ten are recognised in the ways papers write them: "1.324 × 10−04",
// "5.197e - 005", "8 \cdot 10^{-4}", "10−10".
std::vector<double> numbers_in(const std::string& passage);

// Whether the passage prints this number.
bool prints(const std::string& passage, double number);

// Whether a text contains the passage, that is all its parts in this order and close to each other. Only letters and
// digits count. Spaces, line breaks, signs and letter case do not, because they are easily lost when the text of a
// paper is extracted.
bool holds_passage(const std::string& text, const std::string& passage);

}  // namespace tappet
