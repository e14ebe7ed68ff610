// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "model/state_names.h"

#include <algorithm>
#include <charconv>

#include "model/joints/joint_actions.h"

namespace tappet {
namespace {

using Kind = StateInput::Kind;

template <class Names>
int place_in(const Names& names, std::string_view name) {
  const auto found = std::find(std::begin(names), std::end(names), name);
  return found == std::end(names) ? -1 : static_cast<int>(found - std::begin(names));
}

int axis_of(char c) { return c >= 'x' && c <= 'z' ? c - 'x' : -1; }

// The name of a quantity of the state; body −1 means that there is none.
template <class Body>
StateInput input_named(const Body&, std::string_view name, bool prime) {
  if constexpr (!requires { Body::velocities; }) {
    return {};
  } else {
    constexpr bool turns_in_space = Body::nq > Body::nu;
    if (std::is_same_v<Body, PlanarBody> && name == "angle") name = "phi";
    if (std::is_same_v<Body, PlanarBody> && name == "omega" && !prime) name = "wz";
    if (const int i = place_in(Body::coordinates, name); i >= 0) {
      if (!turns_in_space || i < 3) return {0, prime ? Kind::velocity : Kind::position, i};
      return prime ? StateInput{} : StateInput{0, Kind::quaternion, i - 3};
    }
    if (prime) return {};
    if (const int i = place_in(Body::velocities, name); i >= 0) return {0, Kind::velocity, i};
    if (turns_in_space && name.size() == 3 && name[0] == 'R')
      if (const int row = axis_of(name[1]), column = axis_of(name[2]); row >= 0 && column >= 0)
        return {0, Kind::rotation, 3 * row + column};
    return {};
  }
}

}  // namespace

int find_body(const Loading& loading, const std::string& name) {
  if (const auto found = loading.body_index.find(name); found != loading.body_index.end()) return found->second;
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return -1;
  const auto& groups = loading.model.groups;
  const auto group =
      std::find_if(groups.begin(), groups.end(), [&](const BodyGroup& g) { return name.compare(0, dot, g.name) == 0; });
  int number = 0;
  const auto [end, error] = std::from_chars(name.data() + dot + 1, name.data() + name.size(), number);
  if (group == groups.end() || error != std::errc() || end != name.data() + name.size()) return -1;
  const int body = group->first + number - 1;  // generated bodies are counted from 1
  return number >= 1 && number <= group->count && loading.model.bodies[body].name == name ? body : -1;
}

Node state_named(Loading& loading, std::string_view name) {
  const bool prime = name.ends_with('\'');
  if (prime) name.remove_suffix(1);
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return -1;
  const std::string_view owner = name.substr(0, dot), quantity = name.substr(dot + 1);
  StateInput input;
  const int body = find_body(loading, std::string(owner));
  if (body >= 0)
    input = std::visit([&](const auto& element) { return input_named(element, quantity, prime); },
                       loading.model.bodies[body].element);
  if (input.body < 0) return prime ? -1 : joint_state_named(loading, owner, quantity);
  input.body = body;
  return state_node(loading, input);
}

Node state_node(Loading& loading, const StateInput& input) {
  Formulas& formulas = loading.model.formulas;
  const auto [place, is_new] = loading.state_index.try_emplace({input.body, static_cast<int>(input.kind), input.index},
                                                               static_cast<int>(formulas.state_inputs.size()));
  if (is_new) formulas.state_inputs.push_back(input);
  return formulas.graph.input(Formulas::first_state_slot + place->second);
}

}  // namespace tappet
