// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <string>

#include "studio/frames.h"
#include "studio/limits.h"

namespace tappet::studio {

// When a page made a request. Requests of one page come on several connections and may overtake each other, as after
// the computer has slept. A page that is loaded again counts anew.
struct Turn {
  std::string load;  // tells apart the times that the page was loaded; "": nothing is known
  long number = 0;   // counts the requests since then
};

// The worker process of a page (worker.h), as the server sees it. Any thread may ask. A new request cancels the one
// before it, whose caller receives {"cancelled": true}. So does a request that arrives after a newer one. A worker that
// does not obey within Limits::cancel_ms is killed, and the next request starts another one.
class Child {
 public:
  explicit Child(const Limits& limits);
  ~Child();

  Frame ask(Json request, Turn turn = {});
  // How far the present run is, and its motion so far if the caller has seen less of it: {"progress": null} if there is
  // no run, otherwise {"progress": {step, steps, t}, "seen": number, "run": …}.
  Frame progress(long seen) const;
  bool busy() const;
  pid_t process() const;  // −1 while there is none

 private:
  void start();
  void end();
  Frame converse(bool sent);

  const Limits limits_;
  std::filesystem::path folder_;  // for results, in memory if the system has such a folder
  mutable std::mutex mutex_;
  std::condition_variable free_;
  bool busy_ = false;
  long newest_ = 0, current_ = 0;  // ids of requests
  Turn turn_;                      // of the newest
  pid_t process_ = -1;
  int to_ = -1, from_ = -1;
  Json progress_;
  Frame so_far_;   // {"run": …}; its text is empty if there is none
  long told_ = 0;  // counts them
};

}  // namespace tappet::studio
