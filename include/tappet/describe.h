// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tappet {

// Everything that has settings describes them once, with three functions. An element describes its keys in the model
// file, and a scheme or a solver its options.
//
//   template <class V> void describe(V& v) {
//     v.required("radius", radius, positive);                                        // must be given
//     v.optional("theta", theta, Range{0, 1}, "weight of the end of the step");      // keeps its default
//     v.choice("friction", friction, {"auto", "planar"}, "which rows it has");       // one of these names
//   }
//
// A visitor V lists the settings, reads them from a model file, or sets one by its name. The third argument of
// `required` and `optional` is a check: a value is accepted if check(value) is true, and expected_by(check) completes
// "expected …". The value of a choice is a std::string, which becomes the name, or an enum whose members are in the
// order of the names. The last argument, the meaning, may be left out.
//
// Options always have a default, so visitors of options have no `required`. If an option had another name before,
// v.renamed("old", "new") before its own line says so, and the old name still works.

using Choices = std::vector<std::string_view>;

// A number from `least` to `most`.
struct Range {
  double least, most;
  bool operator()(double x) const { return x >= least && x <= most; }
  std::string text() const;  // "0 to 1"
};

struct TrueOrFalse {
  static constexpr std::string_view text = "true or false";
  bool operator()(bool) const { return true; }
};
inline constexpr TrueOrFalse true_or_false;

template <class Check>
std::string expected_by(const Check& check) {
  if constexpr (requires { check.text(); })
    return check.text();
  else
    return std::string(Check::text);
}

// The present name of a choice, and a function that sets it to the name with this index.
template <class T>
std::string chosen(const T& value, const Choices& names) {
  if constexpr (std::is_enum_v<T>)
    return std::string(names[static_cast<size_t>(value)]);
  else
    return value;
}
template <class T>
void choose(T& value, const Choices& names, int index) {
  if constexpr (std::is_enum_v<T>)
    value = static_cast<T>(index);
  else
    value = std::string(names[index]);
}

}  // namespace tappet
