// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace tappet {

// A number that an entry of a model file gives, such as "floor.e_N" of a contact or "ball.position[0]" of a body, with
// or without the name of its section before it ("contacts.floor.e_N").
struct FileNumber {
  std::string formula;     // as it is written: a number or a formula of the parameters
  std::size_t at, length;  // its place in the text, with its quotes

  // The text in which the number is larger by `more`.
  std::string changed(const std::string& text, double more) const;
};

// Nothing if there is no such number.
std::optional<FileNumber> file_number(const std::string& text, const std::string& file, const std::string& name);

}  // namespace tappet
