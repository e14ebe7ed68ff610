// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/scene.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "record/recorder.h"
#include "report/drawing/shapes.h"

namespace tappet {

namespace {

using Json = nlohmann::ordered_json;

// in the tracks of a scene: of a page in a file, and of one that the program serves
constexpr long most_numbers = 600'000, most_served = 6'000'000;
constexpr int most_forces = 100;

// The quaternion (w, x, y, z) of a rotation, computed from its largest component.
std::array<double, 4> quaternion(const Mat3d& R) {
  const double trace = R.x.x + R.y.y + R.z.z;
  const double squares[4] = {1 + trace, 1 + 2 * R.x.x - trace, 1 + 2 * R.y.y - trace, 1 + 2 * R.z.z - trace};
  const int k = static_cast<int>(std::max_element(squares, squares + 4) - squares);
  const double d = std::sqrt(squares[k]), s = 0.5 / d;
  const double wx = (R.y.z - R.z.y) * s, wy = (R.z.x - R.x.z) * s, wz = (R.x.y - R.y.x) * s;
  const double xy = (R.x.y + R.y.x) * s, xz = (R.x.z + R.z.x) * s, yz = (R.y.z + R.z.y) * s;
  switch (k) {
    case 0:
      return {d / 2, wx, wy, wz};
    case 1:
      return {wx, d / 2, xy, xz};
    case 2:
      return {wy, xy, d / 2, yz};
    default:
      return {wz, xz, yz, d / 2};
  }
}

class SceneWriter {
 public:
  SceneWriter(const System& system, const ResultSource& result, const FoundPairs& found, std::span<const long> samples,
              PageArrays& arrays);
  Json write();

 private:
  void choose_frames(std::span<const long> samples);
  void evaluate_draw();
  void add_draw_items();
  void add_draw_item(const DrawItem& item, int first);
  void add_flexible(const DrawItem& item, int first);
  void add_collider(const DrawItem& item);
  void add_numbers(const DrawItem& item, int first, Json& json);
  void add_shapes(const std::vector<DrawnShape>& shapes);
  void add_shape(const DrawnShape& shape);
  void add_forces();
  void add_contact_force(int contact);
  void add_found_force(int pair);
  // at(frame) is a point, and directions(frame) are those of the normal force and of friction.
  template <class At, class Directions>
  void add_force(int contact, const At& at, const Directions& directions);

  Pose<double> pose(const Attachment& body, int frame) const {
    return system_.pose_of(system_.frames()[system_.frame_of(body)], row(q_, frame, system_.q_size()));
  }
  template <class Component>
  Json track(int components, const Component& component);  // component(frame, k) is a number
  Json point_track(const std::vector<Vec3d>& points);
  Json pose_track(const Attachment& body);
  template <class Point>
  Json world_points(int count, const Point& point);  // point(frame, k)
  static const double* row(const std::vector<double>& rows, int frame, int width) {
    return rows.data() + static_cast<size_t>(frame) * width;
  }
  double value(int frame, int output) const { return values_[static_cast<size_t>(frame) * outputs_ + output]; }

