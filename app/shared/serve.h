// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "studio/http/page_server.h"

// Prints the address of a server, opens it in the browser unless `headless`, and serves until Ctrl-C. `what` ends then.
// `stop` stops the server; without it the server is stopped directly.
void serve_until_interrupted(tappet::studio::PageServer& server, bool headless, const std::string& what,
                             const std::function<void()>& stop = {});
