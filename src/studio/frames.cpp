// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "studio/frames.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

namespace tappet::studio {

namespace {

struct Head {
  char mark[4] = {'t', 'a', 'p', '1'};
  std::uint32_t text = 0;
  std::uint64_t bytes = 0;
  std::uint64_t interim = 0;
};
constexpr std::uint64_t most_bytes = 1ull << 30;

bool write_all(int file, const char* data, size_t size) {
  while (size > 0) {
    const ssize_t written = write(file, data, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    data += written, size -= static_cast<size_t>(written);
  }
  return true;
}

bool read_all(int file, char* data, size_t size, int most_ms) {
  while (size > 0) {
    pollfd wanted{file, POLLIN, 0};
    const int ready = poll(&wanted, 1, most_ms);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    const ssize_t got = read(file, data, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    data += got, size -= static_cast<size_t>(got);
  }
  return true;
}

}  // namespace

Frame frame_of(const Json& json) { return {json.dump(-1, ' ', false, Json::error_handler_t::replace)}; }

Json json_of(const Frame& frame) {
  Json json = Json::parse(frame.text, nullptr, false);
  return json.is_discarded() ? Json() : json;
}

bool write_frame(int file, const Frame& frame) {
  Head head;
  head.text = static_cast<std::uint32_t>(frame.text.size()), head.bytes = frame.bytes.size();
  head.interim = frame.interim ? 1 : 0;
  return write_all(file, reinterpret_cast<const char*>(&head), sizeof head) &&
         write_all(file, frame.text.data(), frame.text.size()) &&
         write_all(file, frame.bytes.data(), frame.bytes.size());
}

std::optional<Frame> read_frame(int file, int most_ms) {
  Head head;
  if (!read_all(file, reinterpret_cast<char*>(&head), sizeof head, most_ms)) return std::nullopt;
  if (std::memcmp(head.mark, Head().mark, sizeof head.mark) != 0 || head.bytes > most_bytes) return std::nullopt;
  Frame frame;
  frame.text.resize(head.text);
  frame.bytes.resize(head.bytes);
  frame.interim = head.interim != 0;
  if (!read_all(file, frame.text.data(), frame.text.size(), most_ms)) return std::nullopt;
  if (!read_all(file, frame.bytes.data(), frame.bytes.size(), most_ms)) return std::nullopt;
  return frame;
}

std::string body_of(const Frame& frame) {
  const size_t length = (4 + frame.text.size() + 7) / 8 * 8 - 4;
  std::string body;
  body.reserve(4 + length + frame.bytes.size());
  for (int k = 0; k < 4; ++k) body += static_cast<char>(length >> (8 * k) & 0xff);
  body += frame.text;
  body.resize(4 + length, ' ');
  return body += frame.bytes;
}

}  // namespace tappet::studio
