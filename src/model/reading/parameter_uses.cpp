// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "model/reading/parameter_uses.h"

#include <algorithm>

namespace tappet {

ParameterUses::ParameterUses(std::vector<std::string> varied, std::vector<double> values)
    : varied_(std::move(varied)), stage_(std::make_shared<ParameterStage>(std::move(values))) {}

int ParameterUses::index_of(const std::string& parameter) const {
  const auto found = std::find(varied_.begin(), varied_.end(), parameter);
  return found == varied_.end() ? -1 : static_cast<int>(found - varied_.begin());
}

void ParameterUses::add(StagedNumber number, std::function<double&(Model&)> where) {
  if (number.place < 0) return;
  sets_.push_back([place = number.place, where = std::move(where)](Model& model, const ParameterStage& stage) {
    where(model) = stage[place];
    return true;
  });
}

bool ParameterUses::set(Model& model) const {
  return std::all_of(sets_.begin(), sets_.end(), [&](const Set& set) { return set(model, *stage_); });
}

}  // namespace tappet
