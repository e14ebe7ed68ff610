// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/pose.h>
#include <tappet/stepper.h>

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tappet {

// The names of the numbers in a Sample. Rows of friction and of joints are numbered through all contacts and all
// joints, in their order.
struct Layout {
  struct Contact {
    std::string name;
    int row = 0, rows = 0;  // its friction rows
  };
  struct Joint {
    std::string name;
    int row = 0, rows = 0;
  };
  // A joint whose coordinate is part of the state. It has four numbers in Sample::joint_motion.
  struct MeasuredJoint {
    std::string name;
    bool slides = false, friction = false, motor = false;
    int contact = -1, row = -1;  // the contact that is its friction, and its friction row
    static constexpr int numbers = 4;
    static constexpr const char* quantities(bool slides, int i) {
      constexpr const char* names[] = {"speed", "friction", "motor"};
      return i == 0 ? (slides ? "displacement" : "angle") : names[i - 1];
    }
  };
  int q_size = 0, u_size = 0;
  std::vector<std::string> q, u;              // names; none if there are more than most_names
  std::vector<std::string> q_units, u_units;  // "" if the model does not say
  std::vector<Contact> contacts;
  std::vector<Joint> joints;
  std::vector<MeasuredJoint> measured;
  bool colliders = false;          // whether contacts are also found between colliders
  bool found_one_by_one = false;   // whether these are recorded one by one, and not only their number and depth
  std::vector<std::string> found;  // if so, the names of those that take part in them, by index

  static constexpr int most_names = 50'000;

  int friction_rows() const { return contacts.empty() ? 0 : contacts.back().row + contacts.back().rows; }
  int joint_rows() const { return joints.empty() ? 0 : joints.back().row + joints.back().rows; }
};

// A contact between two colliders that touch, that is its gap is not positive or it carries an impulse. A is never the
// ground.
struct FoundContact {
  int A = -1, B = -1;                          // into Layout::found
  double gap = 0, gap_velocity = 0, slip = 0;  // slip: speed
  double P_N = 0;                              // impulse of the step
  Vec3d P{}, point{}, normal{};  // in the world: impulse on A (normal and friction), point, normal from B to A
};

// The motion at one instant, together with the step that led to it. SI units.
struct Sample {
  double t = 0;
  Vec q, u;
  double kinetic = 0, potential = 0;
  // One entry per contact. Forces are zero if it is open. P is the impulse of the whole step, λ a force, Λ an impact
  // impulse. Schemes that do not separate λ from Λ give only P.
  Vec gap, gap_velocity, P_N, lambda_N, Lambda_N;
  Vec slip_velocity, P_F, lambda_F, Lambda_F;  // one entry per friction row
  Vec joint_residual, joint_impulse;           // one entry per joint row
  Vec joint_motion;  // of each measured joint: angle or displacement, speed, friction and motor (torques or forces)
  SolveStatus status = SolveStatus::converged;
  double found = 0, penetration = 0;   // colliders: the number of contacts in reach, and the largest −gap of them
  std::vector<FoundContact> touching;  // the contacts that touch, if the layout asks for them one by one
  int iterations = 0;
  double residual = 0;
  double dt = 0;                                                // of the step; 0 at the start
  int newton = 0, index_sets = 0, projections = 0, closed = 0;  // as in StepReport
  bool impulsive = false;

  explicit Sample(const Layout& layout);
};

// An event that a scheme located.
struct RecordedEvent {
  double t = 0;
  std::string_view kind;  // "impact", "opening", "stick", … (static text)
  int contact = -1;       // by index
  int place = -1;         // of a formula that switches, into Summary::switch_names
};

// Parts of a sample that take time to evaluate. t, q, u and the numbers of the step are always there.
struct SampleParts {
  bool energy = true;
  bool gaps = true;        // gap, joint_residual
  bool velocities = true;  // gap_velocity, slip_velocity, joint_residual of joints on velocity level
  bool impulses = true;    // P, λ, Λ of contacts and joints

  static constexpr SampleParts none() { return {false, false, false, false}; }
  bool operator==(const SampleParts&) const = default;
  SampleParts& operator|=(const SampleParts& other) {
    energy |= other.energy, gaps |= other.gaps, velocities |= other.velocities, impulses |= other.impulses;
    return *this;
  }
};

// Takes samples in the order of time. close() writes what is left. Call it in order to learn of a failure to write,
// because destructors close silently.
struct Recorder {
  virtual ~Recorder() = default;
  virtual void record(const Sample& sample) = 0;
  // What it reads of a sample. Parts that no recorder of a run needs are not evaluated.
  virtual SampleParts needs() const { return {}; }
  virtual void event(const RecordedEvent& /*event*/) {}
  virtual void force_derivatives(const std::vector<ForceDerivative>& /*list*/) {}  // before close()
  virtual void close() {}
  // Writes what it recorded so far to its files, and the place in them into the archive; or reads the place back and
  // goes on from there. Returns false if it cannot; a run with it cannot be resumed.
  virtual bool archive(Archive& /*archive*/) { return false; }
};

// Numbers in rows of equal width, one row after the other in memory. Rows are appended. While it grows, large tables
// are moved by the operating system and not copied, and memory beyond the rows is reserved but not used.
class RecordedTable {
 public:
  explicit RecordedTable(int columns = 0) : columns_(columns) {}
  RecordedTable(RecordedTable&& other) noexcept;
  RecordedTable& operator=(RecordedTable&& other) noexcept;
  ~RecordedTable();

  long rows() const { return rows_; }
  int columns() const { return columns_; }
  const double* data() const { return values_; }
  double operator()(long row, int column = 0) const { return values_[row * columns_ + column]; }
  std::span<const double> row(long k) const { return {values_ + k * columns_, static_cast<size_t>(columns_)}; }

  double* append();  // a row whose numbers the caller sets
  void append_zeros(long rows);
  void release_spare();  // gives back the memory that is reserved for further rows

 private:
  void reserve(long rows);

  double* values_ = nullptr;
  long rows_ = 0, reserved_ = 0;
  int columns_ = 0;
};

// Keeps all recorded numbers in memory, with one table per quantity (RunOptions::keep_all). Row k belongs to t(k).
class Recorded final : public Recorder {
 public:
  // `only` lists what is kept, as in Hdf5Options. Throws std::invalid_argument if one of the names does not exist.
  explicit Recorded(const Layout& layout, const std::vector<std::string>& only = {});

  const Layout& layout() const { return layout_; }
  const std::vector<std::string>& only() const { return only_; }
  long samples() const { return t.rows(); }
  // The place of a contact or joint of the layout among those that are kept; −1 if it is not kept.
  int kept_contact(int k) const { return place_of_contact_[k]; }
  int kept_joint(int k) const { return place_of_joint_[k]; }
  int first_friction_row(int k) const { return friction_of_contact_[k]; }  // of a contact that is kept, in its tables
  int first_joint_row(int k) const { return row_of_joint_[k]; }
  int first_motion_column(int k) const { return column_of_motion_[k]; }  // of a measured joint; −1 if it is not kept

  RecordedTable t, q, u;
  RecordedTable energy;                                      // kinetic, potential
  RecordedTable gap, gap_velocity, P_N, lambda_N, Lambda_N;  // one column per contact that is kept
  RecordedTable slip_velocity, P_F, lambda_F, Lambda_F;      // one column per friction row
  RecordedTable joint_residual, joint_impulse;               // one column per joint row
  RecordedTable joint_motion;                                // four columns per measured joint
  RecordedTable steps;                                       // dt, residual, iterations, status
  RecordedTable found;                                       // with colliders: count, penetration
  std::vector<FoundContact> touching;                        // if they are recorded one by one
  std::vector<long> first_touching;                          // of each sample, in `touching`
  std::vector<RecordedEvent> events;
  std::vector<ForceDerivative> derivatives;

  // Tables of λ and Λ have no rows if the scheme never gave one that is not zero.
  void record(const Sample& sample) override;
  void event(const RecordedEvent& event) override { events.push_back(event); }
  void force_derivatives(const std::vector<ForceDerivative>& list) override { derivatives = list; }
  void close() override;

  // Hands everything to another recorder, which may then write it to a file. What is not kept is zero there.
  void replay(Recorder& to) const;

 private:
  void choose_contacts();
  void choose_joints();
  bool keeps(const std::string& group, const std::string& name = "") const;
  void append_forces(const std::vector<int>& places, const Vec& from, RecordedTable& to);
  void restore(long k, Sample& sample) const;
  void restore(const std::vector<int>& places, const RecordedTable& from, long k, Vec& to) const;

  Layout layout_;
  std::vector<std::string> only_;
  std::vector<int> column_of_motion_;
  std::vector<int> place_of_contact_, place_of_joint_, friction_of_contact_, row_of_joint_;
  std::vector<int> normal_, friction_, joint_, motion_;  // indices into the vectors of a Sample, by column
};

// What a result file holds in addition to the numbers.
struct RunHeader {
  std::string model = {}, title = {}, source = {}, model_text = {};
  std::string scheme = {};
  double dt = 0, end = 0;
  std::string settings = {};  // JSON: parameters after --set, options of the scheme, what was recorded
};

struct Hdf5Options {
  // If empty, everything is kept. Otherwise this lists what is kept in addition to t and steps: q, u, energy, contacts,
  // joints, found, or single contacts and joints by name.
  std::vector<std::string> only = {};
  int deflate = 0;             // 0: none … 9
  int buffer_bytes = 8 << 20;  // memory of the buffers, over all columns
  double flush_seconds = 2.0;  // older samples are already in a file, even if the program is killed

  void check() const;
};

// Writes result.h5, beside and then renamed, so that it is complete at every instant, even if the program is killed.
// During the run it is written from time to time; samples that it does not have yet are in result.h5.part.
std::unique_ptr<Recorder> hdf5_recorder(const std::filesystem::path& file, const Layout& layout,
                                        const RunHeader& header, const Hdf5Options& options = {});

// Writes one line per sample, with numbers in the shortest form that is read back to the same bits.
std::unique_ptr<Recorder> csv_recorder(const std::filesystem::path& file, const Layout& layout);

// The largest value of a quantity over a run, and where it was.
struct Worst {
  double max = 0;
  std::string name;  // of the contact or joint; "" if nothing was violated
  double time = 0;
};

enum class RunStatus { done, failed, interrupted };

// The summary of a run, as in summary.json.
struct Summary {
  std::string model, scheme;
  // how they are read from the result: "lambda", "P/dt", "mean of P/dt"; "" if there are no contacts
  std::string contact_forces;
  RunStatus status = RunStatus::done;
  std::string message;     // why it failed
  double dt = 0, end = 0;  // as asked for
  double time = 0;         // the time that was reached
  long steps = 0;
  double wall_s = 0;  // time of steps and recording
  std::vector<std::string> q_names, u_names;
  Vec q, u;  // at `time`
  Energy energy;
  double initial_energy = 0;
  Worst violation, joint_violation;  // of gap ≥ 0 (m) and of joints, at ends of steps
  long impulsive_steps = 0, unconverged_steps = 0;
  long rejected_steps = 0;  // attempts of schemes that choose their step
  double mean_iterations = 0;
  int max_iterations = 0;
  double mean_islands = 1;  // the mean number of islands of a contact problem that were solved separately
  int max_islands = 1;
  double max_residual = 0;
  std::vector<RecordedEvent> events;  // the first events, at most max_events
  long event_count = 0;
  bool locates_events = false;                         // whether the scheme locates events
  std::vector<ForceDerivative> force_derivatives;      // for schemes that linearise forces
  std::vector<std::pair<std::string, double>> phases;  // seconds per phase, if the run was profiled
  // if so: the largest number of found contacts in reach, the largest and mean number in the active set
  bool colliders = false;
  int max_found = 0, max_closed = 0;
  double mean_closed = 0;
  // Contacts of convex solids are reduced to the corners of the common patch unless `reduces` is false. If the model
  // has such solids: the number of steps at which the full set was counted, the largest and mean number of contacts in
  // it, and of those that were kept at the same steps.
  bool reduces = true;
  long counted_steps = 0, max_pairs = 0, max_kept = 0;
  double mean_pairs = 0, mean_kept = 0;
  bool sleeping = false;  // whether bodies may sleep; if so: the number that slept at the end, at most, and on average
  int asleep = 0, max_asleep = 0;
  double mean_asleep = 0;
  std::vector<std::string> contact_names;
  std::vector<std::string> switch_names;  // of formulas: "max in contacts.ledge.gap"
  std::vector<std::string> warnings;

  static constexpr long max_events = 10000;

  double us_per_step() const { return steps == 0 ? 0.0 : 1e6 * wall_s / static_cast<double>(steps); }
};

// One line: "slider_crank, moreau-midpoint: 1000 steps to t = 0.1 s in 0.01 s (…)".
std::string brief(const Summary& summary);

// The summary as it is written to summary.json.
std::string summary_json(const Summary& summary);

// What simulate() returns. Row k of q and u belongs to t[k].
struct Result {
  Summary summary;
  State state;  // the last one
  std::vector<double> t;
  std::vector<Vec> q, u;
  std::shared_ptr<const Recorded> recorded;  // with RunOptions::keep_all; null if nothing was recorded
  RunHeader header;

  bool done() const { return summary.status == RunStatus::done; }
};

}  // namespace tappet
