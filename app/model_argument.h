// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

#include "model/model.h"

// MODEL [--set name=value]…, as several commands take it.
struct ModelArgument {
  std::string name;
  std::vector<std::string> set;
};

void add_model_argument(CLI::App& command, ModelArgument& argument);
tappet::Model load_model(const ModelArgument& argument);

// Checks a number of seconds given on the command line: positive and finite, said in words.
CLI::Validator positive_seconds();

// "key=value" texts; throws UsageError that names the flag.
std::vector<std::pair<std::string, std::string>> key_values(const std::string& flag,
                                                            const std::vector<std::string>& texts);
