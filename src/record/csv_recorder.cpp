// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <iterator>
#include <optional>
#include <utility>

#include "files/durable_file.h"
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

// A text file with a first line. If it cannot be written, the exception says why.
class TextFile {
 public:
  TextFile(const std::filesystem::path& file, std::string first_line)
      : path_(file),
        file_(::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666)),
        waiting_(std::move(first_line)) {
    if (!file_.open()) fail_to_write(path_);
  }
  ~TextFile() {
    try {
      flush();
    } catch (const std::exception&) {  // the recorder's close() reports errors
    }
  }
  void write(const std::string& text) {
    constexpr size_t most = 1 << 16;
    waiting_ += text;
    if (waiting_.size() >= most) flush();
  }
  void flush() {
    if (waiting_.empty()) return;
    if (written_ == 0) cut();
    write_all(file_, path_, waiting_.data(), waiting_.size());
    written_ += static_cast<long>(waiting_.size());
    waiting_.clear();
  }
  void archive(Archive& a) {
    if (!a.reads()) {
      flush();
      if (::fsync(file_.number()) != 0) fail_to_write(path_);
    }
    a(written_);
    if (a.reads()) waiting_.clear(), cut();
  }

 private:
  void cut() {  // what an earlier run left behind
    struct stat kind = {};
    if (::fstat(file_.number(), &kind) != 0 || !S_ISREG(kind.st_mode)) return;
    if (::ftruncate(file_.number(), written_) != 0 || ::lseek(file_.number(), written_, SEEK_SET) != written_)
      fail_to_write(path_);
  }

  std::filesystem::path path_;
  FileDescriptor file_;
  std::string waiting_;
  long written_ = 0;  // bytes
};

// Turns my.csv into my_contacts.csv.
std::filesystem::path of_contacts(const std::filesystem::path& file) {
  return file.parent_path() / (file.stem().string() + "_contacts" + file.extension().string());
}

class CsvRecorder final : public Recorder {
 public:
  CsvRecorder(const std::filesystem::path& file, const Layout& layout)
      : layout_(layout), file_(file, first_line(layout)) {
    if (layout.found_one_by_one)
      found_.emplace(of_contacts(file), "t,A,B,gap,gap_velocity,slip,P_N,P_x,P_y,P_z,x,y,z,n_x,n_y,n_z\n");
  }

  void record(const Sample& s) override;
  void close() override;
  bool archive(Archive& a) override;

 private:
  static std::string first_line(const Layout& layout);
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

std::string CsvRecorder::first_line(const Layout& layout) {
  std::string line = "t";
  const auto name = [&line](const std::string& text) { line += "," + field(text); };
  for (int i = 0; i < layout.q_size; ++i) name(layout.q.empty() ? fmt::format("q{}", i) : layout.q[i]);
  for (int i = 0; i < layout.u_size; ++i) name(layout.u.empty() ? fmt::format("u{}", i) : "u:" + layout.u[i]);
  for (const char* text : {"kinetic", "potential", "total"}) name(text);
  for (const auto& contact : layout.contacts) {
    for (const char* quantity : {"gap", "gap_velocity", "P_N", "lambda_N", "Lambda_N"})
      name(contact.name + ":" + quantity);
    for (int r = 1; r <= contact.rows; ++r)
      for (const char* quantity : {"slip_velocity", "P_F", "lambda_F", "Lambda_F"})
        name(fmt::format("{}:{}{}", contact.name, quantity, r));
  }
  for (const auto& joint : layout.joints)
    for (int r = 1; r <= joint.rows; ++r)
      for (const char* quantity : {"residual", "impulse"}) name(fmt::format("{}:{}{}", joint.name, quantity, r));
  for (const auto& joint : layout.measured)
    for (int i = 0; i < Layout::MeasuredJoint::numbers; ++i)
      name(fmt::format("{}:{}", joint.name, Layout::MeasuredJoint::quantities(joint.slides, i)));
  if (layout.colliders)
    for (const char* text : {"found", "penetration"}) name(text);
  for (const char* text : {"status", "iterations", "residual", "dt"}) name(text);
  return line + '\n';
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

bool CsvRecorder::archive(Archive& a) {
  a(file_);
  if (found_) a(*found_);
  return true;
}

void CsvRecorder::close() {
  file_.flush();
  if (found_) found_->flush();
}

}  // namespace

std::unique_ptr<Recorder> csv_recorder(const std::filesystem::path& file, const Layout& layout) {
  return std::make_unique<CsvRecorder>(file, layout);
}

}  // namespace tappet
