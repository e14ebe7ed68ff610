// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "files/durable_file.h"
#include "files/hdf5_file.h"
#include "model/reading/nearest.h"
#include "record/hdf5/result_writer.h"
#include "record/hdf5/row_journal.h"
#include "record/recorder.h"

namespace tappet {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Samples go to a journal, which only grows. result.h5 is made from it at the end, and from time to time before. It is
// written beside and renamed, so it is complete at every instant, and its bytes do not depend on when it was written.
class Hdf5Recorder final : public Recorder {
 public:
  Hdf5Recorder(const std::filesystem::path& file, const Layout& layout, const RunHeader& header,
               const Hdf5Options& options);
  ~Hdf5Recorder() override;

  void record(const Sample& sample) override;
  void event(const RecordedEvent& event) override { contents_.events.push_back(event); }
  void force_derivatives(const std::vector<ForceDerivative>& list) override { contents_.derivatives = list; }
  bool archive(Archive& a) override;
  void close() override;

 private:
  void spill();
  void write_result(long samples);
  void write_what_fits();

  const std::filesystem::path path_;
  hdf5::ResultContents contents_;
  const hdf5::Quantities quantities_;
  hdf5::RowJournal rows_;   // the quantities, and how many found contacts there were before the sample
  hdf5::RowJournal found_;  // contacts between colliders that touch
  Clock::time_point last_spill_ = Clock::now(), last_result_ = last_spill_;
  double result_seconds_ = 0.0;  // that writing the last result took
  bool closed_ = false;
  bool archived_ = false;  // a checkpoint refers to the journal, which then outlives this object
};

Hdf5Recorder::Hdf5Recorder(const std::filesystem::path& file, const Layout& layout, const RunHeader& header,
                           const Hdf5Options& options)
    : path_(file),
      contents_{layout, header, options},
      quantities_(layout, options.only),
      rows_(file.string() + ".part", quantities_.width() + 1, options.buffer_bytes),
      found_(file.string() + ".found.part", hdf5::FoundColumns::numbers, options.buffer_bytes) {
  hdf5::be_silent();  // starts the library while there is memory for it
  // A folder in which nothing can be written is noticed before the first step.
  const auto part = beside(path_);
  write_complete(part, "");
  std::filesystem::remove(part);
}

Hdf5Recorder::~Hdf5Recorder() {
  try {
    if (rows_.rows() > 0) close();
  } catch (const std::exception&) {  // errors are reported by close()
  }
}

void Hdf5Recorder::record(const Sample& sample) {
  constexpr long between_looks = 8;  // at the clock
  double* row = rows_.append();
  quantities_.take(sample, row);
  row[quantities_.width()] = static_cast<double>(found_.rows());
  if (contents_.has_found_contacts())
    for (const FoundContact& contact : sample.touching) hdf5::FoundColumns::take(contact, found_.append());
  if (rows_.rows() % between_looks == 0 && seconds_since(last_spill_) > contents_.options.flush_seconds) spill();
}

// What was recorded is now in the journal. A result that others can read costs as much as writing all of it. So the
// time between two of them grows with it.
void Hdf5Recorder::spill() {
  constexpr double share = 20.0;
  found_.spill();
  rows_.spill();
  last_spill_ = Clock::now();
  if (seconds_since(last_result_) < share * result_seconds_) return;
  write_result(rows_.rows());
  result_seconds_ = seconds_since(last_spill_);
  last_result_ = Clock::now();
}

void Hdf5Recorder::write_result(long samples) {
  const auto part = beside(path_);
  try {
    hdf5::ResultWriter writer(part, contents_, quantities_);
    double found = 0.0;
    rows_.each(samples, [&](const double* row) {
      writer.append(row);
      if (contents_.has_found_contacts()) writer.start_found(row[quantities_.width()]);
    });
    if (contents_.has_found_contacts()) {
      if (samples == rows_.rows())
        found = static_cast<double>(found_.rows());
      else
        rows_.each(samples + 1, [&](const double* row) { found = row[quantities_.width()]; });
      found_.each(static_cast<long>(found), [&](const double* contact) { writer.append_found(contact); });
    }
    writer.close();
    rename_complete(part, path_);
  } catch (const std::runtime_error& error) {
    std::error_code ignored;
    std::filesystem::remove(part, ignored);
    const std::string what = error.what();
    throw WriteError(what.starts_with("cannot write") ? what
                                                      : fmt::format("cannot write {}: {}", path_.string(), what));
  }
}

// If the disk is full, the first part of the samples is better than nothing.
void Hdf5Recorder::write_what_fits() {
  std::exception_ptr failure;
  for (long samples = rows_.rows();; samples = samples * 7 / 8) {
    try {
      write_result(samples);
      break;
    } catch (const WriteError&) {
      if (!failure) failure = std::current_exception();
      if (samples == 0) break;
    }
  }
  if (failure) std::rethrow_exception(failure);
}

bool Hdf5Recorder::archive(Archive& a) {
  archived_ = true;
  a(rows_, found_);
  archive_events(a, contents_.events);
  return true;
}

void Hdf5Recorder::close() {
  if (closed_) return;
  closed_ = true;
  write_what_fits();
  if (archived_) return;
  rows_.remove();
  found_.remove();
}

}  // namespace

void Hdf5Options::check() const {
  if (deflate < 0 || deflate > 9) throw std::invalid_argument(fmt::format("deflate is {}; expected 0 to 9", deflate));
  if (buffer_bytes < 1)
    throw std::invalid_argument(fmt::format("buffer is {} bytes; expected a positive size", buffer_bytes));
  if (!(flush_seconds > 0))
    throw std::invalid_argument(fmt::format("flush interval is {} s; expected a positive time", flush_seconds));
}

void check_names_to_record(const std::vector<std::string>& only, const Layout& layout) {
  std::vector<std::string> known = {"q", "u", "energy", "contacts", "joints", "found"};
  for (const auto& contact : layout.contacts) known.push_back(contact.name);
  for (const auto& joint : layout.joints) known.push_back(joint.name);
  for (const std::string& name : only)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw std::invalid_argument(fmt::format("nothing called '{}' can be recorded{}; expected {}", name,
                                              suggestion(name, known), listed(known)));
}

std::unique_ptr<Recorder> hdf5_recorder(const std::filesystem::path& file, const Layout& layout,
                                        const RunHeader& header, const Hdf5Options& options) {
  options.check();
  check_names_to_record(options.only, layout);
  return std::make_unique<Hdf5Recorder>(file, layout, header, options);
}

std::string hdf5_name(const std::string& name) {
  const bool dots = name.find_first_not_of('.') == std::string::npos;  // "." is the group itself
  std::string safe;
  for (const char c : name) {
    if (c == '/' || c == '%' || c == '\0' || (c == '.' && dots)) {
      safe += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      safe += c;
    }
  }
  return safe.empty() ? "%" : safe;
}

}  // namespace tappet
