// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace tappet::test {

// How often memory was asked for by this thread since the start; the test programs replace operator new.
long allocations();

// The most bytes that this thread holds at a time while it runs f, beyond what it held before.
long most_bytes_during(const std::function<void()>& f);

}  // namespace tappet::test
