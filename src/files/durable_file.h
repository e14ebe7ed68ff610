// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tappet {

// A file descriptor, which is closed by its destructor.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept;
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  ~FileDescriptor();

  int number() const { return number_; }
  bool open() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

// The disk is full or broken.
struct WriteError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws "cannot write FILE: …" with the reason in errno: a WriteError, or a plain std::runtime_error if the file may
// not be written at all.
[[noreturn]] void fail_to_write(const std::filesystem::path& file);

void write_all(const FileDescriptor& to, const std::filesystem::path& file, const void* data, size_t size);

// Gives a complete file its final name. The name refers to the old file or to the new one at every instant, also if the
// program is killed.
void rename_complete(const std::filesystem::path& written, const std::filesystem::path& file);

// Writes FILE.new and renames it.
void write_complete(const std::filesystem::path& file, std::string_view bytes);
// The same, and waits until the disk has it, so that it survives a loss of power.
void write_durably(const std::filesystem::path& file, std::string_view bytes);
void wait_for_disk(const std::filesystem::path& file);            // the same for a file that was written before
std::filesystem::path beside(const std::filesystem::path& file);  // FILE.new

// A folder into which one program at a time may write. The lock ends with the object or with the program, however that
// ends. Throws a UsageError if another run has the lock.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  std::filesystem::path file_;
  FileDescriptor lock_;
};

}  // namespace tappet
