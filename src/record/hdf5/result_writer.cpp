// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "record/hdf5/result_writer.h"

#include <fmt/format.h>
#include <tappet/error.h>

#include <algorithm>

namespace tappet::hdf5 {

namespace {

// The names of very large systems do not fit into an attribute (64 KiB). They are then stored in a data set.
constexpr size_t names_in_attribute = 2000;

int chunk_of(const Quantities& quantities, const Hdf5Options& options) {
  const auto width = static_cast<size_t>(quantities.width());
  return static_cast<int>(std::clamp<size_t>(options.buffer_bytes / (8 * width), width > 100'000 ? 1 : 8, 4096));
}

}  // namespace

bool ResultContents::has_found_contacts() const {
  const auto& only = options.only;
  return layout.found_one_by_one && (only.empty() || std::find(only.begin(), only.end(), "found") != only.end());
}

ResultWriter::ResultWriter(const std::filesystem::path& file, const ResultContents& contents,
                           const Quantities& quantities)
    : contents_(contents), file_(create_file(file)), rows_per_chunk_(chunk_of(quantities, contents.options)) {
  write_header(contents.header);
  add_columns(quantities);
}

hid_t ResultWriter::group(const std::string& path) {
  if (path.empty()) return file_;
  const auto known = groups_.find(path);
  if (known != groups_.end()) return known->second;
  const size_t slash = path.find('/');
  const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  Handle made = create_group(slash == std::string::npos ? hid_t(file_) : group(path.substr(0, slash)),
                             slash == std::string::npos ? name : hdf5_name(name));
  if (slash != std::string::npos) write_attribute(made, "name", name);
  return groups_.emplace(path, std::move(made)).first->second;
}

void ResultWriter::add_columns(const Quantities& quantities) {
  const Layout& layout = contents_.layout;
  const int deflate = contents_.options.deflate;
  for (const Quantity& quantity : quantities.list()) {
    columns_.emplace_back(group(quantity.group), quantity.name, quantity.width, rows_per_chunk_, deflate,
                          quantity.numbers);
    entries_.push_back(quantity.entries());
    if (quantity.group.empty() && quantity.name == "q")
      write_names(columns_.back().id(), "q", layout.q, layout.q_units);
    if (quantity.group.empty() && quantity.name == "u")
      write_names(columns_.back().id(), "u", layout.u, layout.u_units);
  }
  if (quantities.keeps("energy")) write_attribute(group("energy"), "units", "J");
  for (const char* always : {"contacts", "joints"}) group(always);
  write_attribute(group("steps"), "status",
                  std::vector<std::string>{"converged", "not_converged", "infeasible", "bad_input"});
  if (contents_.has_found_contacts()) found_.emplace(group("found"), layout, rows_per_chunk_, deflate);
}

void ResultWriter::write_names(hid_t data, const char* name, const std::vector<std::string>& names,
                               const std::vector<std::string>& units) {
  if (names.empty()) return;
  if (names.size() > names_in_attribute) return write_texts(file_, fmt::format("{}_names", name), names);
  write_attribute(data, "names", names);
  write_attribute(data, "units", units);
}

void ResultWriter::write_header(const RunHeader& header) {
  write_attribute(file_, "program", "tappet");
  write_attribute(file_, "version", version);
  write_attribute(file_, "scheme", header.scheme);
  write_attribute(file_, "dt", header.dt);
  write_attribute(file_, "end", header.end);
  const Handle model = create_group(file_, "model");
  write_text(model, "name", header.model);
  write_text(model, "title", header.title);
  write_text(model, "source", header.source);
  write_text(model, "text", header.model_text);
  write_text(model, "settings", header.settings);
}

void ResultWriter::append(const double* row) {
  for (size_t i = 0; i < columns_.size(); ++i) {
    columns_[i].append(row);
    row += entries_[i];
  }
  if (columns_[0].buffered() >= rows_per_chunk_) flush();
}

void ResultWriter::start_found(double offset) { found_->start_sample(offset); }
void ResultWriter::append_found(const double* contact) { found_->append(contact); }

void ResultWriter::flush() {
  for (Column& column : columns_) column.flush();
}

void ResultWriter::write_events() {
  const Handle group = create_group(file_, "events");
  std::vector<double> t;
  std::vector<std::string> kind, contact;
  for (const RecordedEvent& event : contents_.events) {
    t.push_back(event.t);
    kind.emplace_back(event.kind);
    contact.push_back(event.contact < 0 ? "" : contents_.layout.contacts[event.contact].name);
  }
  write_numbers(group, "t", t);
  write_texts(group, "kind", kind);
  write_texts(group, "contact", contact);
}

void ResultWriter::write_force_derivatives() {
  if (contents_.derivatives.empty()) return;
  const Handle group = create_group(file_, "force_derivatives");
  std::vector<std::string> force, choice;
  std::vector<double> exact, definite;
  for (const ForceDerivative& d : contents_.derivatives) {
    force.push_back(d.force), choice.push_back(d.choice());
    exact.push_back(static_cast<double>(d.exact)), definite.push_back(static_cast<double>(d.definite));
  }
  write_texts(group, "force", force);
  write_texts(group, "choice", choice);
  write_numbers(group, "exact", exact);
  write_numbers(group, "definite", definite);
}

void ResultWriter::close() {
  flush();
  if (found_) found_->flush();
  write_events();
  write_force_derivatives();
  columns_.clear();
  found_.reset();
  groups_.clear();
  check(file_.close(), "close the result file");
}

}  // namespace tappet::hdf5