  const System& system_;
  const ResultSource& result_;
  const FoundPairs& found_;
  PageArrays& arrays_;
  std::vector<long> frames_;
  std::vector<double> t_, dt_;
  std::vector<double> q_, u_;   // frame after frame
  std::vector<double> values_;  // values of the formulas of the draw section, frame after frame
  int outputs_ = 0;
  bool planar_ = true;
  Json items_ = Json::array(), forces_ = Json::array();
};

SceneWriter::SceneWriter(const System& system, const ResultSource& result, const FoundPairs& found,
                         std::span<const long> samples, PageArrays& arrays)
    : system_(system), result_(result), found_(found), arrays_(arrays) {
  // without recorded positions there is nothing to draw
  if (system_.q_size() > 0 && !(result_.has("q") && result_.has("u"))) return;
  choose_frames(samples);
  t_ = result_.rows("t", frames_);
  dt_ = result_.has("steps/dt") ? result_.rows("steps/dt", frames_) : std::vector<double>(frames_.size(), 0.0);
  if (system_.q_size() > 0) q_ = result_.rows("q", frames_);
  if (system_.u_size() > 0) u_ = result_.rows("u", frames_);
  evaluate_draw();
}

void SceneWriter::choose_frames(std::span<const long> samples) {
  long numbers =
      6L * std::min<long>(most_forces, static_cast<long>(system_.named_contacts().size() + found_.pairs().size()));
  for (const DrawItem& item : system_.model().draw) numbers += 3L * static_cast<long>(item.points.size()) + 7;
  for (const DrawItem& item : system_.model().draw)
    numbers += item.kind == "flexible" ? 6L * most_line_points + 150 : 0;
  for (const DrawnShape& shape : flexible_shapes(system_)) numbers += 3L * static_cast<long>(shape.points.size());
  numbers += 10L * static_cast<long>(system_.model().bodies.size());
  const long least = system_.model().bodies.size() > 2000 ? 2 : 100;
  const long most = std::max(least, (arrays_.is_plain() ? most_served : most_numbers) / std::max(1L, numbers));
  const long n = static_cast<long>(samples.size());
  if (n <= most) {
    frames_.assign(samples.begin(), samples.end());
    return;
  }
  for (long i = 0; i < most; ++i) frames_.push_back(samples[i * (n - 1) / (most - 1)]);
}

// Compiles all formulas of the draw section into one program: the points of an item, then its numbers.
void SceneWriter::evaluate_draw() {
  const Model& model = system_.model();
  std::vector<Node> outputs;
  for (const DrawItem& item : model.draw) {
    for (const auto& point : item.points) outputs.insert(outputs.end(), point.begin(), point.end());
    for (const auto& [name, node] : item.numbers) outputs.push_back(node);
  }
  outputs_ = static_cast<int>(outputs.size());
  if (outputs_ == 0) return;
  const auto& q = system_.formula_q();
  const auto& u = system_.formula_u();
  const Program program(model.formulas.graph, outputs, static_cast<int>(1 + q.size() + u.size()));
  std::vector<double> inputs(program.inputs()), registers(program.register_count());
  values_.resize(frames_.size() * outputs_);
  for (size_t f = 0; f < frames_.size(); ++f) {
    const double *positions = row(q_, static_cast<int>(f), system_.q_size()),
                 *velocities = row(u_, static_cast<int>(f), system_.u_size());
    inputs[0] = t_[f];
    for (size_t i = 0; i < q.size(); ++i) inputs[1 + i] = positions[q[i]];
    for (size_t i = 0; i < u.size(); ++i) inputs[1 + q.size() + i] = velocities[u[i]];
    program.run(inputs.data(), values_.data() + f * outputs_, registers.data());
  }
}

// Stores values component by component, and only one frame if nothing moves.
template <class Component>
Json SceneWriter::track(int components, const Component& component) {
  const int frames = static_cast<int>(frames_.size());
  std::vector<double> numbers(static_cast<size_t>(components) * frames);
  bool moves = false;
  for (int k = 0; k < components; ++k) {
    double* own = numbers.data() + static_cast<size_t>(k) * frames;
    for (int f = 0; f < frames; ++f) own[f] = component(f, k);
    moves = moves || std::any_of(own, own + frames, [&](double x) { return x != own[0]; });
  }
  if (!moves) {
    for (int k = 0; k < components; ++k) numbers[k] = numbers[static_cast<size_t>(k) * frames];
    numbers.resize(components);
  }
  return arrays_.floats(numbers);
}

Json SceneWriter::point_track(const std::vector<Vec3d>& points) {
  return track(3, [&](int f, int k) { return points[f][k]; });
}

Json SceneWriter::pose_track(const Attachment& body) {
  std::vector<std::array<double, 7>> poses;
  for (int f = 0; f < static_cast<int>(frames_.size()); ++f) {
    const Pose<double> P = pose(body, f);
    const auto r = quaternion(P.R);
    poses.push_back({P.p.x, P.p.y, P.p.z, r[0], r[1], r[2], r[3]});
    if (P.p.z != 0.0 || r[1] != 0.0 || r[2] != 0.0) planar_ = false;
  }
  return track(7, [&](int f, int k) { return poses[f][k]; });
}

template <class Point>
Json SceneWriter::world_points(int count, const Point& point) {
  const int frames = static_cast<int>(frames_.size());
  std::vector<Vec3d> points;
  points.reserve(static_cast<size_t>(frames) * count);
  for (int f = 0; f < frames; ++f)
    for (int p = 0; p < count; ++p) {
      points.push_back(point(f, p));
      if (points.back().z != 0.0) planar_ = false;
    }
  return track(3 * count, [&](int f, int k) { return points[static_cast<size_t>(f) * count + k / 3][k % 3]; });
}

bool is_oriented(const std::string& kind) {
  return kind == "sphere" || kind == "circle" || kind == "box" || kind == "solid";
}

std::string word(const DrawItem& item, const std::string& key) {
  for (const auto& [name, value] : item.words)
    if (name == key) return value;
  return {};
}

void SceneWriter::add_draw_items() {
  int first = 0;
  for (const DrawItem& item : system_.model().draw) {
    add_draw_item(item, first);
    first += static_cast<int>(3 * item.points.size() + item.numbers.size());
  }
}

void SceneWriter::add_draw_item(const DrawItem& item, int first) {
  const Attachment body{item.body, 0};
  const auto local = [=, this](int f, int p) {
    return Vec3d{value(f, first + 3 * p), value(f, first + 3 * p + 1), value(f, first + 3 * p + 2)};
  };
  const bool on_ground = item.body < 0, is_plane = item.kind == "plane";
  const auto placed = [&](int f, int p) { return on_ground ? local(f, p) : pose(body, f).point(local(f, p)); };
  if (item.kind == "flexible") return add_flexible(item, first);
  if (item.kind == "collider") return add_collider(item);
  if (item.kind == "force") {
    const auto& contacts = system_.named_contacts();
    const std::string name = word(item, "contact");
    const auto contact =
        std::find_if(contacts.begin(), contacts.end(), [&](const Contact& c) { return c.details && c.name() == name; });
    if (contact == contacts.end()) return;
    add_force(
        static_cast<int>(contact - contacts.begin()), [&](int f) { return placed(f, 0); },
        [&](int f) -> std::array<Vec3d, 3> {
          const Vec3d n = on_ground ? local(f, 1) : pose(body, f).direction(local(f, 1));
          return {n, {n.y, -n.x, 0.0}, {}};
        });
    return;
  }
  Json json = {{"kind", item.kind}, {"label", item.label}, {"color", item.color}};
  if (item.body >= 0) json["body"] = system_.model().bodies[item.body].name;
  if (item.place.line > 0) json["line"] = item.place.line;
  const int count = static_cast<int>(item.points.size());
  json["count"] = count;
  if (item.body >= 0 && is_oriented(item.kind)) {
    json["pose"] = pose_track(body);
    json["points"] = world_points(count, local);
  } else {
    json["points"] = world_points(count, [&](int f, int p) {
      if (is_plane && p == 1) return placed(f, 0) + pose(body, f).direction(local(f, 1));
      return placed(f, p);
    });
  }
  add_numbers(item, first + 3 * count, json);
  for (const auto& [name, text] : item.words)
    if (name == "type")
      json[name] = text;
    else
      json[name] = text == "true";
  items_.push_back(std::move(json));
}

// Draws a flexible body with enlarged displacements. If a height is given, it also draws the outline and
// cross-sections, which show the strain.
void SceneWriter::add_flexible(const DrawItem& item, int first) {
  double scale = 1.0, height = 0.0;
  for (size_t i = 0; i < item.numbers.size(); ++i)
    (item.numbers[i].first == "scale" ? scale : height) = value(0, first + static_cast<int>(i));
  const auto moved = [&](const Attachment& node, int f, double across) {
    const Pose<double> start = system_.pose(node, system_.initial().q), now = pose(node, f);
    return start.p + scale * (now.p - start.p) + now.direction(Vec3d{0.0, across, 0.0});
  };
  const auto add = [&](const std::string& label, double width, int count, const auto& point) {
    items_.push_back({{"kind", "line"}, {"label", label}, {"color", item.color}, {"count", count}, {"width", width}});
    items_.back()["body"] = system_.model().bodies[item.body].name;
    items_.back()["points"] = world_points(count, point);
  };
  const std::string label = item.label.empty() ? system_.model().bodies[item.body].name : item.label;
  const auto nodes = line_of_nodes(system_, item.body, most_line_points);
  const int count = static_cast<int>(nodes.size());
  if (height == 0.0) return add(label, 8, count, [&](int f, int p) { return moved(nodes[p], f, 0.0); });
  for (const double side : {-0.5, 0.5})
    add(side < 0 ? label : "", 2, count, [&](int f, int p) { return moved(nodes[p], f, side * height); });
  constexpr int sections = 25;
  for (const Attachment& node : line_of_nodes(system_, item.body, sections))
    add("", 2, 2, [&](int f, int p) { return moved(node, f, (p - 0.5) * height); });
}

void SceneWriter::add_collider(const DrawItem& item) {
  for (DrawnShape& shape : collider_shapes(system_, word(item, "name"))) {
    shape.color = item.color;
    if (!item.label.empty()) shape.label = item.label;
    add_shape(shape);
  }
}

void SceneWriter::add_numbers(const DrawItem& item, int first, Json& json) {
  const Graph& graph = system_.model().formulas.graph;
  for (size_t i = 0; i < item.numbers.size(); ++i) {
    const auto& [name, node] = item.numbers[i];
    const int output = first + static_cast<int>(i);
    if (name.starts_with("size.")) {
      json["size"].push_back(value(0, output));
    } else if (graph.is_constant(node)) {
      json[name] = value(0, output);
    } else {
      json[name] = track(1, [&](int f, int) { return value(f, output); });
    }
  }
}

void SceneWriter::add_shapes(const std::vector<DrawnShape>& shapes) {
  for (const DrawnShape& shape : shapes) add_shape(shape);
}

void SceneWriter::add_shape(const DrawnShape& shape) {
  Json json = {{"kind", shape.kind}, {"label", shape.label}, {"color", shape.color}, {"count", shape.points.size()}};
  if (const int index = shape.frames[0].body; index >= 0 && shape.kind != "joint") {
    const BodyEntry& body = system_.model().bodies[index];
    if (!body.generated) json["body"] = body.name, json["line"] = body.place.line;
  }
  const bool oriented = is_oriented(shape.kind) || shape.kind == "polygon";
  if (oriented) json["pose"] = pose_track(shape.frames[0]);
  json["points"] = world_points(static_cast<int>(shape.points.size()), [&](int f, int p) {
    return oriented ? shape.points[p] : pose(shape.frames[p], f).point(shape.points[p]);
  });
  if (shape.radius > 0) json["radius"] = shape.radius;
  if (shape.width > 0) json["width"] = shape.width;
  if (shape.kind == "box") json["size"] = {shape.size.x, shape.size.y, shape.size.z};
  if (!shape.type.empty()) json["type"] = shape.type;
  if (shape.fixed) json["fixed"] = true;
  if (!shape.fill) json["fill"] = false;
  if (!shape.loops.empty()) json["loops"] = shape.loops;
  for (const Vec3d& v : shape.vertices)
    for (int k = 0; k < 3; ++k) json["vertices"].push_back(static_cast<float>(v[k]));
  if (!shape.faces.empty()) json["faces"] = shape.faces;
  items_.push_back(std::move(json));
}

void SceneWriter::add_forces() {
  const auto& contacts = system_.named_contacts();
  for (int c = 0; c < static_cast<int>(contacts.size()) && static_cast<int>(forces_.size()) < most_forces; ++c)
    if (contacts[c].source == Constraint::Source::contact) add_contact_force(c);
  for (int p = 0; p < static_cast<int>(found_.pairs().size()); ++p) add_found_force(p);
}

// Draws one arrow for all points of a pair of colliders. While they do not touch, the arrow stays where it was and has
// no length.
void SceneWriter::add_found_force(int pair) {
  const auto sums = found_.sums(pair, frames_);
  std::vector<Vec3d> at, force;
  for (size_t f = 0; f < sums.size(); ++f) {
    const bool touches = sums[f].P_N > 0.0 && dt_[f] > 0.0;
    at.push_back(touches ? sums[f].at : at.empty() ? Vec3d{} : at.back());
    force.push_back(touches ? (1.0 / dt_[f]) * sums[f].P : Vec3d{});
  }
  Json json = {{"contact", system_.named_contacts().size() + pair}};
  json["at"] = point_track(at);
  json["force"] = point_track(force);
  forces_.push_back(std::move(json));
}

void SceneWriter::add_contact_force(int contact) {
  const Contact& c = system_.named_contacts()[contact];
  const ContactEntry& entry = system_.model().contacts[c.index];
  const auto touch = [&](int f) {
    const Pose<double> A = pose(entry.bodies[0], f), B = pose(entry.bodies[1], f);
    return std::visit([&](const auto& element) -> Touch<double> { return element.touch(A, B, t_[f]); }, entry.element);
  };
  add_force(
      contact, [&](int f) { return touch(f).point_A; },
      [&](int f) -> std::array<Vec3d, 3> {
        const Vec3d n = touch(f).normal;
        const auto t = tangents(n, *c.law);
        return {n, c.law->scale(0) * t[0], c.law->scale(1) * t[1]};
      });
}

// The force on the first body at each frame: λ if the scheme gives it, otherwise P/dt.
template <class At, class Directions>
void SceneWriter::add_force(int contact, const At& at, const Directions& directions) {
  const std::string group = "contacts/" + hdf5_name(system_.named_contacts()[contact].name()) + "/";
  if (!result_.has(group + "P_N")) return;
  std::vector<double> normal, friction;
  const auto read = [&](const std::string& N, const std::string& F) {
    if (!result_.has(group + N)) return false;
    normal = result_.rows(group + N, frames_);
    friction = result_.has(group + F) ? result_.rows(group + F, frames_) : std::vector<double>();
    return std::any_of(normal.begin(), normal.end(), [](double x) { return x != 0.0; });
  };
  const bool told = read("lambda_N", "lambda_F");
  if (!told && !read("P_N", "P_F")) return;
  const int frames = static_cast<int>(frames_.size());
  const int rows = static_cast<int>(friction.size()) / frames;
  std::vector<Vec3d> points, force;
  points.reserve(frames), force.reserve(frames);
  for (int f = 0; f < frames; ++f) {
    points.push_back(at(f));
    const auto d = directions(f);
    Vec3d sum = normal[f] * d[0];
    for (int i = 0; i < std::min(rows, 2); ++i) sum += friction[static_cast<size_t>(f) * rows + i] * d[1 + i];
    force.push_back(told ? sum : dt_[f] > 0.0 ? (1.0 / dt_[f]) * sum : Vec3d{});
  }
  Json json = {{"contact", contact}};
  json["at"] = point_track(points);
  json["force"] = point_track(force);
  forces_.push_back(std::move(json));
}

Json SceneWriter::write() {
  if (!frames_.empty()) {
    if (system_.model().draw.empty())
      add_shapes(default_shapes(system_));
    else
      add_draw_items();
    add_shapes(flexible_shapes(system_));
    add_forces();
  }
  return {{"planar", planar_}, {"time", arrays_.doubles(t_)}, {"items", items_}, {"forces", forces_}};
}

}  // namespace

Json scene(const System& system, const ResultSource& result, const FoundPairs& found, std::span<const long> samples,
           PageArrays& arrays) {
  return SceneWriter(system, result, found, samples, arrays).write();
}

}  // namespace tappet
