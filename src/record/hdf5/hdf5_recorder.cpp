// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <tappet/error.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <stdexcept>

#include "model/reading/nearest.h"
#include "record/hdf5/found_columns.h"
#include "record/hdf5/hdf5_column.h"
#include "record/recorder.h"

namespace tappet {

namespace {

using hdf5::Column;
using hdf5::Handle;
using Clock = std::chrono::steady_clock;

// The names of very large systems do not fit into an attribute (64 KiB). They are then stored in a data set.
constexpr size_t names_in_attribute = 2000;

class Hdf5Recorder final : public Recorder {
 public:
  Hdf5Recorder(const std::filesystem::path& file, const Layout& layout, const RunHeader& header,
               const Hdf5Options& options);
  ~Hdf5Recorder() override;

  void record(const Sample& sample) override;
  void event(const RecordedEvent& event) override { events_.push_back(event); }
  void force_derivatives(const std::vector<ForceDerivative>& list) override { derivatives_ = list; }
  void close() override;

 private:
  using Source = std::function<const double*(const Sample&)>;
  void add(hid_t parent, const std::string& name, int width, Source source);
  void add_state(const Layout& layout);
  void add_contacts(const Layout& layout);
  void add_joints(const Layout& layout);
  void add_motion(hid_t group, const Layout::MeasuredJoint& joint, int k);
  void add_steps();
  void write_names(const char* data, const std::vector<std::string>& names, const std::vector<std::string>& units);
  void write_header(const RunHeader& header);
  void write_events();
  void write_force_derivatives();
  void flush();
  bool keeps(const std::string& group, const std::string& name = "") const;

