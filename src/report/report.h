// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace tappet {

// Writes FOLDER/report.html from FOLDER/result.h5 and FOLDER/summary.json: the whole run in one page that needs no
// network. Long runs are thinned until the page is below 7 MB (16 MB for runs of a million steps), and the page says
// so. If the program was built without the page, it writes one that explains how to get it. Throws a std::runtime_error
// if the results cannot be read or the page cannot be written.
std::filesystem::path write_report(const std::filesystem::path& folder);

// A picture of the mechanism, FOLDER/thumbnail.png, that a headless Chromium takes of FOLDER/report.html. The result is
// empty if Chromium is not installed or fails. `moment` is the fraction of the run, 0 to 1.
std::optional<std::filesystem::path> write_thumbnail(const std::filesystem::path& folder, double moment = 0.3,
                                                     int width = 640, int height = 400);

// Opens a file in the user's browser. Returns false if no browser is found.
bool open_in_browser(const std::filesystem::path& file);
// The same for an address, as in http://…
bool open_address_in_browser(const std::string& address);

}  // namespace tappet
