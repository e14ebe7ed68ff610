// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "model/attachments.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/reading/nearest.h"
#include "model/state_names.h"

namespace tappet {
namespace {

int nodes_of(const Loading& loading, int body) {
  if (body < 0) return 1;
  return std::visit(
      [](const auto& element) {
        if constexpr (requires { element.nodes(); })
          return element.nodes();
        else
          return 1;
      },
      loading.model.bodies[body].element);
}

// Reads `node: 3` for the body that is flexible, or `node: [0, 3]` for both. −1 is the last node.
void read_nodes(const Loading& loading, const Item& item, std::array<Attachment, 2>& bodies) {
  const auto node = item.find("node");
  if (!node) return;
  const auto read = [&](const Item& number, Attachment& attachment) {
    const int nodes = nodes_of(loading, attachment.body), value = loading.values.integer(number);
    if (value >= nodes || value < -nodes)
      number.fail(fmt::format("found node {}; expected a node of '{}', 0 to {} (or −1 for the last)", value,
                              attachment.body < 0 ? "ground" : loading.model.bodies[attachment.body].name, nodes - 1));
    attachment.node = value < 0 ? nodes + value : value;
  };
  if (node->is_list()) {
    const std::vector<Item> nodes = node->list();
    if (nodes.size() != 2) node->fail_expecting("one whole number or a list of two, one for each body");
    for (int i = 0; i < 2; ++i) read(nodes[i], bodies[i]);
    return;
  }
  const bool second = nodes_of(loading, bodies[0].body) == 1 && nodes_of(loading, bodies[1].body) > 1;
  read(*node, bodies[second ? 1 : 0]);
}

}  // namespace

int body_named(const Loading& loading, const Item& item) {
  const std::string& name = item.text("the name of a body");
  if (name == "ground") return -1;
  if (const int body = find_body(loading, name); body >= 0) return body;
  std::vector<std::string> names{"ground"};
  for (const BodyEntry& b : loading.model.bodies) names.push_back(b.name);
  item.fail(fmt::format("unknown body '{}'{}; expected one of: {}", name, suggestion(name, names), listed(names)));
}

std::array<Attachment, 2> read_pair(const Loading& loading, const Item& item) {
  const std::string expected = "two bodies [A, B], one of which may be the ground";
  const Item section = item.at("bodies", expected);
  const std::vector<Item> names = section.list(expected);
  if (names.size() != 2) section.fail_expecting(expected);
  std::array<Attachment, 2> pair;
  for (int i = 0; i < 2; ++i) pair[i].body = body_named(loading, names[i]);
  if (pair[0].body == pair[1].body)
    section.fail(fmt::format("'{}' is given twice; expected two different bodies", names[0].text()));
  read_nodes(loading, item, pair);
  return pair;
}

Attachment read_single(const Loading& loading, const Item& item) {
  const std::string expected = "one body [A]";
  std::array<Attachment, 2> pair;
  const auto body = item.find("body");
  if (body && item.find("bodies")) body->fail_at_key("`bodies` is given too; expected one of `body` and `bodies`");
  if (body) {
    pair[0].body = body_named(loading, *body);
  } else {
    const Item section = item.at("bodies", expected);
    const std::vector<Item> names = section.list(expected);
    if (names.size() != 1) section.fail_expecting(expected);
    pair[0].body = body_named(loading, names[0]);
  }
  if (pair[0].body < 0) item.fail_at_key("a force on the ground moves nothing; expected a body");
  read_nodes(loading, item, pair);
  return pair[0];
}

}  // namespace tappet
