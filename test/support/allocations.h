// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tappet::test {

// How often memory was asked for by this thread since the start; the test programs replace operator new.
long allocations();

}  // namespace tappet::test
