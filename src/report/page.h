// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tappet {

// The page that shows a run, with two marks that are replaced by its data. It is empty if the program was built without
// the page.
std::string page_template();

// The page of the studio, which fetches its data.
std::string studio_page_template();

// The same for the page that shows a study, and for the page that shows branches of orbits.
std::string study_page_template();
std::string orbits_page_template();

}  // namespace tappet
