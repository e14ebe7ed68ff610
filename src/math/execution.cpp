// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <tappet/execution.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>

#if defined(__SANITIZE_THREAD__)
// Accesses by the library's own functions, and only those, are not reported.
extern "C" const char* __tsan_default_suppressions();
extern "C" const char* __tsan_default_suppressions() {
  return "race_top:oneapi/tbb\nrace_top:tbb::detail\nrace:tbb::detail::d1::fold_tree\n";
}
#endif

namespace tappet {

namespace {

thread_local bool in_a_loop = false;  // whether this thread is working on a piece of a loop

// The library that distributes the pieces is not built for the thread sanitizer. The sanitizer therefore cannot see
// that pieces begin after the loop has begun and end before it ends. In such a build this class tells it.
class Order {
 public:
#if defined(__SANITIZE_THREAD__)
  void begin_loop() { begun_.store(1, std::memory_order_release); }
  void begin_piece() { (void)begun_.load(std::memory_order_acquire); }
  void end_piece() { ended_.fetch_add(1, std::memory_order_acq_rel); }
  void end_loop() { (void)ended_.load(std::memory_order_acquire); }

 private:
  std::atomic<int> begun_{0}, ended_{0};
#else
  void begin_loop() {}
  void begin_piece() {}
  void end_piece() {}
  void end_loop() {}
#endif
};

// A piece of a loop, as the library calls it. The library copies this object from thread to thread, which the sanitizer
// takes for a race as well; so its members are read where the sanitizer does not look, and what they lead to where it
// does.
struct Piece {
  Order* order;
  Execution::Range range;
  void* context;

  [[gnu::noinline]] static void run(Order& order, Execution::Range range, void* context, int first, int last) {
    order.begin_piece();
    in_a_loop = true;
    range(context, first, last);
    in_a_loop = false;
    order.end_piece();
  }
  [[gnu::no_sanitize_thread]] void operator()(const tbb::blocked_range<int>& part) const {
    run(*order, range, context, part.begin(), part.end());
  }
};

}  // namespace

struct Execution::Arena {
  explicit Arena(int threads) : tasks(threads) {}
  tbb::task_arena tasks;
};

constinit const Execution Execution::serial;

Execution::Execution(int threads, bool profiled) : threads_(threads < 1 ? 1 : threads) {
  if (threads_ > 1) arena_ = std::make_unique<Arena>(threads_);
  if (profiled) profile_ = std::make_unique<Profile>();
}

Execution::~Execution() = default;

void Execution::ranges(int size, int grain, Range range, void* context) const {
  if (in_a_loop) return range(context, 0, size);
  Order order;
  order.begin_loop();
  arena_->tasks.execute([&] {
    tbb::parallel_for(tbb::blocked_range<int>(0, size, grain), Piece{&order, range, context},
                      tbb::simple_partitioner());
  });
  order.end_loop();
}

}  // namespace tappet
