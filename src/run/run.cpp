// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/run.h"

#include <fmt/format.h>

#include <cmath>
#include <new>
#include <thread>

#include "collision/pair_error.h"
#include "record/stored_energy.h"
#include "run/make_stepper.h"
#include "run/needs.h"
#include "run/watch/switch_warnings.h"

namespace tappet {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

void write_summary(const std::filesystem::path& folder, const Summary& summary) {
  write_complete(folder / "summary.json", summary_json(summary) + '\n');
}

// Returns the lock, which excludes other runs into the same folder.
std::unique_ptr<FolderLock> prepare_folder(const std::filesystem::path& folder, bool resume = false) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error || !std::filesystem::is_directory(folder))
    throw UsageError(fmt::format("cannot create folder {}: {}", folder.string(),
                                 error ? error.message() : std::string("there is a file of that name")));
  auto lock = std::make_unique<FolderLock>(folder);
  if (resume) return lock;
  for (const char* file : {"result.h5", "report.html", "summary.json"})  // left by an earlier run
    std::filesystem::remove(folder / file);
  Checkpoints::remove(folder);
  return lock;
}

}  // namespace

TimeGrid grid_of(const Settings& settings, const Model& model) {
  require_times(settings, model);
  return {settings.dt, settings.end, model.start ? model.start->t : 0.0};
}

Run::Run(const System& system, Settings settings, const RunOptions& asked)
    : asked_(asked),
      settings_(std::move(settings)),
      grid_(grid_of(settings_, system.model())),
      system_(system),
      penetration_(system_),
      execution_(asked.threads, asked.profile),
      contacts_(system, execution_),
      energy_watch_(contacts_),
      reduction_(system, execution_, settings_.reduce_contacts, grid_.steps()),
      stepper_(asked.stepper
                   ? make_own_stepper(settings_.scheme, asked.stepper, contacts_, settings_.options, asked.solver)
                   : make_stepper(settings_.scheme, contacts_, settings_.options, asked.solver)),
      scheme_remarks_(dynamic_cast<const Remarks*>(stepper_.get())),
      layout_(layout_of(system_, false)),
      evaluate_(contacts_),
      checkpoints_(asked.out, asked.checkpoint),
      state_(system_.initial()),
      before_(state_) {
  const Model& model = system_.model();
  summary_.model = model.name, summary_.scheme = settings_.scheme;
  summary_.dt = settings_.dt, summary_.end = settings_.end;
  for (const auto& contact : layout_.contacts) summary_.contact_names.push_back(contact.name);
  summary_.warnings = system_.warnings();  // the warnings of the model are among them
  summary_.warnings.insert(summary_.warnings.end(), settings_.warnings.begin(), settings_.warnings.end());
  for (std::string& warning : switch_warnings(system_, settings_.scheme))
    summary_.warnings.push_back(std::move(warning));
  if (const std::string hint = stored_energy_hint(system_); !hint.empty()) summary_.warnings.push_back(hint);
  for (const SwitchPlace& place : system_.switches()) summary_.switch_names.push_back(place.name);
  for (const TimeSwitch& time : system_.time_switches()) summary_.switch_names.push_back(time.name);
  summary_.colliders = system_.has_colliders();
  if (summary_.colliders || !summary_.contact_names.empty())
    if (const SchemeInfo* scheme = scheme_info(settings_.scheme)) summary_.contact_forces = scheme->forces;
  summary_.reduces = settings_.reduce_contacts;
  if ((summary_.sleeping = settings_.sleeping.speed > 0.0)) contacts_.let_sleep(settings_.sleeping);
  if (asked_.control && summary_.sleeping)
    throw UsageError("control: bodies may sleep in this run, and forces would not wake them; expected sleeping=off");
  forces_.assign(system_.u_size(), 0.0);
  if (layout_.found_one_by_one) touching_ = std::make_unique<TouchingContacts>(contacts_, evaluate_);
  summary_.initial_energy = evaluate_.energy(state_.t, state_.q, state_.u).total();
}

// Refuses a run whose results fit neither on the disk nor into memory.
void Run::foresee() const {
  if (settings_.record_every == 0) return;
  RunNeeds needs;
  needs.samples = static_cast<double>(grid_.steps()) / settings_.record_every + 1;
  const auto& only = asked_.hdf5.only.empty() ? system_.model().run.record_only : asked_.hdf5.only;
  needs.bytes_per_sample = bytes_per_sample(layout_, only);
  if (asked_.keep) needs.kept_per_sample += sizeof(double) * (1 + layout_.q_size + layout_.u_size);
  if (asked_.keep_all) needs.kept_per_sample += needs.bytes_per_sample;
  // A compressed file may be much smaller.
  check_needs(needs, asked_.hdf5.deflate > 0 ? std::filesystem::path() : asked_.out);
}

