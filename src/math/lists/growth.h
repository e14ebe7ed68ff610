// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

namespace tappet {

// The number of entries to allocate if `size` are needed and `capacity` is too small. It is doubled while the list is
// small. From a few pages on it grows by an eighth, so that lists over the contacts of a large model waste little
// memory.
inline size_t grown_capacity(size_t size, size_t capacity, size_t bytes_of_entry) {
  constexpr size_t small = 16 * 1024;  // bytes
  const size_t more = capacity * bytes_of_entry < small ? capacity : capacity / 8;
  return std::max(size, capacity + more);
}

// Makes room for `size` entries and keeps the present ones.
template <class Vector>
void make_room(Vector& list, size_t size) {
  if (size > list.capacity()) list.reserve(grown_capacity(size, list.capacity(), sizeof(typename Vector::value_type)));
}

// The same if the present entries are no longer needed. The old memory is released before the new memory is requested.
template <class Vector>
void make_room_anew(Vector& list, size_t size) {
  if (size <= list.capacity()) return;
  const size_t capacity = grown_capacity(size, list.capacity(), sizeof(typename Vector::value_type));
  list = Vector();
  list.reserve(capacity);
}

}  // namespace tappet
