// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "studio/document.h"
#include "studio/limits.h"

namespace tappet::studio {

// Serves the page of the studio and answers its requests (docs/studio.md), on the loopback interface only.
class Server {
 public:
  Server(Document& document, const Limits& limits, int port);  // port 0: any free one; throws UsageError
  ~Server();

  std::string address() const;
  void serve();  // until stop()
  void stop();

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace tappet::studio
