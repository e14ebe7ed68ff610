// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/model_argument.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "run/models.h"
#include "run/options.h"

CLI::Option* add_model_argument(CLI::App& command, ModelArgument& argument) {
  CLI::Option* model =
      command.add_option("MODEL", argument.name, "Model file, or the name of an example (`tappet models` lists them)")
          ->required();
  command.add_option("--set", argument.set, "Override a parameter of the model, NAME=VALUE; repeatable")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->take_all();
  return model;
}

tappet::Model load_model(const ModelArgument& argument) {
  const auto file = tappet::find_model(argument.name);
  const auto set = key_values("--set", argument.set);
  try {
    return tappet::load(file, set);
  } catch (const tappet::ModelError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw tappet::UsageError(error.what());
  }
}

CLI::Validator positive_seconds() {
  return CLI::Validator(
      [](const std::string& text) {
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool number = error == std::errc() && end == text.data() + text.size();
        if (number && value > 0 && std::isfinite(value)) return std::string();
        return fmt::format("found {}; expected a positive number of seconds", text);
      },
      "SECONDS");
}

std::vector<std::pair<std::string, std::string>> key_values(const std::string& flag,
                                                            const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, std::string>> result;
  for (const std::string& text : texts) {
    const size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
      throw tappet::UsageError(fmt::format("{} {}: expected NAME=VALUE", flag, text));
    result.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return result;
}
