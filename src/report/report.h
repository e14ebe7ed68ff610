// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

namespace tappet {

// Writes FOLDER/report.html from FOLDER/result.h5 and FOLDER/summary.json: the whole run in one page that needs no
// network. Long runs are thinned until the page is below 7 MB (16 MB for runs of a million steps); the page says so.
// A program built without the page writes one that says how to get it. Throws std::runtime_error where the results
// cannot be read or the page not be written.
std::filesystem::path write_report(const std::filesystem::path& folder);

// A picture of the mechanism, FOLDER/thumbnail.png, taken of FOLDER/report.html by a headless Chromium; nothing where
// none is installed or it fails. `moment` is the part of the run, 0 to 1.
std::optional<std::filesystem::path> write_thumbnail(const std::filesystem::path& folder, double moment = 0.3,
                                                     int width = 640, int height = 400);

// Opens a file in the user's browser; false where there is none to be found.
bool open_in_browser(const std::filesystem::path& file);

}  // namespace tappet
