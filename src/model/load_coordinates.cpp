// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "model/loading.h"
#include "model/names.h"

namespace tappet {
namespace {

// The names that formulas use. A name may contain a number that is only computed when the formula is read, such as
// `link.(i).x` in a sum. It is stored as `link.*.x`, where the star stands for any number.
class UsedNames {
 public:
  void collect(const Yaml& node) {
    for (std::string& name : names_in(node.text)) {
      while (name.back() == '\'') name.pop_back();
      names_.insert(std::move(name));
    }
    for (std::size_t at = node.text.find(".("); at != std::string::npos; at = node.text.find(".(", at + 1))
      patterns_.insert(pattern(node.text, at));
    for (const Yaml& item : node.items) collect(item);
    for (const YamlPair& pair : node.pairs) {
      collect(pair.key);  // `forces: {rod.x: …}`
      collect(pair.value);
    }
  }

  bool contains(const std::string& name) const {
    return names_.contains(name) || (!patterns_.empty() && patterns_.contains(with_stars(name)));
  }

 private:
  static bool is_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }

  // For `2*link.(i+1).x'` and the position of the dot before the parenthesis, returns link.*.x.
  static std::string pattern(const std::string& text, std::size_t at) {
    std::size_t start = at;
    while (start > 0 && (is_part(text[start - 1]) || text[start - 1] == ')'))
      start = text[start - 1] == ')' ? text.rfind('(', start - 1) : start - 1;
    std::string name;
    for (std::size_t i = start; i < text.size();) {
      if (text[i] == '(' && i > start && text[i - 1] == '.') {
        int depth = 0;
        do depth += (text[i] == '(') - (text[i] == ')');
        while (++i < text.size() && depth > 0);
        name += '*';
      } else if (is_part(text[i])) {
        name += text[i++];
      } else {
        break;
      }
    }
    return with_stars(name);
  }

  // Turns link.3.x into link.*.x.
  static std::string with_stars(const std::string& name) {
    std::string result;
    for (std::size_t i = 0; i < name.size();) {
      const bool number = i > 0 && name[i - 1] == '.' && std::isdigit(static_cast<unsigned char>(name[i]));
      if (!number) {
        result += name[i++];
        continue;
      }
      while (i < name.size() && std::isdigit(static_cast<unsigned char>(name[i]))) ++i;
      result += '*';
    }
    return result;
  }

  std::unordered_set<std::string> names_, patterns_;
};

// Remembers the meaning of each name in the scope, so that no name means two things.
class Names {
 public:
  explicit Names(const Loading& loading) {
    for (const Parameter& p : loading.values.parameters()) taken_[p.name] = "a parameter";
  }
  void take(const Item& item, const std::string& name, const std::string& what) {
    const auto [found, is_new] = taken_.emplace(name, what);
    if (!is_new) item.fail_at_key(fmt::format("'{}' already names {}; expected another name", name, found->second));
  }

 private:
  std::map<std::string, std::string> taken_;
};

void read_coordinates(Loading& loading, Names& names) {
  const auto section = loading.root.find("coordinates");
  if (!section) return;
  for (const Item& item : section->map("a map of coordinates `{x: {position: 0, velocity: 0}}`")) {
    check_formula_name(item, "a coordinate");
    names.take(item, item.key(), "a coordinate");
    Coordinate coordinate{.name = item.key(), .place = item.key_place()};
    std::array<StagedNumber, 2> start{};
    if (!item.is_null()) {
      if (!item.is_map()) item.fail_expecting("`{position: .., velocity: ..}`");
      item.allow({"position", "velocity"});
      if (const auto position = item.find("position")) start[0] = loading.staged_number(*position);
      if (const auto velocity = item.find("velocity")) start[1] = loading.staged_number(*velocity);
    }
    coordinate.position = start[0].value, coordinate.velocity = start[1].value;
    const std::size_t i = loading.start.size();
    loading.use(start[0], [i](Model& m) -> double& { return m.formulas.coordinates[i].position; });
    loading.use(start[1], [i](Model& m) -> double& { return m.formulas.coordinates[i].velocity; });
    loading.start.push_back(start);
    loading.model.formulas.coordinates.push_back(coordinate);
  }
}

// Coordinates of bodies that are named in formulas, as `rod.x` or by the name that the body gives them.
struct BodyNames {
  Formulas::BodyCoordinate coordinate;
  std::vector<std::string> names;
};

std::vector<BodyNames> named_body_coordinates(const Loading& loading, Names& taken) {
  UsedNames used;
  for (const char* section : {"define", "lagrangian", "mass", "joints", "contacts", "draw"})
    if (const auto item = loading.root.find(section)) used.collect(item->node());
  // Force elements find the state of bodies themselves (state_names.h).
  if (const auto forces = loading.root.find("forces"))
    for (const YamlPair& force : forces->node().pairs)
      if (force.value.kind == Yaml::Kind::scalar) used.collect(force.key), used.collect(force.value);
  std::vector<BodyNames> found;
  const auto section = loading.root.find("bodies");
  for (int b = 0; b < static_cast<int>(loading.model.bodies.size()); ++b) {
    const BodyEntry& body = loading.model.bodies[b];
    if (body.generated) continue;
    const bool rigid = std::holds_alternative<RigidBody>(body.element);  // the rate of a quaternion is not a velocity
    const std::vector<std::string> own = own_coordinates(body.element);
    for (int i = 0; i < static_cast<int>(own.size()); ++i) {
      BodyNames entry{{b, i}, {body.name + "." + own[i]}};
      if (body.coordinates[i] != entry.names[0]) {
        taken.take(*section->find(body.name), body.coordinates[i], fmt::format("a coordinate of '{}'", body.name));
        entry.names.push_back(body.coordinates[i]);
      }
      const auto is_used = [&](const std::string& name) { return used.contains(name); };
      if (!rigid && std::any_of(entry.names.begin(), entry.names.end(), is_used)) found.push_back(entry);
    }
  }
  return found;
}

// The formulas under `define:`, which other formulas may use in any order. A definition of t and positions has a rate,
// x_C'.
class Definitions {
 public:
  Definitions(Loading& loading, std::vector<Item> items) : loading_(loading), items_(std::move(items)) {}

