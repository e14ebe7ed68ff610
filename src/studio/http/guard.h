// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tappet::studio {

// What the server knows of a request before it reads the body.
struct Visitor {
  std::string method, path, host, origin, fetch_site, content_type;
};

// Decides who may use the studio: pages that the studio itself has delivered. Their address holds a secret, the token.
// A page of another site knows neither the token nor may it send this host and this origin.
class Guard {
 public:
  explicit Guard(int port, std::string token = new_token());

  // The path after the token, as in "/api/run". Otherwise empty, and the visitor is refused without an explanation.
  std::string admit(const Visitor& visitor) const;
  std::string address() const;  // http://127.0.0.1:PORT/TOKEN/

 private:
  static std::string new_token();  // 128 random bits of the operating system, as hexadecimal digits

  int port_;
  std::string token_;
};

}  // namespace tappet::studio
