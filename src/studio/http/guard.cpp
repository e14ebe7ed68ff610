// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "studio/http/guard.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <stdexcept>

namespace tappet::studio {

namespace {

// The time does not depend on how many characters agree.
bool same(const std::string& a, const std::string& b) {
  unsigned different = a.size() == b.size() ? 0 : 1;
  for (size_t i = 0; i < a.size(); ++i)
    different |= static_cast<unsigned char>(a[i] ^ b[i % std::max<size_t>(1, b.size())]);
  return different == 0;
}

}  // namespace

std::string Guard::new_token() {
  unsigned char random[16];
  if (getrandom(random, sizeof random, 0) != sizeof random)
    throw std::runtime_error("the operating system gives no random numbers for the address of the studio");
  std::string token;
  for (const unsigned char byte : random) token += fmt::format("{:02x}", byte);
  return token;
}

Guard::Guard(int port, std::string token) : port_(port), token_(std::move(token)) {}

std::string Guard::address() const { return fmt::format("http://127.0.0.1:{}/{}/", port_, token_); }

std::string Guard::admit(const Visitor& visitor) const {
  const auto ours = [&](const std::string& before, const std::string& text) {
    return text == fmt::format("{}127.0.0.1:{}", before, port_) || text == fmt::format("{}localhost:{}", before, port_);
  };
  if (!ours("", visitor.host)) return {};
  const bool changes = visitor.method == "POST";
  if (!changes && visitor.method != "GET") return {};
  if (changes || !visitor.origin.empty())
    if (!ours("http://", visitor.origin) || visitor.origin != "http://" + visitor.host) return {};
  if (!visitor.fetch_site.empty() && visitor.fetch_site != "same-origin" && visitor.fetch_site != "none") return {};
  // A form of another site cannot send this type.
  if (changes && !visitor.content_type.starts_with("application/json")) return {};
  const size_t end = visitor.path.find('/', 1);
  if (visitor.path.empty() || visitor.path[0] != '/' || end == std::string::npos) return {};
  if (!same(visitor.path.substr(1, end - 1), token_)) return {};
  return visitor.path.substr(end);
}

}  // namespace tappet::studio
