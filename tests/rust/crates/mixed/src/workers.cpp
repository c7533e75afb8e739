// What the programs in Rust call, and what calls them back from threads of its own.

#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace {
std::mutex guard;
std::uint64_t counter;
std::uint64_t message;
} // namespace

extern "C" {
// Counts in C++'s memory, under C++'s mutex.
void count_guarded() {
  std::lock_guard<std::mutex> held(guard);
  counter++;
}

void count_unguarded() { counter++; }

std::uint64_t counted() { return counter; }

// A callback, `times` times in each of `threads` threads of C++'s.
void call_in_threads(unsigned threads, unsigned times, void (*callback)(void *), void *data) {
  std::vector<std::thread> all;
  for (unsigned i = 0; i < threads; i++)
    all.emplace_back([=] {
      for (unsigned j = 0; j < times; j++)
        callback(data);
    });
  for (auto &one : all)
    one.join();
}

// The same with C++'s mutex held, so that it guards what is Rust's.
void call_in_threads_guarded(unsigned threads, unsigned times, void (*callback)(void *), void *data) {
  std::vector<std::thread> all;
  for (unsigned i = 0; i < threads; i++)
    all.emplace_back([=] {
      for (unsigned j = 0; j < times; j++) {
        std::lock_guard<std::mutex> held(guard);
        callback(data);
      }
    });
  for (auto &one : all)
    one.join();
}

// C++ writes a message and raises a flag that is Rust's.
void send(std::atomic<bool> *flag, bool properly) {
  message = 42;
  flag->store(true, properly ? std::memory_order_release : std::memory_order_relaxed);
}

std::uint64_t received() { return message; }

// Who deletes it is up to Rust.
std::uint64_t *make_number() { return new std::uint64_t(7); }
void delete_number(std::uint64_t *number) { delete number; }
}
