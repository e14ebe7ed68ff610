// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "studio/document.h"
#include "studio/http/page_server.h"
#include "studio/limits.h"
#include "studio/pages.h"

namespace tappet::studio {

// Serves the page of the studio and answers its requests (docs/studio.md).
class Server {
 public:
  Server(Document& document, const Limits& limits, int port);  // port 0: any free one; throws UsageError

  PageServer& http() { return http_; }

 private:
  PageReply answer(const PageRequest& request);
  PageReply read(const std::string& path) const;
  PageReply compute(nlohmann::ordered_json request);
  PageReply save(const nlohmann::ordered_json& request);
  PageReply progress(const nlohmann::ordered_json& request) const;

  Document& document_;
  Pages pages_;
  PageServer http_;
};

}  // namespace tappet::studio
