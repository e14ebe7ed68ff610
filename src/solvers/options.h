// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/problem.h>

#include "describe/describe.h"
#include "problem/contact_problem.h"
