// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "record/hdf5/row_journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace tappet::hdf5 {

RowJournal::RowJournal(std::filesystem::path file, int width, size_t buffer_bytes)
    : path_(std::move(file)),
      width_(width),
      most_(std::max<size_t>(1, buffer_bytes / (sizeof(double) * width)) * static_cast<size_t>(width)) {}

double* RowJournal::append() {
  if (buffer_.size() >= most_) spill();
  make_room(buffer_, buffer_.size() + width_);
  buffer_.resize(buffer_.size() + width_);
  return buffer_.data() + buffer_.size() - width_;
}

void RowJournal::open(bool anew) {
  file_ = FileDescriptor(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | (anew ? O_TRUNC : 0), 0666));
  if (!file_.open()) fail_to_write(path_);
}

// After a failure the file ends with the rows that were complete before, and the others are still in memory.
void RowJournal::spill() {
  if (buffer_.empty()) return;
  if (!file_.open()) open(true);
  const auto end = static_cast<off_t>(sizeof(double)) * width_ * written_;
  if (::lseek(file_.number(), end, SEEK_SET) != end) fail_to_write(path_);
  write_all(file_, path_, buffer_.data(), sizeof(double) * buffer_.size());
  written_ += static_cast<long>(buffer_.size() / width_);
  buffer_.clear();
}

void RowJournal::archive(Archive& a) {
  if (!a.reads()) {
    spill();
    if (file_.open() && ::fsync(file_.number()) != 0) fail_to_write(path_);
  }
  a(written_);
  if (!a.reads() || written_ == 0) return;
  open(false);
  const auto size = static_cast<off_t>(sizeof(double)) * width_ * written_;
  struct stat found = {};
  if (::fstat(file_.number(), &found) != 0 || found.st_size < size)
    throw std::runtime_error(
        fmt::format("cannot resume: {} has {} bytes; expected {} or more", path_.string(), found.st_size, size));
  if (::ftruncate(file_.number(), size) != 0) fail_to_write(path_);
}

void RowJournal::remove() {
  if (!file_.open()) return;
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

void RowJournal::each(long rows, const std::function<void(const double*)>& take) {
  constexpr size_t most_bytes = 1 << 20;
  const size_t row_bytes = sizeof(double) * width_;
  std::vector<double> block(std::max<size_t>(1, most_bytes / row_bytes) * width_);
  const long in_file = std::min(rows, written_), at_once = static_cast<long>(block.size() / width_);
  for (long first = 0; first < in_file; first += at_once) {
    const long count = std::min(at_once, in_file - first);
    const size_t size = row_bytes * count;
    for (size_t done = 0; done < size;) {
      const ssize_t got = ::pread(file_.number(), reinterpret_cast<char*>(block.data()) + done, size - done,
                                  static_cast<off_t>(row_bytes * first + done));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) throw std::runtime_error(fmt::format("cannot read {}", path_.string()));
      done += static_cast<size_t>(got);
    }
    for (long i = 0; i < count; ++i) take(block.data() + i * width_);
  }
  for (long i = in_file; i < rows; ++i) take(buffer_.data() + (i - written_) * width_);
}

}  // namespace tappet::hdf5