  void resolve_all() {
    for (std::size_t i = 0; i < items_.size(); ++i) number_.emplace(items_[i].key(), i);
    for (std::size_t i = 0; i < items_.size(); ++i) resolve(i);
    for (const Item& item : items_)
      if (const Node f = loading_.scope.at(item.key()); !loading_.depends_on_state(f))
        loading_.model.formulas.definitions.emplace_back(item.key(), f);
  }

 private:
  void resolve(std::size_t index) {
    const Item& item = items_[index];
    if (loading_.scope.contains(item.key())) return;
    if (const auto loop = std::find(chain_.begin(), chain_.end(), index); loop != chain_.end()) {
      std::string names;
      for (auto i = loop; i != chain_.end(); ++i) names += items_[*i].key() + " → ";
      item.fail(fmt::format("the definitions name each other in a circle: {}{}; expected a formula of others", names,
                            item.key()));
    }
    chain_.push_back(index);
    for (std::string name : names_in(item.text("a formula"))) {
      while (name.back() == '\'') name.pop_back();
      if (const auto other = number_.find(name); other != number_.end()) resolve(other->second);
    }
    chain_.pop_back();
    const Node f = loading_.state_formula(item);
    loading_.scope.emplace(item.key(), f);
    if (!loading_.depends_on_velocity(f) && !loading_.depends_on_state(f))
      loading_.scope.emplace(item.key() + "'", rate(f));
  }

  Node rate(Node f) const {
    Graph& graph = loading_.model.formulas.graph;
    Node sum = graph.derivative(f, graph.input(0));
    for (const int slot : graph.input_slots({&f, 1}))
      if (slot > 0 && slot <= loading_.variables)
        sum = graph.add(sum, graph.multiply(graph.derivative(f, graph.input(slot)), loading_.velocity(slot - 1)));
    return sum;
  }

  Loading& loading_;
  std::vector<Item> items_;
  std::vector<std::size_t> chain_;
  std::unordered_map<std::string, std::size_t> number_;  // from a name to the number of the item
};

}  // namespace

std::vector<std::string> own_coordinates(const BodyVariant& body) {
  return std::visit(
      [](const auto& element) -> std::vector<std::string> {
        if constexpr (requires { element.coordinates; }) {
          return {element.coordinates.begin(), element.coordinates.end()};
        } else {
          std::vector<std::string> names;
          for (int i = 0; i < element.size(); ++i) names.push_back(element.coordinate(i));
          return names;
        }
      },
      body);
}

std::vector<std::string> coordinate_names(const BodyEntry& body) {
  if (!body.generated) return body.coordinates;
  std::vector<std::string> names = own_coordinates(body.element);
  for (std::string& name : names) name = body.name + "." + name;
  return names;
}

std::vector<std::string> Loading::variable_names() const {
  std::vector<std::string> names;
  for (const Coordinate& c : model.formulas.coordinates) names.push_back(c.name);
  for (const auto& [body, index] : model.formulas.body_coordinates)
    names.push_back(model.bodies[body].coordinates[index]);
  return names;
}

void load_coordinates(Loading& loading) {
  Names names(loading);
  Formulas& formulas = loading.model.formulas;
  read_coordinates(loading, names);
  const std::vector<BodyNames> of_bodies = named_body_coordinates(loading, names);
  for (const BodyNames& entry : of_bodies) formulas.body_coordinates.push_back(entry.coordinate);
  if (formulas.coordinates.empty() && loading.model.bodies.empty()) {
    if (const auto section = loading.root.find("coordinates"))
      section->fail_at_key("no coordinate is given; expected at least one, `{x: {position: 0, velocity: 0}}`");
    loading.root.fail_at({1, 1}, "the model has nothing that moves; expected `coordinates:` or `bodies:`");
  }

  const int own = static_cast<int>(formulas.coordinates.size());
  loading.variables = own + static_cast<int>(of_bodies.size());
  loading.scope.emplace("t", formulas.graph.input(0));
  loading.scope.merge(loading.values.scope(formulas.graph));
  for (const Parameter& p : loading.values.parameters()) formulas.parameters.push_back(loading.scope.at(p.name));
  const auto add = [&](const std::string& name, int variable) {
    loading.scope.emplace(name, loading.position(variable));
    loading.scope.emplace(name + "'", loading.velocity(variable));
  };
  for (int i = 0; i < own; ++i) add(formulas.coordinates[i].name, i);
  for (int i = own; i < loading.variables; ++i)
    for (const std::string& name : of_bodies[i - own].names) add(name, i);

  if (const auto section = loading.root.find("define"); section && !section->is_null()) {
    std::vector<Item> items = section->map("a map of definitions `{name: formula}`");
    for (const Item& item : items) {
      check_formula_name(item, "a definition");
      names.take(item, item.key(), "a definition");
    }
    Definitions(loading, std::move(items)).resolve_all();
  }
}

}  // namespace tappet
