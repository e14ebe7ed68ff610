// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/serve.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "report/report.h"
#include "shared/interrupt.h"

void serve_until_interrupted(tappet::studio::PageServer& server, bool headless, const std::string& what,
                             const std::function<void()>& stop) {
  fmt::print("{}\n", server.address());
  std::fflush(stdout);
  if (!headless) {
    fmt::print("Ctrl-C ends {}.\n", what);
    if (!tappet::open_address_in_browser(server.address())) fmt::print("Open the address in a browser.\n");
  }
  const std::atomic<bool>& ends = interrupted();
  std::thread waits([&] {
    while (!ends) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (stop)
      stop();
    else
      server.stop();
  });
  server.serve();
  waits.join();
}