void Run::open_recorders() try {
  const Model& model = system_.model();
  // A caller with a recorder of its own, who keeps nothing, needs no header.
  if (asked_.keep || asked_.keep_all || !asked_.out.empty() || asked_.recorders.empty())
    result_.header = header_of(settings_, model);
  const RunHeader& header = result_.header;
  Hdf5Options options = asked_.hdf5;
  if (options.only.empty()) options.only = model.run.record_only;
  if (!asked_.out.empty()) {
    lock_ = prepare_folder(asked_.out, asked_.resume);
    if (!asked_.description.empty()) write_complete(asked_.out / Checkpoints::description, asked_.description);
    if (settings_.record_every > 0)
      own_recorders_.push_back(hdf5_recorder(asked_.out / "result.h5", layout_of(system_), header, options));
  }
  if (!asked_.csv.empty()) own_recorders_.push_back(csv_recorder(asked_.csv, layout_of(system_)));
  if (asked_.keep_all && settings_.record_every > 0)
    recorded_ = std::make_shared<Recorded>(layout_of(system_), options.only);
  std::vector<Recorder*> recorders = asked_.recorders;
  if (recorded_) recorders.push_back(recorded_.get());
  for (const auto& recorder : own_recorders_) recorders.push_back(recorder.get());
  if (recorders.empty()) return;
  // Recorders of the caller are called on the thread of the caller, so the caller need not lock anything.
  const bool beside = std::thread::hardware_concurrency() > 1 && asked_.recorders.empty();
  recording_ = std::make_unique<Recording>(system_, std::move(recorders),
                                           beside ? Recording::Where::beside : Recording::Where::within);
} catch (const WriteError&) {
  throw;
} catch (const std::filesystem::filesystem_error& error) {
  throw UsageError(error.what());
} catch (const std::invalid_argument& error) {
  throw UsageError(fmt::format("record: {}", error.what()));
} catch (const std::runtime_error& error) {
  throw UsageError(error.what());
}

Result Run::go() {
  foresee();
  open_recorders();
  begun_ = last_look_ = Clock::now();
  if (Profile* profile = execution_.profile()) profile->since = begun_;
  try {
    const bool resumed = asked_.resume && resume();
    watch_constraints();
    if (!resumed) record({});
    while (summary_.status == RunStatus::done && state_.t < settings_.end) advance();
  } catch (const std::bad_alloc&) {
    fail("there is not enough memory");
  } catch (const UsageError&) {  // a checkpoint of another run
    throw;
  } catch (const std::runtime_error& error) {  // a result that cannot be written
    fail(error.what());
  }
  finish();
  return std::move(result_);
}

// The run cannot go on here, for a reason that is not in the computation.
void Run::fail(const std::string& message) {
  may_be_resumed_ = true;
  if (summary_.status == RunStatus::failed) return;
  summary_.status = RunStatus::failed;
  summary_.message = fmt::format("{} (t = {:.9g} s, after {} steps)", message, state_.t, summary_.steps);
}

// Returns false if the contacts of two colliders cannot be computed.
bool Run::take_step(double dt, StepReport& report) try {
  find_contacts(dt);
  report = stepper_->step(state_, dt);
  return true;
} catch (const PairError& error) {
  search_failed_ = true;
  summary_.status = RunStatus::failed;
  summary_.message = fmt::format("{} (step {} from t = {:.9g} s)", error.what(), summary_.steps + 1, before_.t);
  std::swap(state_, before_);
  return false;
}

void Run::advance() {
  const long k = summary_.steps;
  const double dt = on_grid_ ? grid_.dt(k) : std::min(settings_.dt, settings_.end - state_.t);
  if (!ask_control(dt)) return;
  before_ = state_;
  StepReport report;
  if (!take_step(dt, report)) return;
  contacts_.settle(state_);
  on_grid_ = on_grid_ && report.dt == dt;
  // Times are multiples of dt. The last time is exactly `end`, independent of rounding.
  if (on_grid_) {
    state_.t = grid_.t(k + 1);
  } else if (settings_.end - state_.t < 1e-9 * settings_.dt) {
    state_.t = settings_.end;
  }
  if (!accept(report)) return;
  if (stepper_->settle(summary_.steps) && checkpoints_.is_due(summary_.steps)) write_checkpoint();
  if (asked_.stop && asked_.stop->load(std::memory_order_relaxed)) summary_.status = RunStatus::interrupted;
}