  Handle file_;
  int rows_per_chunk_, deflate_;
  double flush_seconds_;
  std::vector<std::string> only_;
  std::vector<Column> columns_;
  std::vector<Source> sources_;
  std::vector<Column> step_columns_;  // status, iterations: integers
  std::optional<hdf5::FoundColumns> found_;
  std::vector<RecordedEvent> events_;
  std::vector<ForceDerivative> derivatives_;
  std::vector<std::string> contact_names_;
  Clock::time_point last_flush_ = Clock::now();
  double total_energy_ = 0;
};

int rows_per_chunk(const Layout& layout, const Hdf5Options& options) {
  const size_t width = 8 + layout.q_size + layout.u_size + 5 * layout.contacts.size() + 4 * layout.friction_rows() +
                       2 * layout.joint_rows() + Layout::MeasuredJoint::numbers * layout.measured.size();
  return static_cast<int>(std::clamp<size_t>(options.buffer_bytes / (8 * width), width > 100'000 ? 1 : 8, 4096));
}

Hdf5Recorder::Hdf5Recorder(const std::filesystem::path& file, const Layout& layout, const RunHeader& header,
                           const Hdf5Options& options)
    : file_(hdf5::create_file(file)),
      rows_per_chunk_(rows_per_chunk(layout, options)),
      deflate_(options.deflate),
      flush_seconds_(options.flush_seconds),
      only_(options.only) {
  write_header(header);
  add_state(layout);
  add_contacts(layout);
  add_joints(layout);
  add_steps();
  hdf5::check(H5Fflush(file_, H5F_SCOPE_GLOBAL), "flush " + file.string());
}

Hdf5Recorder::~Hdf5Recorder() {
  try {
    close();
  } catch (const std::exception&) {  // errors are reported by close()
  }
}

bool Hdf5Recorder::keeps(const std::string& group, const std::string& name) const {
  return only_.empty() || std::any_of(only_.begin(), only_.end(), [&](const std::string& kept) {
           return kept == group || (!name.empty() && kept == name);
         });
}

void Hdf5Recorder::add(hid_t parent, const std::string& name, int width, Source source) {
  columns_.emplace_back(parent, name, width, rows_per_chunk_, deflate_);
  sources_.push_back(std::move(source));
}

void Hdf5Recorder::add_state(const Layout& layout) {
  add(file_, "t", 0, [](const Sample& s) { return &s.t; });
  if (layout.q_size > 0 && keeps("q")) {
    add(file_, "q", layout.q_size, [](const Sample& s) { return s.q.data(); });
    write_names("q", layout.q, layout.q_units);
  }
  if (layout.u_size > 0 && keeps("u")) {
    add(file_, "u", layout.u_size, [](const Sample& s) { return s.u.data(); });
    write_names("u", layout.u, layout.u_units);
  }
  if (!keeps("energy")) return;
  const Handle energy = hdf5::create_group(file_, "energy");
  add(energy, "kinetic", 0, [](const Sample& s) { return &s.kinetic; });
  add(energy, "potential", 0, [](const Sample& s) { return &s.potential; });
  add(energy, "total", 0, [this](const Sample&) { return &total_energy_; });
  hdf5::write_attribute(energy, "units", "J");
}

void Hdf5Recorder::add_contacts(const Layout& layout) {
  if (layout.colliders && keeps("found")) {
    const Handle found = hdf5::create_group(file_, "found");
    add(found, "count", 0, [](const Sample& s) { return &s.found; });
    add(found, "penetration", 0, [](const Sample& s) { return &s.penetration; });
    if (layout.found_one_by_one) found_.emplace(found, layout, rows_per_chunk_, deflate_);
  }
  const Handle group = hdf5::create_group(file_, "contacts");
  for (size_t i = 0; i < layout.contacts.size(); ++i) {
    const auto& [name, row, rows] = layout.contacts[i];
    contact_names_.push_back(name);
    if (!keeps("contacts", name)) continue;
    const Handle contact = hdf5::create_group(group, hdf5_name(name));
    hdf5::write_attribute(contact, "name", name);
    const auto normal = [&](const char* quantity, Vec Sample::*values) {
      add(contact, quantity, 0, [values, i](const Sample& s) { return (s.*values).data() + i; });
    };
    const auto tangential = [&](const char* quantity, Vec Sample::*values) {
      if (rows > 0)
        add(contact, quantity, rows, [values, row = row](const Sample& s) { return (s.*values).data() + row; });
    };
    normal("gap", &Sample::gap);
    normal("gap_velocity", &Sample::gap_velocity);
    tangential("slip_velocity", &Sample::slip_velocity);
    normal("P_N", &Sample::P_N);
    tangential("P_F", &Sample::P_F);
    normal("lambda_N", &Sample::lambda_N);
    tangential("lambda_F", &Sample::lambda_F);
    normal("Lambda_N", &Sample::Lambda_N);
    tangential("Lambda_F", &Sample::Lambda_F);
  }
}

void Hdf5Recorder::add_motion(hid_t group, const Layout::MeasuredJoint& joint, int k) {
  constexpr int numbers = Layout::MeasuredJoint::numbers;
  for (int i = 0; i < numbers; ++i)
    if (i < 2 || (i == 2 && joint.friction) || (i == 3 && joint.motor))
      add(group, Layout::MeasuredJoint::quantities(joint.slides, i), 0,
          [at = numbers * k + i](const Sample& s) { return s.joint_motion.data() + at; });
}

void Hdf5Recorder::add_joints(const Layout& layout) {
  const Handle group = hdf5::create_group(file_, "joints");
  for (const auto& [name, row, rows] : layout.joints) {
    if (rows == 0 || !keeps("joints", name)) continue;
    const Handle joint = hdf5::create_group(group, hdf5_name(name));
    hdf5::write_attribute(joint, "name", name);
    add(joint, "residual", rows, [row = row](const Sample& s) { return s.joint_residual.data() + row; });
    add(joint, "impulse", rows, [row = row](const Sample& s) { return s.joint_impulse.data() + row; });
    for (size_t k = 0; k < layout.measured.size(); ++k)
      if (layout.measured[k].name == name) add_motion(joint, layout.measured[k], static_cast<int>(k));
  }
}

void Hdf5Recorder::add_steps() {
  const Handle steps = hdf5::create_group(file_, "steps");
  hdf5::write_attribute(steps, "status",
                        std::vector<std::string>{"converged", "not_converged", "infeasible", "bad_input"});
  step_columns_.emplace_back(steps, "status", 0, rows_per_chunk_, deflate_, Column::Numbers::int32);
  step_columns_.emplace_back(steps, "iterations", 0, rows_per_chunk_, deflate_, Column::Numbers::int32);
  add(steps, "residual", 0, [](const Sample& s) { return &s.residual; });
  add(steps, "dt", 0, [](const Sample& s) { return &s.dt; });
}

void Hdf5Recorder::write_names(const char* data, const std::vector<std::string>& names,
                               const std::vector<std::string>& units) {
  if (names.empty()) return;
  if (names.size() > names_in_attribute) return hdf5::write_texts(file_, fmt::format("{}_names", data), names);
  hdf5::write_attribute(columns_.back().id(), "names", names);
  hdf5::write_attribute(columns_.back().id(), "units", units);
}

void Hdf5Recorder::write_header(const RunHeader& header) {
  hdf5::write_attribute(file_, "program", "tappet");
  hdf5::write_attribute(file_, "version", version);
  hdf5::write_attribute(file_, "scheme", header.scheme);
  hdf5::write_attribute(file_, "dt", header.dt);
  hdf5::write_attribute(file_, "end", header.end);
  const Handle model = hdf5::create_group(file_, "model");
  hdf5::write_text(model, "name", header.model);
  hdf5::write_text(model, "title", header.title);
  hdf5::write_text(model, "source", header.source);
  hdf5::write_text(model, "text", header.model_text);
  hdf5::write_text(model, "settings", header.settings);
}

void Hdf5Recorder::record(const Sample& sample) {
  total_energy_ = sample.kinetic + sample.potential;
  for (size_t i = 0; i < columns_.size(); ++i) columns_[i].append(sources_[i](sample));
  step_columns_[0].append(static_cast<double>(sample.status));
  step_columns_[1].append(sample.iterations);
  if (found_) found_->append(sample.touching);
  const int rows = step_columns_[0].buffered();
  if (rows >= rows_per_chunk_ || (rows % std::min(8, rows_per_chunk_) == 0 &&
                                  std::chrono::duration<double>(Clock::now() - last_flush_).count() > flush_seconds_))
    flush();
}

void Hdf5Recorder::flush() {
  for (auto* columns : {&columns_, &step_columns_})
    for (Column& column : *columns) column.flush();
  if (found_) found_->flush();
  hdf5::check(H5Fflush(file_, H5F_SCOPE_GLOBAL), "flush the result file");
  last_flush_ = Clock::now();
}

void Hdf5Recorder::write_events() {
  const Handle group = hdf5::create_group(file_, "events");
  std::vector<double> t;
  std::vector<std::string> kind, contact;
  for (const RecordedEvent& event : events_) {
    t.push_back(event.t);
    kind.emplace_back(event.kind);
    contact.push_back(event.contact < 0 ? "" : contact_names_[event.contact]);
  }
  hdf5::write_numbers(group, "t", t);
  hdf5::write_texts(group, "kind", kind);
  hdf5::write_texts(group, "contact", contact);
}

void Hdf5Recorder::write_force_derivatives() {
  if (derivatives_.empty()) return;
  const Handle group = hdf5::create_group(file_, "force_derivatives");
  std::vector<std::string> force, choice;
  std::vector<double> exact, definite;
  for (const ForceDerivative& d : derivatives_) {
    force.push_back(d.force), choice.push_back(d.choice());
    exact.push_back(static_cast<double>(d.exact)), definite.push_back(static_cast<double>(d.definite));
  }
  hdf5::write_texts(group, "force", force);
  hdf5::write_texts(group, "choice", choice);
  hdf5::write_numbers(group, "exact", exact);
  hdf5::write_numbers(group, "definite", definite);
}

void Hdf5Recorder::close() {
  if (!file_.open()) return;
  flush();
  write_events();
  write_force_derivatives();
  columns_.clear();
  step_columns_.clear();
  found_.reset();
  hdf5::check(file_.close(), "close the result file");
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
