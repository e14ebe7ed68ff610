// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/event_driven/integration/cvode.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <algorithm>
#include <stdexcept>

namespace tappet::events {

namespace {

int rate(realtype, N_Vector y, N_Vector y_dot, void* motion) {
  static_cast<Motion*>(motion)->rate(N_VGetArrayPointer(y), N_VGetArrayPointer(y_dot));
  return 0;
}

int watch(realtype, N_Vector y, realtype* values, void* motion) {
  static_cast<Motion*>(motion)->watch(N_VGetArrayPointer(y), values);
  return 0;
}

}  // namespace

struct Cvode::Memory {
  Motion& motion;
  bool stiff;
  SUNContext context = nullptr;
  N_Vector y = nullptr, between = nullptr;
  void* cvode = nullptr;
  SUNMatrix matrix = nullptr;
  SUNLinearSolver linear = nullptr;
  SUNNonlinearSolver fixed_point = nullptr;
  double tau = 0;
  std::vector<int> fired = {}, falling = {};
  bool started = false;

  ~Memory() {
    if (cvode) CVodeFree(&cvode);
    if (fixed_point) SUNNonlinSolFree(fixed_point);
    if (linear) SUNLinSolFree(linear);
    if (matrix) SUNMatDestroy(matrix);
    if (y) N_VDestroy(y);
    if (between) N_VDestroy(between);
    if (context) SUNContext_Free(&context);
  }
};

Cvode::Cvode(Motion& motion, int size, bool stiff)
    : memory_(std::make_unique<Memory>(Memory{.motion = motion, .stiff = stiff})) {
  Memory& m = *memory_;
  if (SUNContext_Create(nullptr, &m.context) != 0) throw std::runtime_error("SUNDIALS: no context");
  m.y = N_VNew_Serial(size, m.context);
  m.between = N_VNew_Serial(size, m.context);
  m.cvode = CVodeCreate(stiff ? CV_BDF : CV_ADAMS, m.context);
  if (!m.y || !m.between || !m.cvode) throw std::runtime_error("SUNDIALS: out of memory");
}

Cvode::~Cvode() = default;

void Cvode::start(const Vec& y, int watched, double first_step, double largest_step, double relative, double absolute) {
  Memory& m = *memory_;
  std::copy(y.begin(), y.end(), N_VGetArrayPointer(m.y));
  m.tau = 0;
  if (!m.started) {
    CVodeInit(m.cvode, tappet::events::rate, 0.0, m.y);
    CVodeSetErrFile(m.cvode, nullptr);
    CVodeSetUserData(m.cvode, &m.motion);
    if (m.stiff) {
      m.matrix = SUNDenseMatrix(y.size(), y.size(), m.context);
      m.linear = SUNLinSol_Dense(m.y, m.matrix, m.context);
      CVodeSetLinearSolver(m.cvode, m.linear, m.matrix);
    } else {
      m.fixed_point = SUNNonlinSol_FixedPoint(m.y, 0, m.context);
      CVodeSetNonlinearSolver(m.cvode, m.fixed_point);
    }
    CVodeSetNoInactiveRootWarn(m.cvode);
    CVodeSetMaxErrTestFails(m.cvode, 20);
    CVodeSetMaxConvFails(m.cvode, 30);
    m.started = true;
  } else {
    CVodeReInit(m.cvode, 0.0, m.y);
  }
  CVodeSStolerances(m.cvode, relative, absolute);
  CVodeSetInitStep(m.cvode, first_step);
  limit_step(largest_step);
  CVodeRootInit(m.cvode, watched, watched > 0 ? tappet::events::watch : nullptr);
  m.fired.assign(watched, 0), m.falling.assign(watched, -1);
  if (watched > 0) CVodeSetRootDirection(m.cvode, m.falling.data());
}

void Cvode::limit_step(double largest_step) { CVodeSetMaxStep(memory_->cvode, largest_step); }

Ode::Outcome Cvode::advance(double tau_stop) {
  Memory& m = *memory_;
  CVodeSetStopTime(m.cvode, tau_stop);
  const int flag = CVode(m.cvode, tau_stop, m.y, &m.tau, CV_ONE_STEP);
  if (flag == CV_ROOT_RETURN) {
    CVodeGetRootInfo(m.cvode, m.fired.data());
    return Outcome::root;
  }
  if (flag == CV_TSTOP_RETURN) return Outcome::stop;
  return flag >= 0 ? Outcome::step : Outcome::failed;
}

double Cvode::tau() const { return memory_->tau; }

void Cvode::at(double tau, Vec& y) const {
  const Memory& m = *memory_;
  if (CVodeGetDky(m.cvode, tau, 0, m.between) != CV_SUCCESS) return;
  std::copy_n(N_VGetArrayPointer(m.between), y.size(), y.begin());
}

bool Cvode::stiff() const { return memory_->stiff; }

bool Cvode::struggles() const {
  constexpr long enough = 500;
  long steps = 0, failures = 0;
  CVodeGetNumSteps(memory_->cvode, &steps);
  CVodeGetNumNonlinSolvConvFails(memory_->cvode, &failures);
  return !memory_->stiff && steps >= enough && 50 * failures > steps;
}

const double* Cvode::y() const { return N_VGetArrayPointer(memory_->y); }

bool Cvode::fired(int watched) const { return memory_->fired[watched] != 0; }

}  // namespace tappet::events
