// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "judge/compare/compare.h"
#include "record/sample.h"

namespace tappet {

inline constexpr const char* exact_scheme = "event-driven";

// A run of a comparison, with those of its options that the scheme has. It is interrupted if it takes more than
// `most_s` or CompareOptions::limit_s.
Result limited_run(const Model& model, const CompareOptions& asked, const std::string& scheme, double dt, double end,
                   double most_s = HUGE_VAL);

// The motion that CompareOptions::reference asks for. `finest` is the smallest dt of the comparison.
ReferenceMotion find_reference(const Model& model, const CompareOptions& asked, double finest, double end);

// Second opinions on the reference of a comparison whose runs are done (compare_checks.cpp).
std::vector<ReferenceCheck> check_reference(const Model& model, const CompareOptions& asked,
                                            const Comparison& comparison, const ReferenceMotion& reference);

// The samples of a case file (test/data/cases) up to `end`: `t` with `q` and `u`, or the coordinates by name. `where`
// is FILE or FILE#path/to/set.
ReferenceMotion case_motion(const std::string& where, const Layout& layout, double end);

}  // namespace tappet
