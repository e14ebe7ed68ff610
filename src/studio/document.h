// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <mutex>
#include <optional>
#include <string>

namespace tappet::studio {

// The model file that the studio edits. It is the only file that the studio writes.
class Document {
 public:
  // `file` is saved. `source` is read, if the file does not exist yet; it may be the same.
  Document(std::filesystem::path file, std::filesystem::path source);

  const std::filesystem::path& file() const { return file_; }
  const std::filesystem::path& source() const { return source_; }  // names in the model are relative to it

  struct Contents {
    std::string text;
    std::string version;  // a fingerprint of the file on disk; "" if there is none
  };
  Contents read() const;

  // Writes the text, unless the file on disk is another one than the version that the page knows. Returns the new
  // version, or nothing if the file has changed. Throws a std::runtime_error if it cannot be written.
  std::optional<std::string> save(const std::string& text, const std::string& known, bool overwrite);

 private:
  std::filesystem::path file_, source_;
  std::mutex mutex_;
};

}  // namespace tappet::studio
