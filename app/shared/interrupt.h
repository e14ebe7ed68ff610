// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

// Becomes true at the first Ctrl-C (or SIGTERM) after the first call. The second one ends the program at once.
const std::atomic<bool>& interrupted();
