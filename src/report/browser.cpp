// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "record/hdf5/result_file.h"
#include "report/report.h"

extern char** environ;

namespace tappet {

namespace {

namespace fs = std::filesystem;

std::string on_path(std::initializer_list<const char*> programs) {
  const char* path = std::getenv("PATH");
  for (const char* program : programs) {
    std::string folders = path ? path : "/usr/bin:/bin";
    for (size_t at = 0; at <= folders.size();) {
      const size_t end = std::min(folders.find(':', at), folders.size());
      const fs::path candidate = fs::path(folders.substr(at, end - at)) / program;
      if (access(candidate.c_str(), X_OK) == 0) return candidate.string();
      at = end + 1;
    }
  }
  return {};
}

// Runs a program without a shell and without output. Returns its exit code, or −1.
int execute(std::vector<std::string> arguments) {
  std::vector<char*> raw;
  for (std::string& argument : arguments) raw.push_back(argument.data());
  raw.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", stream == STDIN_FILENO ? O_RDONLY : O_WRONLY, 0);
  pid_t child = 0;
  const int failed = posix_spawn(&child, raw[0], &actions, nullptr, raw.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (failed || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

// A path as a file: address. Everything except plain characters is escaped.
std::string address(const fs::path& file) {
  std::string text = "file://";
  for (const char c : fs::absolute(file).lexically_normal().string())
    if (std::isalnum(static_cast<unsigned char>(c)) || std::string_view("/-_.~").find(c) != std::string_view::npos)
      text += c;
    else
      text += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return text;
}

// A temporary folder. Chromium needs it because it locks its profile.
struct Profile {
  std::string path = (fs::temp_directory_path() / "tappet-chromium-XXXXXX").string();
  bool made = mkdtemp(path.data()) != nullptr;
  ~Profile() {
    std::error_code ignored;
    if (made) fs::remove_all(path, ignored);
  }
};

}  // namespace

std::optional<fs::path> write_thumbnail(const fs::path& folder, double moment, int width, int height) {
  const std::string chromium = on_path({"chromium", "chromium-browser", "google-chrome"});
  const Profile profile;
  if (chromium.empty() || !profile.made) return std::nullopt;
  const ResultFile result(folder / "result.h5");
  const long sample = static_cast<long>(moment * static_cast<double>(result.samples() - 1));
  const double t = result.rows("t", std::vector<long>{sample})[0];
  const fs::path picture = fs::absolute(folder / "thumbnail.png");
  std::error_code ignored;
  fs::remove(picture, ignored);
  execute({chromium, "--headless", "--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader", "--disable-quic",
           "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
           "--hide-scrollbars", "--user-data-dir=" + profile.path, fmt::format("--window-size={},{}", width, height),
           "--virtual-time-budget=3000", "--screenshot=" + picture.string(),
           fmt::format("{}#picture={:.17g}", address(folder / "report.html"), t)});
  if (!fs::exists(picture)) return std::nullopt;
  return picture;
}

bool open_in_browser(const fs::path& file) { return open_address_in_browser(fs::absolute(file).string()); }

bool open_address_in_browser(const std::string& address) {
  if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY") && on_path({"open"}).empty()) return false;
  const std::string opener = on_path({"xdg-open", "open", "wslview"});
  return !opener.empty() && execute({opener, address}) == 0;
}

}  // namespace tappet
