// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

// Some classes of this interface (Model, System, ContactList, Evaluator) are handles of larger ones with the same names
// inside the library. They stand in the namespace tappet::api, which is inline for programs: tappet::Model is
// tappet::api::Model.

namespace tappet {

#ifdef TAPPET_INSIDE
namespace api {}
#else
inline namespace api {}
#endif

extern const char* const version;  // "0.1.0"

// The place of something in the model file, counted from 1. 0 means that it is not in the file (a default).
struct Place {
  int line = 0, column = 0;
};

// An error in a model file. what() reads "file:line:column: key: what was found; expected …".
struct ModelError : std::runtime_error {
  ModelError(const std::string& file, Place place, const std::string& key, const std::string& message);
  std::string file;
  Place place;
  std::string key;
  std::string message;  // what() without file, place and key
};

// Wrong usage without a place in a model file: an argument of simulate(), an option on the command line.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace tappet
