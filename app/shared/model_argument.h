// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

#include "model/model.h"

// The arguments MODEL [--set name=value]…, which several commands have in common.
struct ModelArgument {
  std::string name;
  std::vector<std::string> set;
};

CLI::Option* add_model_argument(CLI::App& command, ModelArgument& argument);
tappet::Model load_model(const ModelArgument& argument);

// Checks that a number of seconds on the command line is positive and finite. The message is a complete sentence.
CLI::Validator positive_seconds();

// Splits texts of the form "key=value". It throws a UsageError that names the flag.
std::vector<std::pair<std::string, std::string>> key_values(const std::string& flag,
                                                            const std::vector<std::string>& texts);
