// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <utility>

#include "record/recorder.h"

namespace tappet {

namespace {

// A field of RFC 4180. It is quoted if it contains a comma, a quote or a line end.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

// A text file. If it cannot be written, the exception says why.
class TextFile {
 public:
  explicit TextFile(const std::filesystem::path& file) : path_(file.string()), file_(std::fopen(file.c_str(), "w")) {
    if (!file_) fail();
  }
  TextFile(const TextFile&) = delete;
  ~TextFile() {
    if (file_) std::fclose(file_);
  }
  void write(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail();
  }
  void close() {
    if (file_ && std::fclose(std::exchange(file_, nullptr)) != 0) fail();
  }

 private:
  [[noreturn]] void fail() const {
    throw std::runtime_error(fmt::format("cannot write {}: {}", path_, std::strerror(errno)));
  }
  std::string path_;
  std::FILE* file_;
};

// Turns my.csv into my_contacts.csv.
std::filesystem::path beside(const std::filesystem::path& file) {
  return file.parent_path() / (file.stem().string() + "_contacts" + file.extension().string());
}

class CsvRecorder final : public Recorder {
 public:
  CsvRecorder(const std::filesystem::path& file, const Layout& layout) : layout_(layout), file_(file) {
    write_names();
    if (!layout.found_one_by_one) return;
    found_.emplace(beside(file));
    found_->write("t,A,B,gap,gap_velocity,slip,P_N,P_x,P_y,P_z,x,y,z,n_x,n_y,n_z\n");
  }

  void record(const Sample& s) override;
  void close() override;

 private:
  void write_names();
  void write_touching(const Sample& s);
  void put(double x) { fmt::format_to(std::back_inserter(line_), ",{}", x); }
  void put(const Vec& x, int row, int rows) {
    for (int r = row; r < row + rows; ++r) put(x[r]);
  }
  void write_line(TextFile& file);

  Layout layout_;
  TextFile file_;
  std::optional<TextFile> found_;  // contacts between colliders, one line for each contact that touches
  std::string line_;
};

void CsvRecorder::write_names() {
  line_ = "t";
  const auto name = [this](const std::string& text) { line_ += "," + field(text); };
  for (int i = 0; i < layout_.q_size; ++i) name(layout_.q.empty() ? fmt::format("q{}", i) : layout_.q[i]);
  for (int i = 0; i < layout_.u_size; ++i) name(layout_.u.empty() ? fmt::format("u{}", i) : "u:" + layout_.u[i]);
  for (const char* text : {"kinetic", "potential", "total"}) name(text);
  for (const auto& contact : layout_.contacts) {
    for (const char* quantity : {"gap", "gap_velocity", "P_N", "lambda_N", "Lambda_N"})
      name(contact.name + ":" + quantity);
    for (int r = 1; r <= contact.rows; ++r)
      for (const char* quantity : {"slip_velocity", "P_F", "lambda_F", "Lambda_F"})
        name(fmt::format("{}:{}{}", contact.name, quantity, r));
  }
  for (const auto& joint : layout_.joints)
    for (int r = 1; r <= joint.rows; ++r)
      for (const char* quantity : {"residual", "impulse"}) name(fmt::format("{}:{}{}", joint.name, quantity, r));
  for (const auto& joint : layout_.measured)
    for (int i = 0; i < Layout::MeasuredJoint::numbers; ++i)
      name(fmt::format("{}:{}", joint.name, Layout::MeasuredJoint::quantities(joint.slides, i)));
  if (layout_.colliders)
    for (const char* text : {"found", "penetration"}) name(text);
  for (const char* text : {"status", "iterations", "residual", "dt"}) name(text);
  write_line(file_);
}

void CsvRecorder::record(const Sample& s) {
  line_.clear();
  fmt::format_to(std::back_inserter(line_), "{}", s.t);
  for (const Vec* x : {&s.q, &s.u}) put(*x, 0, x->size());
  for (const double x : {s.kinetic, s.potential, s.kinetic + s.potential}) put(x);
  for (size_t i = 0; i < layout_.contacts.size(); ++i) {
    for (const Vec* x : {&s.gap, &s.gap_velocity, &s.P_N, &s.lambda_N, &s.Lambda_N}) put((*x)[static_cast<int>(i)]);
    const auto& contact = layout_.contacts[i];
    for (int r = contact.row; r < contact.row + contact.rows; ++r)
      for (const Vec* x : {&s.slip_velocity, &s.P_F, &s.lambda_F, &s.Lambda_F}) put((*x)[r]);
  }
  for (int r = 0; r < layout_.joint_rows(); ++r)
    for (const Vec* x : {&s.joint_residual, &s.joint_impulse}) put((*x)[r]);
  put(s.joint_motion, 0, s.joint_motion.size());
  if (layout_.colliders)
    for (const double x : {s.found, s.penetration}) put(x);
  fmt::format_to(std::back_inserter(line_), ",{},{}", static_cast<int>(s.status), s.iterations);
  put(s.residual), put(s.dt);
  write_line(file_);
  if (found_) write_touching(s);
}

void CsvRecorder::write_touching(const Sample& s) {
  for (const FoundContact& f : s.touching) {
    line_.clear();
    fmt::format_to(std::back_inserter(line_), "{}", s.t);
    for (const int party : {f.A, f.B}) line_ += "," + field(layout_.found[party]);
    for (const double x : {f.gap, f.gap_velocity, f.slip, f.P_N}) put(x);
    for (const Vec3d* v : {&f.P, &f.point, &f.normal})
      for (const double x : {v->x, v->y, v->z}) put(x);
    write_line(*found_);
  }
}

void CsvRecorder::write_line(TextFile& file) {
  line_ += '\n';
  file.write(line_);
}

void CsvRecorder::close() {
  file_.close();
  if (found_) found_->close();
}

}  // namespace

std::unique_ptr<Recorder> csv_recorder(const std::filesystem::path& file, const Layout& layout) {
  return std::make_unique<CsvRecorder>(file, layout);
}

}  // namespace tappet
