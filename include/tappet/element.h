// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/keys.h>

#include <array>
#include <concepts>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

// Element types that a program adds to those of the library. Their author writes what the author of a built-in element
// writes: a struct with a `name`, describe() for its keys in the model file, and one function of the poses of its two
// bodies, templated on the scalar. Every derivative that a scheme asks for follows from that function.
//
//   struct Wedge {
//     static constexpr std::string_view name = "wedge";
//     double angle = 0.1;
//     template <class V> void describe(V& v) { v.required("angle", angle, positive); }
//     template <class S> Touch<S> touch(const Pose<S>& A, const Pose<S>& B, const S& t) const { … }
//   };
//
//   ElementTypes types;
//   types.add<Wedge>();
//   Model model = load("latch.yaml", {}, types);      // the file may now say `type: wedge`
//
// The function says what kind of element it is:
//   contact  Touch<S> touch(A, B, t) const                    the gap, the nearest points, the normal from B to A
//   joint    int rows() const                                 at most six rows
//            void residual(A, B, t, S* g) const               g = 0
//   force    void wrench(A, a, B, b, t, on_A, on_B) const     poses and twists in, wrenches out
//            double energy(A, B, t) const                     optional: its potential energy
// Every element may have
//   void attach(A, B, planar)      called once with the poses at the start; throws std::invalid_argument if it cannot
//   std::string check() const      what is wrong between the keys; empty if nothing is
namespace tappet {

// Two bodies at their nearest points: all the kinematics a contact states. `normal` is a unit vector from B to A,
// and gap = normal·(point_A − point_B), so the directions of its forces follow from the points and the normal alone.
template <class S>
struct Touch {
  S gap;
  Vec3<S> point_A, point_B, normal;  // world
};

// The visitor that describe() of such an element sees. It offers the same calls as in describe.h, for values of the
// types listed here and for any check: a struct with `text`, which completes "expected …", and bool operator()(value).
class OwnKeys {
 public:
  using Value = std::variant<double*, int*, bool*, std::string*, Vec3d*, Mat3d*, Quatd*, OneOrTwo*,
                             std::array<Vec3d, 2>*, Anchor*, TimeFunction*>;
  struct Check {
    std::string text;
    std::function<bool()> holds;  // for the present value
  };

  virtual ~OwnKeys() = default;

  template <class T, std::predicate<const T&> C = Finite>
  void required(std::string_view key, T& value, const C& check = {}, std::string_view /*meaning*/ = "") {
    visit(key, &value, {expected_by(check), [&] { return check(value); }}, true);
  }
  template <class T, std::predicate<const T&> C = Finite>
  void optional(std::string_view key, T& value, const C& check = {}, std::string_view /*meaning*/ = "") {
    visit(key, &value, {expected_by(check), [&] { return check(value); }}, false);
  }
  template <class T>
  void choice(std::string_view key, T& value, const Choices& names, std::string_view /*meaning*/ = "") {
    int index = 0;
    while (index + 1 < static_cast<int>(names.size()) && chosen(value, names) != names[index]) ++index;
    visit_choice(key, index, names);
    choose(value, names, index);
  }

 protected:
  virtual void visit(std::string_view key, Value value, const Check& check, bool is_required) = 0;
  virtual void visit_choice(std::string_view key, int& index, const Choices& names) = 0;
};

// What follows up to ElementTypes carries the templates of an element into the library. Authors of elements need not
// read it.
namespace own {

// The scalars along which elements are differentiated.
using Along1 = Dual<double, 1>;
using Along6 = Dual<double, 6>;
using Along61 = Dual<Along1, 6>;
using Jet = Jet2<double>;
using Along6Jet = Dual<Jet, 6>;

template <class Self>
struct Element {
  virtual ~Element() = default;
  virtual std::unique_ptr<Self> clone() const = 0;
  virtual std::string_view name() const = 0;
  virtual void describe(OwnKeys& keys) = 0;
  virtual void attach(const Pose<double>& A, const Pose<double>& B, bool planar) = 0;
  virtual std::string check() const = 0;
};

struct Contact : Element<Contact> {
  virtual Touch<double> touch(const Pose<double>& A, const Pose<double>& B, const double& t) const = 0;
  virtual Touch<Along1> touch(const Pose<Along1>& A, const Pose<Along1>& B, const Along1& t) const = 0;
  virtual Touch<Along6> touch(const Pose<Along6>& A, const Pose<Along6>& B, const Along6& t) const = 0;
  virtual Touch<Along61> touch(const Pose<Along61>& A, const Pose<Along61>& B, const Along61& t) const = 0;
};

struct Joint : Element<Joint> {
  virtual int rows() const = 0;
  virtual void residual(const Pose<double>& A, const Pose<double>& B, const double& t, double* g) const = 0;
  virtual void residual(const Pose<Along1>& A, const Pose<Along1>& B, const Along1& t, Along1* g) const = 0;
  virtual void residual(const Pose<Along6>& A, const Pose<Along6>& B, const Along6& t, Along6* g) const = 0;
  virtual void residual(const Pose<Along61>& A, const Pose<Along61>& B, const Along61& t, Along61* g) const = 0;
  virtual void residual(const Pose<Jet>& A, const Pose<Jet>& B, const Jet& t, Jet* g) const = 0;
  virtual void residual(const Pose<Along6Jet>& A, const Pose<Along6Jet>& B, const Along6Jet& t, Along6Jet* g) const = 0;
};

struct Force : Element<Force> {
  virtual void wrench(const Pose<double>& A, const Twist<double>& a, const Pose<double>& B, const Twist<double>& b,
                      const double& t, Wrench<double>& on_A, Wrench<double>& on_B) const = 0;
  virtual void wrench(const Pose<Along6>& A, const Twist<Along6>& a, const Pose<Along6>& B, const Twist<Along6>& b,
                      const Along6& t, Wrench<Along6>& on_A, Wrench<Along6>& on_B) const = 0;
  virtual double energy(const Pose<double>& A, const Pose<double>& B, double t) const = 0;
};

template <class E>
concept IsContact = requires(const E& e, Pose<double> A) {
  { e.touch(A, A, 0.0) } -> std::same_as<Touch<double>>;
};
template <class E>
concept IsJoint = requires(const E& e, Pose<double> A, double* g) {
  { e.rows() } -> std::convertible_to<int>;
  e.residual(A, A, 0.0, g);
};
template <class E>
concept IsForce = requires(const E& e, Pose<double> A, Twist<double> a, Wrench<double> f) {
  e.wrench(A, a, A, a, 0.0, f, f);
};

// What all three kinds have in common.
template <class Base, class Self, class E>
struct Common : Base {
  E element;

