// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/durable_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <tappet/error.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace tappet {

FileDescriptor::FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}
FileDescriptor::~FileDescriptor() {
  if (open()) ::close(number_);
}

void fail_to_write(const std::filesystem::path& file) {
  const int reason = errno;
  const std::string text = fmt::format("cannot write {}: {}", file.string(), std::strerror(reason));
  if (reason == ENOSPC || reason == EFBIG || reason == EDQUOT || reason == EIO) throw WriteError(text);
  throw std::runtime_error(text);
}

void write_all(const FileDescriptor& to, const std::filesystem::path& file, const void* data, size_t size) {
  for (auto* rest = static_cast<const char*>(data); size > 0;) {
    const ssize_t written = ::write(to.number(), rest, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail_to_write(file);
    rest += written, size -= static_cast<size_t>(written);
  }
}

std::filesystem::path beside(const std::filesystem::path& file) { return file.string() + ".new"; }

namespace {

// Some file systems cannot do this for a folder, and then nothing more can be done.
void wait_for_names(const std::filesystem::path& file) {
  const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  if (const FileDescriptor names(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)); names.open())
    ::fsync(names.number());
}

void write_beside(const std::filesystem::path& file, std::string_view bytes, bool durable) {
  const auto part = beside(file);
  try {
    {
      const FileDescriptor to(::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
      if (!to.open()) fail_to_write(file);
      write_all(to, file, bytes.data(), bytes.size());
      if (durable && ::fsync(to.number()) != 0) fail_to_write(file);
    }
    rename_complete(part, file);
  } catch (const std::runtime_error&) {
    std::error_code ignored;
    std::filesystem::remove(part, ignored);
    throw;
  }
}

}  // namespace

void rename_complete(const std::filesystem::path& written, const std::filesystem::path& file) {
  if (::rename(written.c_str(), file.c_str()) != 0) fail_to_write(file);
}

void write_complete(const std::filesystem::path& file, std::string_view bytes) { write_beside(file, bytes, false); }

void write_durably(const std::filesystem::path& file, std::string_view bytes) {
  write_beside(file, bytes, true);
  wait_for_names(file);
}

void wait_for_disk(const std::filesystem::path& file) {
  if (const FileDescriptor bytes(::open(file.c_str(), O_RDONLY | O_CLOEXEC)); bytes.open()) ::fsync(bytes.number());
}

// The last owner removes the file. So a file that was locked may be one that no longer has a name, and the next owner
// tries again.
FolderLock::FolderLock(const std::filesystem::path& folder) : file_(folder / ".lock") {
  while (true) {
    lock_ = FileDescriptor(::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    if (!lock_.open()) fail_to_write(file_);
    if (::flock(lock_.number(), LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK) return;  // a file system without locks
      throw UsageError(
          fmt::format("another run writes into {}; expected another folder, or wait for its end", folder.string()));
    }
    struct stat locked = {}, named = {};
    if (::fstat(lock_.number(), &locked) == 0 && ::stat(file_.c_str(), &named) == 0 && locked.st_ino == named.st_ino)
      return;
  }
}

FolderLock::~FolderLock() { ::unlink(file_.c_str()); }

}  // namespace tappet
