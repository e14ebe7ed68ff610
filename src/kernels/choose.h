// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "elements/contacts/contact_law.h"
#include "kernels/kernel.h"
#include "kernels/numbers.h"

namespace tappet::kernels {

// The kernel of an element between given bodies, and the numbers it reads.
template <class Kernel>
struct Choice {
  const Kernel* kernel = nullptr;  // none: the element has no kernel for these bodies
  std::vector<double> numbers;
  std::vector<ListNumbers::Drive> drives;
};

// The families a pair of bodies can be taken for, the one with the fewest columns first.
std::vector<Family> candidates(Family bodies);
const RowKernel* find_rows(std::string_view type, Family family, unsigned form);
const ForceKernel* find_force(std::string_view type, Family family, unsigned form);

template <class E>
concept HasNumbers = requires(E& element, ListNumbers& v) {
  element.numbers(v);
};

template <class Kernel, class Find, class... Part>
Choice<Kernel> choose(std::string_view type, Family bodies, const Find& find, Part... parts) {
  for (const Family& family : candidates(bodies)) {
    ListNumbers list(family.in_plane());
    (parts.numbers(list), ...);
    if (const Kernel* kernel = list.fits ? find(type, family, list.form) : nullptr)
      return {kernel, std::move(list.numbers), std::move(list.drives)};
  }
  return {};
}

template <class J>
Choice<RowKernel> choose_joint(const J& joint, Family bodies) {
  if constexpr (HasNumbers<J>) return choose<RowKernel>(kernel_name<J>(), bodies, find_rows, joint);
  return {};
}
template <class C>
Choice<RowKernel> choose_contact(const C& contact, const ContactLaw& law, Family bodies) {
  if constexpr (HasNumbers<C>) return choose<RowKernel>(kernel_name<C>(), bodies, find_rows, contact, law.slip_rows());
  return {};
}
template <class F>
Choice<ForceKernel> choose_force(const F& force, Family bodies) {
  if constexpr (HasNumbers<F>) return choose<ForceKernel>(kernel_name<F>(), bodies, find_force, force);
  return {};
}

}  // namespace tappet::kernels
