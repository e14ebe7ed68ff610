// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "studio/child.h"

namespace tappet::studio {

// The workers of the open pages. A page has an id of its own, which it keeps when it is loaded again. If there are more
// pages than Limits::pages, the one that has been silent for longest loses its worker.
class Pages {
 public:
  explicit Pages(const Limits& limits) : limits_(limits) {}

  std::shared_ptr<Child> of(const std::string& id);          // starts with a new worker if there is none
  std::shared_ptr<Child> find(const std::string& id) const;  // empty if there is none

 private:
  struct Entry {
    std::shared_ptr<Child> child;
    long last = 0;
  };
  const Limits limits_;
  mutable std::mutex mutex_;
  std::map<std::string, Entry> entries_;
  long now_ = 0;  // counts requests
};

}  // namespace tappet::studio