bool Run::accept(const StepReport& report) {
  if (const std::string why = stepper_->diagnosis(); !why.empty()) {
    summary_.status = RunStatus::failed;
    summary_.message =
        fmt::format("{} (step {} from t = {:.9g} s, scheme {})", why, summary_.steps + 1, before_.t, settings_.scheme);
    std::swap(state_, before_);
    return false;
  }
  if (!stays_in_range(report)) return false;
  if (!(report.dt > 0)) {
    summary_.status = RunStatus::failed;
    const auto& events = stepper_->events();
    const bool accumulation = !events.empty() && events.back().kind == Event::Kind::accumulation;
    summary_.message =
        accumulation ? fmt::format(
                           "impacts of contact {} accumulate at t = {:.12g} s, scheme {}; with --option "
                           "accumulate=close the contact is closed there and the run continues",
                           contacts_.name(events.back().contact), events.back().t, settings_.scheme)
                     : fmt::format("no progress at t = {:.9g} s, step {}, scheme {}, residual {:.3g}{}", before_.t,
                                   summary_.steps + 1, settings_.scheme, report.solve.residual, closed_contacts());
    std::swap(state_, before_);
    return false;
  }
  ++summary_.steps;
  last_report_ = report;
  count(report);
  watch_constraints();
  record_events();
  last_recorded_ = settings_.record_every > 0 && summary_.steps % settings_.record_every == 0;
  if (last_recorded_) record(report);
  report_progress();
  return true;
}

// Lets the caller set the forces of the next step. Returns false if the run ends here.
bool Run::ask_control(double dt) try {
  if (!asked_.control) return true;
  if (!asked_.control(state_, dt, forces_)) {
    summary_.status = RunStatus::interrupted;
    summary_.message = fmt::format("ended by the control at t = {:.9g} s", state_.t);
    return false;
  }
  contacts_.apply(forces_);
  return true;
} catch (const UsageError& error) {
  summary_.status = RunStatus::failed;
  summary_.message = fmt::format("{} (control at t = {:.9g} s)", error.what(), state_.t);
  return false;
}

// Contacts that penetrate after a step are found before the next step. After the last step this is called with dt = 0.
void Run::find_contacts(double dt) {
  dt > 0.0 ? contacts_.find(state_, dt) : contacts_.search(state_, dt);
  if (dt > 0.0) reduction_.after_search(contacts_, state_, dt, summary_.steps);
  const auto [gap, contact] = contacts_.nearest();
  if (contact < 0) return;
  penetration_.found(gap);
  if (-gap > summary_.violation.max) summary_.violation = {-gap, contacts_.name(contact), state_.t};
}

void Run::record(const StepReport& report) {
  const InPhase phase(execution_, Phase::record);
  if (settings_.record_every == 0) return;
  if (recording_) recording_->record(state_, report, stepper_->impulses(), found_contacts(), &positions_);
  if (asked_.keep) {
    result_.t.push_back(state_.t);
    result_.q.push_back(state_.q);
    result_.u.push_back(state_.u);
  }
}

const FoundSample& Run::found_contacts() {
  found_.count = contacts_.found(), found_.penetration = 0.0;
  found_.touching.clear();
  if (found_.count == 0) return found_;
  evaluate_.gaps(state_.t, state_.q, positions_.gaps);
  for (int k = contacts_.named(); k < positions_.gaps.size(); ++k)
    found_.penetration = std::max(found_.penetration, -positions_.gaps[k]);
  if (touching_) touching_->sample(state_, stepper_->impulses(), positions_.gaps, found_.touching);
  return found_;
}

void Run::record_events() {
  for (const Event& event : stepper_->events()) {
    if (event.contact >= contacts_.named()) continue;  // found contacts come and go, so they are only counted
    const RecordedEvent recorded{event.t, name(event.kind), event.contact, event.place};
    if (recording_) recording_->event(recorded);
    if (summary_.event_count++ < Summary::max_events) summary_.events.push_back(recorded);
  }
}

// Reading the clock takes a noticeable part of a small step. About a hundred readings per second are enough.
void Run::report_progress() {
  if (!asked_.listener || summary_.steps < next_look_) return;
  const auto now = Clock::now();
  stride_ = now - last_look_ < std::chrono::milliseconds(10) ? 2 * stride_ : (stride_ + 1) / 2;
  last_look_ = now;
  next_look_ = summary_.steps + stride_;
  warn_of_duration();
  asked_.listener->progress(summary_.steps, grid_.steps(), state_.t);
  if (!asked_.listener->goes_on()) summary_.status = RunStatus::interrupted;
}

