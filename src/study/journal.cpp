// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "study/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>

namespace tappet {

namespace {

std::string head(const std::string& fingerprint) { return fmt::format("tappet study journal 1 {}\n", fingerprint); }

template <class T>
void put(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}
void put(std::string& bytes, const std::vector<double>& values) {
  put(bytes, static_cast<std::uint32_t>(values.size()));
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
}

// Takes values from the front of a text. `good` becomes false if there are too few bytes.
struct Reader {
  std::string_view bytes;
  bool good = true;

  bool has(std::size_t count) { return good = good && bytes.size() >= count; }
  template <class T>
  T take() {
    T value{};
    if (!has(sizeof value)) return value;
    std::memcpy(&value, bytes.data(), sizeof value);
    bytes.remove_prefix(sizeof value);
    return value;
  }
  std::vector<double> numbers() {
    std::vector<double> values;
    const auto count = take<std::uint32_t>();
    if (!has(count * sizeof(double))) return values;
    values.resize(count);
    std::memcpy(values.data(), bytes.data(), count * sizeof(double));
    bytes.remove_prefix(count * sizeof(double));
    return values;
  }
  std::string text() {
    const auto size = take<std::uint32_t>();
    if (!has(size)) return {};
    std::string result(bytes.substr(0, size));
    bytes.remove_prefix(size);
    return result;
  }
};

std::string record(long run, const StudyOutcome& outcome) {
  std::string bytes;
  put(bytes, static_cast<std::int64_t>(run));
  put(bytes, outcome.status);
  put(bytes, static_cast<std::int64_t>(outcome.steps));
  put(bytes, static_cast<std::int64_t>(outcome.unconverged));
  put(bytes, outcome.iterations);
  put(bytes, outcome.measured);
  put(bytes, static_cast<std::uint32_t>(outcome.series.size()));
  for (const std::vector<double>& series : outcome.series) put(bytes, series);
  put(bytes, static_cast<std::uint32_t>(outcome.message.size()));
  return bytes + outcome.message;
}

bool read_record(std::string_view bytes, long& run, StudyOutcome& outcome) {
  Reader reader{bytes};
  run = reader.take<std::int64_t>();
  outcome.status = reader.take<OutcomeStatus>();
  outcome.steps = reader.take<std::int64_t>();
  outcome.unconverged = reader.take<std::int64_t>();
  outcome.iterations = reader.take<double>();
  outcome.measured = reader.numbers();
  const auto series = reader.take<std::uint32_t>();
  for (std::uint32_t k = 0; k < series && reader.good; ++k) outcome.series.push_back(reader.numbers());
  outcome.message = reader.text();
  return reader.good && reader.bytes.empty();
}

std::uint32_t checksum(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

[[noreturn]] void fail(const std::filesystem::path& file, const char* what) {
  throw std::runtime_error(fmt::format("{}: {}: {}", file.string(), what, std::strerror(errno)));
}

}  // namespace

std::size_t read_journal(const std::filesystem::path& file, const std::string& fingerprint,
                         const std::function<void(long, StudyOutcome&&)>& f) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return 0;
  const std::string expected = head(fingerprint);
  std::string first(expected.size(), '\0');
  in.read(first.data(), static_cast<std::streamsize>(first.size()));
  // A head that was cut off belongs to a journal without records.
  if (in.gcount() < static_cast<std::streamsize>(first.size()) && expected.starts_with(first.substr(0, in.gcount())))
    return 0;
  if (first != expected)
    throw std::runtime_error(fmt::format(
        "{}: the journal belongs to another study, another model or another version of the program; expected --fresh, "
        "which starts again, or another folder (--out)",
        file.string()));
  std::size_t end = expected.size();
  std::string bytes;
  for (std::uint32_t sizes[2]; in.read(reinterpret_cast<char*>(sizes), sizeof sizes);) {
    if (sizes[0] > (1u << 30)) break;
    bytes.resize(sizes[0]);
    if (!in.read(bytes.data(), sizes[0]) || checksum(bytes) != sizes[1]) break;
    long run = 0;
    StudyOutcome outcome;
    if (!read_record(bytes, run, outcome)) break;
    end += sizeof sizes + sizes[0];
    f(run, std::move(outcome));
  }
  return end;
}

Journal::Journal(const std::filesystem::path& file, const std::string& fingerprint) : file_(file) {
  descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail(file, "the journal cannot be written");
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    ::close(descriptor_);
    throw std::runtime_error(
        fmt::format("{}: another program carries out this study in the same folder", file.string()));
  }
  const std::size_t end = read_journal(file, fingerprint, [](long, StudyOutcome&&) {});
  if (::ftruncate(descriptor_, static_cast<off_t>(end)) != 0) fail(file, "the journal cannot be written");
  ::lseek(descriptor_, 0, SEEK_END);
  if (end == 0) buffer_ = head(fingerprint);
  flush();
}

Journal::~Journal() {
  try {
    flush();
  } catch (const std::exception&) {  // flush() was called before, where this matters
  }
  ::close(descriptor_);
}

void Journal::append(long run, const StudyOutcome& outcome) {
  constexpr std::size_t most = 1 << 20;
  const std::string bytes = record(run, outcome);
  const std::lock_guard lock(mutex_);
  put(buffer_, static_cast<std::uint32_t>(bytes.size()));
  put(buffer_, checksum(bytes));
  buffer_ += bytes;
  const auto now = std::chrono::steady_clock::now();
  if (buffer_.size() > most || now - written_ > std::chrono::milliseconds(200)) write_out();
}

void Journal::flush() {
  const std::lock_guard lock(mutex_);
  write_out();
  if (::fdatasync(descriptor_) != 0) fail(file_, "the journal cannot be written");
}

void Journal::write_out() {
  written_ = std::chrono::steady_clock::now();
  for (std::size_t done = 0; done < buffer_.size();) {
    const ssize_t written = ::write(descriptor_, buffer_.data() + done, buffer_.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(file_, "the journal cannot be written");
    done += static_cast<std::size_t>(written);
  }
  buffer_.clear();
}

}  // namespace tappet
