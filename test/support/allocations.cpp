// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "support/allocations.h"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace {
thread_local long count = 0, bytes = 0, most_bytes = 0;

void* counted(void* p) {
  if (p == nullptr) throw std::bad_alloc();
  ++count;
  bytes += static_cast<long>(malloc_usable_size(p));
  most_bytes = std::max(most_bytes, bytes);
  return p;
}
void* take(std::size_t size) { return counted(std::malloc(size > 0 ? size : 1)); }
void* take_or_null(std::size_t size) {
  void* p = std::malloc(size > 0 ? size : 1);
  return p == nullptr ? p : counted(p);
}
void* take(std::size_t size, std::align_val_t alignment) {
  const auto a = static_cast<std::size_t>(alignment);
  return counted(std::aligned_alloc(a, (size + a - 1) / a * a));
}
void give(void* p) {
  if (p != nullptr) bytes -= static_cast<long>(malloc_usable_size(p));
  std::free(p);
}
}  // namespace

long tappet::test::allocations() { return count; }

long tappet::test::most_bytes_during(const std::function<void()>& f) {
  const long before = most_bytes = bytes;
  f();
  return most_bytes - before;
}

void* operator new(std::size_t size) { return take(size); }
void* operator new[](std::size_t size) { return take(size); }
void* operator new(std::size_t size, std::align_val_t a) { return take(size, a); }
void* operator new[](std::size_t size, std::align_val_t a) { return take(size, a); }
// std::stable_sort asks in this way. Without these functions the address sanitizer would bring its own, whose memory is
// not to be given back by free().
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return take_or_null(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return take_or_null(size); }
void operator delete(void* p) noexcept { give(p); }
void operator delete[](void* p) noexcept { give(p); }
void operator delete(void* p, std::size_t) noexcept { give(p); }
void operator delete[](void* p, std::size_t) noexcept { give(p); }
void operator delete(void* p, std::align_val_t) noexcept { give(p); }
void operator delete[](void* p, std::align_val_t) noexcept { give(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { give(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { give(p); }
