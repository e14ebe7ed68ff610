// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/element.h>

#include "elements/keys.h"

// How the variants of the model hold elements whose types a program has added (tappet/element.h).
namespace tappet {

// Passes the keys on to a visitor V of the built-in elements.
template <class V>
class OwnKeysFor final : public OwnKeys {
 public:
  explicit OwnKeysFor(V& visitor) : visitor_(visitor) {}

 private:
  struct Checked {
    const OwnKeys::Check& check;
    std::string text() const { return check.text; }
    template <class T>
    bool operator()(const T&) const {
      return check.holds();
    }
  };
  enum class Index : int {};

  void visit(std::string_view key, Value value, const Check& check, bool is_required) override {
    std::visit(
        [&](auto* x) {
          if (is_required)
            visitor_.required(key, *x, Checked{check});
          else
            visitor_.optional(key, *x, Checked{check});
        },
        value);
  }
  void visit_choice(std::string_view key, int& index, const Choices& names) override {
    Index chosen{index};
    visitor_.choice(key, chosen, names);
    index = static_cast<int>(chosen);
  }

  V& visitor_;
};

namespace own {

// A pointer that copies what it points to.
template <class Base>
class Copied {
 public:
  Copied() = default;
  explicit Copied(std::unique_ptr<Base> element) : element_(std::move(element)) {}
  Copied(const Copied& other) : element_(other.element_ ? other.element_->clone() : nullptr) {}
  Copied(Copied&&) noexcept = default;
  Copied& operator=(Copied other) noexcept {
    element_ = std::move(other.element_);
    return *this;
  }
  Base* operator->() { return element_.get(); }
  const Base* operator->() const { return element_.get(); }

 private:
  std::unique_ptr<Base> element_;
};

}  // namespace own

// The elements of the variants that stand for every type a program added.
template <class Base>
struct OwnElement {
  own::Copied<Base> own;

  template <class V>
  void describe(V& visitor) {
    OwnKeysFor<V> keys(visitor);
    own->describe(keys);
  }
  void attach(const Pose<double>& A, const Pose<double>& B, bool planar) { own->attach(A, B, planar); }
  std::string check() const { return own->check(); }
};

struct OwnContact : OwnElement<own::Contact> {
  template <class S>
  Touch<S> touch(const Pose<S>& A, const Pose<S>& B, const S& t) const {
    return own->touch(A, B, t);
  }
};

struct OwnJoint : OwnElement<own::Joint> {
  static constexpr int max_rows = 6;
  int rows() const { return own->rows(); }
  template <class S>
  void residual(const Pose<S>& A, const Pose<S>& B, const S& t, S* g) const {
    own->residual(A, B, t, g);
  }
  bool depends_on_time() const { return true; }
};

struct OwnForce : OwnElement<own::Force> {
  static constexpr int frames = 2;
  template <class S>
  void wrench(const Pose<S>& A, const Twist<S>& a, const Pose<S>& B, const Twist<S>& b, const S& t, Wrench<S>& on_A,
              Wrench<S>& on_B) const {
    own->wrench(A, a, B, b, t, on_A, on_B);
  }
  double energy(const Pose<double>& A, const Pose<double>& B, double t) const { return own->energy(A, B, t); }
};

}  // namespace tappet