  std::unique_ptr<Base> clone() const override {
    auto copy = std::make_unique<Self>();
    copy->element = element;
    return copy;
  }
  std::string_view name() const override { return E::name; }
  void describe(OwnKeys& keys) override { element.describe(keys); }
  void attach(const Pose<double>& A, const Pose<double>& B, bool planar) override {
    if constexpr (requires { element.attach(A, B, planar); }) element.attach(A, B, planar);
  }
  std::string check() const override {
    if constexpr (requires { std::string(element.check()); }) return element.check();
    return {};
  }
};

template <IsContact E>
struct ContactOf final : Common<Contact, ContactOf<E>, E> {
  using Base = Common<Contact, ContactOf<E>, E>;
  Touch<double> touch(const Pose<double>& A, const Pose<double>& B, const double& t) const override {
    return Base::element.touch(A, B, t);
  }
  Touch<Along1> touch(const Pose<Along1>& A, const Pose<Along1>& B, const Along1& t) const override {
    return Base::element.touch(A, B, t);
  }
  Touch<Along6> touch(const Pose<Along6>& A, const Pose<Along6>& B, const Along6& t) const override {
    return Base::element.touch(A, B, t);
  }
  Touch<Along61> touch(const Pose<Along61>& A, const Pose<Along61>& B, const Along61& t) const override {
    return Base::element.touch(A, B, t);
  }
};

template <IsJoint E>
struct JointOf final : Common<Joint, JointOf<E>, E> {
  using Base = Common<Joint, JointOf<E>, E>;
  int rows() const override { return Base::element.rows(); }
  void residual(const Pose<double>& A, const Pose<double>& B, const double& t, double* g) const override {
    Base::element.residual(A, B, t, g);
  }
  void residual(const Pose<Along1>& A, const Pose<Along1>& B, const Along1& t, Along1* g) const override {
    Base::element.residual(A, B, t, g);
  }
  void residual(const Pose<Along6>& A, const Pose<Along6>& B, const Along6& t, Along6* g) const override {
    Base::element.residual(A, B, t, g);
  }
  void residual(const Pose<Along61>& A, const Pose<Along61>& B, const Along61& t, Along61* g) const override {
    Base::element.residual(A, B, t, g);
  }
  void residual(const Pose<Jet>& A, const Pose<Jet>& B, const Jet& t, Jet* g) const override {
    Base::element.residual(A, B, t, g);
  }
  void residual(const Pose<Along6Jet>& A, const Pose<Along6Jet>& B, const Along6Jet& t, Along6Jet* g) const override {
    Base::element.residual(A, B, t, g);
  }
};

template <IsForce E>
struct ForceOf final : Common<Force, ForceOf<E>, E> {
  using Base = Common<Force, ForceOf<E>, E>;
  void wrench(const Pose<double>& A, const Twist<double>& a, const Pose<double>& B, const Twist<double>& b,
              const double& t, Wrench<double>& on_A, Wrench<double>& on_B) const override {
    Base::element.wrench(A, a, B, b, t, on_A, on_B);
  }
  void wrench(const Pose<Along6>& A, const Twist<Along6>& a, const Pose<Along6>& B, const Twist<Along6>& b,
              const Along6& t, Wrench<Along6>& on_A, Wrench<Along6>& on_B) const override {
    Base::element.wrench(A, a, B, b, t, on_A, on_B);
  }
  double energy(const Pose<double>& A, const Pose<double>& B, double t) const override {
    if constexpr (requires { Base::element.energy(A, B, t); }) return Base::element.energy(A, B, t);
    return 0.0;
  }
};

}  // namespace own

// The element types of a program.
class ElementTypes {
 public:
  // A contact, a joint or a force, by the function it has. Throws std::invalid_argument if the name is taken.
  template <class E>
  void add() {
    static_assert(own::IsContact<E> || own::IsJoint<E> || own::IsForce<E>,
                  "an element has touch() (contact), rows() and residual() (joint), or wrench() (force)");
    check_name(E::name);
    if constexpr (own::IsContact<E>)
      contacts_[std::string(E::name)] = std::make_shared<own::ContactOf<E>>();
    else if constexpr (own::IsJoint<E>)
      joints_[std::string(E::name)] = std::make_shared<own::JointOf<E>>();
    else
      forces_[std::string(E::name)] = std::make_shared<own::ForceOf<E>>();
  }

  template <class Base>
  using Map = std::map<std::string, std::shared_ptr<const Base>, std::less<>>;
  const Map<own::Contact>& contacts() const { return contacts_; }
  const Map<own::Joint>& joints() const { return joints_; }
  const Map<own::Force>& forces() const { return forces_; }

 private:
  void check_name(std::string_view name) const;

  Map<own::Contact> contacts_;
  Map<own::Joint> joints_;
  Map<own::Force> forces_;
};

}  // namespace tappet
