// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

namespace tappet {

// How many entries to make room for where `size` are needed and `capacity` is too few: twice as many while they are
// small, an eighth more from a few pages on, so that what grows with the contacts of a large model has little to spare.
inline size_t grown_capacity(size_t size, size_t capacity, size_t bytes_of_entry) {
  constexpr size_t small = 16 * 1024;  // bytes
  const size_t more = capacity * bytes_of_entry < small ? capacity : capacity / 8;
  return std::max(size, capacity + more);
}

// Room for `size` entries; those that are there stay.
template <class Vector>
void make_room(Vector& list, size_t size) {
  if (size > list.capacity()) list.reserve(grown_capacity(size, list.capacity(), sizeof(typename Vector::value_type)));
}

// The same where nothing that is there is needed any more: the old memory goes before the new one comes.
template <class Vector>
void make_room_anew(Vector& list, size_t size) {
  if (size <= list.capacity()) return;
  const size_t capacity = grown_capacity(size, list.capacity(), sizeof(typename Vector::value_type));
  list = Vector();
  list.reserve(capacity);
}

}  // namespace tappet
