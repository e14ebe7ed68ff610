// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/keys.h>

#include "formula/time_function.h"
#include "formula/traced.h"

namespace tappet {

// A function of time inside an element that is being recorded: its value at t is an input of the recorded function, and
// so is its value at the start. Whoever records knows that the input changes with time.
struct RecordedDrive {
  Traced value, start;
  Traced operator()(double) const { return start; }  // elements ask only for f(0)
};
struct RecordedTimeVector {
  std::array<RecordedDrive, 3> component;
};

// What holds one or three functions of time in an element whose own numbers are of type D.
template <class D>
struct DriveType {
  using One = TimeFunction;
  using Three = TimeVector;
};
template <>
struct DriveType<Traced> {
  using One = RecordedDrive;
  using Three = RecordedTimeVector;
};
template <class D>
using DriveOf = typename DriveType<D>::One;
template <class D>
using TimeVectorOf = typename DriveType<D>::Three;

inline Traced at_time(const RecordedDrive& f, const Traced&) { return f.value; }

}  // namespace tappet
