// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

namespace tappet::studio {

struct PageRequest {
  std::string method, path, body;  // the path after the token, as in "/api/run"
};

struct PageReply {
  std::string body, type = "text/html; charset=utf-8";
  int status = 200;
  bool in_frames = false;  // whether another page of this server may show it in a frame; other sites never may
};

// Delivers pages to the browser of this computer, on the loopback interface only. The guard refuses strangers before
// their requests are read. All other requests are answered by a function, in several threads at the same time.
class PageServer {
 public:
  using Answer = std::function<PageReply(const PageRequest&)>;

  PageServer(int port, Answer answer);  // port 0: any free one; throws UsageError
  ~PageServer();

  std::string address() const;
  void serve();  // until stop()
  void stop();

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace tappet::studio
