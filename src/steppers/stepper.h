// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/stepper.h>

#include "describe/describe.h"
#include "problem/contact_problem.h"
#include "steppers/scheme_facts.h"
#include "system/contact_list.h"
