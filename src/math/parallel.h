// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

namespace tappet {

// How many threads the loops below use, for the whole program; 1 unless said.
void use_threads(int threads);
int threads();

namespace detail {
using Range = void (*)(void* context, int first, int last);
void parallel_ranges(int size, int grain, Range range, void* context);
}  // namespace detail

// f(first, last) over 0 … size − 1 in pieces of about `grain`, on several threads where that pays. Every index must be
// independent of the others: then the result has the same bits whatever the number of threads. A loop within a piece of
// another runs on the thread of that piece.
template <class F>
void parallel_for(int size, int grain, F&& f) {
  if (size <= grain || threads() == 1) {
    if (size > 0) f(0, size);
    return;
  }
  using Function = std::remove_reference_t<F>;
  detail::parallel_ranges(
      size, grain, [](void* context, int first, int last) { (*static_cast<Function*>(context))(first, last); },
      const_cast<void*>(static_cast<const void*>(&f)));
}

}  // namespace tappet
