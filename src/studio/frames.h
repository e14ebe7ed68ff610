// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace tappet::studio {

// What server and workers send each other through pipes: a JSON object, and bytes to which it may refer. The object
// stays a text, because the server passes answers on to the page without a look inside.
struct Frame {
  std::string text;  // of the object
  std::string bytes = {};
  bool interim = false;  // whether the answer itself follows
};

using Json = nlohmann::ordered_json;

Frame frame_of(const Json& json);
Json json_of(const Frame& frame);  // null if the text is none of JSON

// Returns false if the other side has gone.
bool write_frame(int file, const Frame& frame);
// Empty if the other side has gone, if it sent something else, or after `most_ms` milliseconds without a byte
// (−1: waits as long as it takes).
std::optional<Frame> read_frame(int file, int most_ms = -1);

// A frame as one body of HTTP: the length of the JSON text (four bytes, the lowest first), the text, spaces up to a
// multiple of eight bytes, and the bytes. Arrays in the bytes then lie at multiples of eight.
std::string body_of(const Frame& frame);

}  // namespace tappet::studio