// A step that is too small by mistake should be noticed in the first second.
void Run::warn_of_duration() {
  constexpr double long_run = 3600.0;  // s
  const double elapsed = seconds_since(begun_), left = static_cast<double>(grid_.steps() - summary_.steps);
  if (duration_told_ || elapsed < 0.5) return;
  duration_told_ = true;
  const double expected = left * elapsed / static_cast<double>(summary_.steps);
  if (expected < long_run) return;
  asked_.listener->warning(fmt::format("{:.3g} steps of {:g} s lie ahead; as fast as until now they take {}", left,
                                       settings_.dt, duration_text(expected)));
}

void Run::finish() {
  // The end is always recorded. After a failed step, however, the impulses of the stepper do not belong to the last
  // good step.
  if (!last_recorded_ && summary_.steps > 0 && summary_.status != RunStatus::failed) record(last_report_);
  if (!search_failed_) find_contacts(0.0);
  if (const std::string remark = penetration_.remark(); !remark.empty())
    summary_.warnings.push_back(
        fmt::format("the largest penetration, {:.3g} m of {} at t = {:.6g} s with dt = {:g} s, {}",
                    summary_.violation.max, summary_.violation.name, summary_.violation.time, settings_.dt, remark));
  summary_.locates_events = stepper_->locates_events();
  summary_.force_derivatives = stepper_->force_derivatives();
  list_remarks();
  close_recording();
  result_.recorded = std::move(recorded_);
  summary_.wall_s = seconds_before_ + seconds_since(begun_);
  summary_.energy = evaluate_.energy(state_.t, state_.q, state_.u);
  const bool finite = std::isfinite(summary_.initial_energy), finite_at_end = std::isfinite(summary_.energy.total());
  if (summary_.status != RunStatus::failed && !(finite && finite_at_end)) {
    summary_.status = RunStatus::failed;
    summary_.message =
        fmt::format("the energy at {} is not finite; masses, forces or velocities are outside the range of the numbers",
                    finite ? fmt::format("t = {:.9g} s", state_.t) : "the start");
  }
  reduction_.write(summary_);
  stepper_.reset();  // frees its memory for the names
  if (system_.q_size() + system_.u_size() <= Layout::most_names)
    summary_.q_names = system_.q_names(), summary_.u_names = system_.u_names();
  summary_.time = state_.t;
  summary_.q = state_.q, summary_.u = state_.u;
  if (summary_.steps > 0) summary_.mean_iterations = iterations_ / static_cast<double>(summary_.steps);
  if (summary_.steps > 0) summary_.mean_islands = islands_ / static_cast<double>(summary_.steps);
  if (summary_.steps > 0) summary_.mean_asleep = asleep_ / static_cast<double>(summary_.steps);
  if (summary_.steps > 0) summary_.mean_closed = closed_ / static_cast<double>(summary_.steps);
  result_.state = std::move(state_);
  if (Profile* profile = execution_.profile()) {
    profile->enter(Phase::other);
    for (int i = 0; i < phases; ++i) summary_.phases.emplace_back(name(static_cast<Phase>(i)), profile->seconds[i]);
  }
  if (asked_.out.empty()) return;
  try {
    write_summary(asked_.out, summary_);
  } catch (const std::runtime_error& error) {
    fail(error.what());
  }
  if (summary_.status != RunStatus::interrupted && !may_be_resumed_) Checkpoints::remove(asked_.out);
}

void Run::close_recording() {
  if (!recording_) return;
  try {
    recording_->close(summary_.force_derivatives);
  } catch (const std::bad_alloc&) {
    fail("there is not enough memory to write the results");
  } catch (const std::runtime_error& error) {
    fail(error.what());
  }
}

void save(const Result& result, const std::filesystem::path& folder) {
  if (!result.recorded) throw UsageError("save: nothing was recorded; expected a run that keeps its samples in memory");
  const auto lock = prepare_folder(folder);
  const Recorded& recorded = *result.recorded;
  Hdf5Options options;
  options.only = recorded.only();
  const auto file = hdf5_recorder(folder / "result.h5", recorded.layout(), result.header, options);
  recorded.replay(*file);
  file->close();
  write_summary(folder, result.summary);
}

}  // namespace tappet
