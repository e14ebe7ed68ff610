// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/pose.h>

#include <optional>
#include <string_view>
#include <vector>

#include "elements/at_time.h"

// Visitors of numbers(), the list in which an element names the numbers that its function reads:
//
//   template <class V> void numbers(V& v) {
//     v(point, radius, angle);
//     v(keep_contact);
//     v.about_z(axis);
//     v.in_plane(planar);
//     v.unless_zero(length);
//     v.triads(A, B);
//   }
//
// * v(…) takes numbers, vectors, functions of time, arrays and optional ones of these, and members that have numbers()
//   themselves. Between planar bodies vectors lie in the plane. A bool or an enum of two names is a choice: each of its
//   values has a kernel of its own.
// * about_z takes a vector that is along z between planar bodies.
// * in_plane takes a bool that is true between planar bodies.
// * unless_zero takes a number; there is a kernel of its own for 0.
// * triads takes two triads. Between planar bodies their third vectors are both along z, or both lie in the plane.
//
// Choices are collected as the bits of `form`, in the order of the list. An element whose function is that of another
// type may name its kernel: `static constexpr std::string_view kernel = …`. One that is meant for planar bodies may say
// `static constexpr bool kernel_in_plane_only = true`; in space it is then evaluated without a kernel.
namespace tappet::kernels {

template <class E>
constexpr std::string_view kernel_name() {
  if constexpr (requires { E::kernel; })
    return E::kernel;
  else
    return E::name;
}

template <class Derived>
class NumberVisitor {
 public:
  explicit NumberVisitor(bool in_plane) : in_plane_(in_plane) {}

  template <class... T>
  void operator()(T&... x) {
    (visit(x), ...);
  }
  template <class... T>
  void about_z(T&... x) {
    (upright(x), ...);
  }
  void in_plane(bool& planar) { self().fixed(planar, in_plane_); }
  template <class D>
  void triads(Mat3<D>& a, Mat3<D>& b) {
    bool lying = known_zero(a.z.z) && known_zero(b.z.z);
    if (in_plane_) self().lying(lying);
    for (Mat3<D>* triad : {&a, &b}) {
      visit(triad->x);
      if (in_plane_ && lying) {
        upright(triad->y);
        visit(triad->z);
      } else {
        visit(triad->y);
        upright(triad->z);
      }
    }
  }
  template <class D>
  void unless_zero(D& x) {
    bool given = !known_zero(x);
    visit(given);
    if (given)
      visit(x);
    else
      x = D(0.0);
  }
  void count(int& x, int largest) {
    for (int bit = 1; bit <= largest; bit *= 2) {
      bool set = (x & bit) != 0;
      visit(set);
      x = set ? x | bit : x & ~bit;
    }
  }

 private:
  Derived& self() { return static_cast<Derived&>(*this); }

  void visit(bool& x) { self().choice(x); }
  template <class E>
  requires std::is_enum_v<E>
  void visit(E& x) {  // of two names
    bool second = static_cast<int>(x) == 1;
    visit(second);
    x = static_cast<E>(second);
  }
  template <class D>
  requires(std::is_same_v<D, double> || std::is_same_v<D, Traced>) void visit(D& x) { self().number(x); }
  template <class D>
  requires(std::is_same_v<D, TimeFunction> || std::is_same_v<D, RecordedDrive>) void visit(D& f) { self().drive(f); }
  template <class D>
  void visit(Vec3<D>& a) {
    (*this)(a.x, a.y);
    vanishing(a.z);
  }
  template <class T, std::size_t N>
  void visit(std::array<T, N>& list) {
    for (T& x : list) visit(x);
  }
  template <class T>
  void visit(std::optional<T>& x) {
    if (given(x)) visit(*x);
  }
  template <class F>
  requires requires(F& f) { f.component; }
  void visit(F& f) {
    (*this)(f.component[0], f.component[1]);
    vanishing(f.component[2]);
  }
  template <class E>
  requires requires(E& element, Derived& v) { element.numbers(v); }
  void visit(E& element) { element.numbers(self()); }

  template <class D>
  void upright(Vec3<D>& a) {
    vanishing(a.x), vanishing(a.y);
    visit(a.z);
  }
  template <class F>
  requires requires(F& f) { f.component; }
  void upright(F& f) {
    vanishing(f.component[0]), vanishing(f.component[1]);
    visit(f.component[2]);
  }
  template <class T>
  void upright(std::optional<T>& x) {
    if (given(x)) upright(*x);
  }

  template <class T>
  bool given(std::optional<T>& x) {
    bool is_given = x.has_value();
    visit(is_given);
    if (is_given && !x) x.emplace();
    if (!is_given) x.reset();
    return is_given;
  }
  template <class T>
  void vanishing(T& x) {  // in the plane
    if (in_plane_)
      self().zero(x);
    else
      visit(x);
  }

  bool in_plane_;
};

// Makes every number of an element an input of the recorded function. The choices are those of a given form.
class InputNumbers : public NumberVisitor<InputNumbers> {
 public:
  struct Drive {
    int value, rate, second;  // which numbers they are
  };
  InputNumbers(Graph& graph, int first_slot, bool in_plane, unsigned form)
      : NumberVisitor(in_plane), graph_(graph), slot_(first_slot), form_(form) {}

  void number(Traced& x) { x = next(); }
  void drive(RecordedDrive& f) {
    drives_.push_back({count_, count_ + 1, count_ + 2});
    f.value = next();
    count_ += 2;
    f.start = next();
  }
  void choice(bool& x) { x = (form_ >> bits_++ & 1) != 0; }
  void lying(bool& x) { choice(x); }
  void fixed(bool& x, bool value) { x = value; }
  void zero(Traced& x) { x = Traced(0.0); }
  void zero(RecordedDrive& f) { f = {}; }

  int bits() const { return bits_; }
  const std::vector<Drive>& drives() const { return drives_; }

 private:
  Traced next() { return {graph_, graph_.input(slot_ + count_++)}; }

  Graph& graph_;
  const int slot_;
  const unsigned form_;
  int bits_ = 0, count_ = 0;
  std::vector<Drive> drives_;
};

// Lists the numbers of a given element, and its form.
class ListNumbers : public NumberVisitor<ListNumbers> {
 public:
  struct Drive {
    int number;  // where its four numbers start
    TimeFunction function;
  };
  explicit ListNumbers(bool in_plane) : NumberVisitor(in_plane) {}

  void number(const double& x) { numbers.push_back(x); }
  void drive(const TimeFunction& f) {
    drives.push_back({static_cast<int>(numbers.size()), f});
    numbers.insert(numbers.end(), {f(0.0), 0.0, 0.0, f(0.0)});
  }
  void choice(const bool& x) { form |= static_cast<unsigned>(x) << bits_++; }
  void lying(const bool& x) { choice(x); }
  void fixed(const bool& x, bool value) { fits = fits && x == value; }
  void zero(const double& x) { fits = fits && x == 0.0; }
  void zero(const TimeFunction& f) { fits = fits && f.is_constant() && f(0.0) == 0.0; }

  std::vector<double> numbers;
  std::vector<Drive> drives;
  unsigned form = 0;
  bool fits = true;  // false: the element does not lie in the plane

 private:
  int bits_ = 0;
};

}  // namespace tappet::kernels
