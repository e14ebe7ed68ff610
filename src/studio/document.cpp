// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "studio/document.h"

#include <fmt/format.h>

#include <fstream>
#include <stdexcept>

#include "files/fingerprint.h"

namespace tappet::studio {

namespace fs = std::filesystem;

namespace {

std::optional<std::string> contents(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream || !fs::is_regular_file(file)) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

std::string version_of(const std::optional<std::string>& text) { return text ? fingerprint(*text) : ""; }

}  // namespace

Document::Document(fs::path file, fs::path source) : file_(fs::absolute(file)), source_(fs::absolute(source)) {}

Document::Contents Document::read() const {
  const auto saved = contents(file_);
  return {saved ? *saved : contents(source_).value_or(""), version_of(saved)};
}

// The text is written to a second file, which then takes the place of the first. So the file is never half written.
std::optional<std::string> Document::save(const std::string& text, const std::string& known, bool overwrite) {
  const std::lock_guard lock(mutex_);
  if (!overwrite && version_of(contents(file_)) != known) return std::nullopt;
  const fs::path target = fs::is_symlink(file_) ? fs::canonical(file_) : file_;
  const fs::path draft = target.parent_path() / fmt::format(".{}.studio", target.filename().string());
  std::ofstream stream(draft, std::ios::binary | std::ios::trunc);
  stream << text;
  stream.close();
  std::error_code error;
  if (stream && fs::exists(target, error)) fs::permissions(draft, fs::status(target).permissions(), error);
  if (stream) fs::rename(draft, target, error);
  if (!stream || error) {
    fs::remove(draft, error);
    throw std::runtime_error(fmt::format("{}: the file cannot be written", target.string()));
  }
  return fingerprint(text);
}

}  // namespace tappet::studio
