// A program in C++ whose library is Rust's. With an argument, the race that it names.

#include <atomic>
#include <cassert>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

extern "C" {
std::uint64_t part_see(std::uint64_t word);
void part_remember(std::uint64_t word);
std::uint64_t *part_memory();
void part_call_in_threads(void (*callback)(void *), void *data);
}

namespace {
struct Tally {
  std::mutex guard;
  std::uint64_t guarded = 0;
  std::uint64_t unguarded = 0;
};

void count(void *data) {
  auto *tally = static_cast<Tally *>(data);
  std::lock_guard<std::mutex> held(tally->guard);
  tally->guarded++;
}

void count_unguarded(void *data) { static_cast<Tally *>(data)->unguarded++; }

void in_threads(void (*action)()) {
  std::thread one(action), other(action);
  one.join();
  other.join();
}
} // namespace

int main(int argc, char **argv) {
  const std::string kind = argc > 1 ? argv[1] : "";
  Tally tally;
  if (kind.empty()) {
    in_threads([] {
      for (std::uint64_t word = 0; word < 100; word++)
        part_see(word);
    });
    assert(part_see(7) == 3);
    part_call_in_threads(count, &tally);
    assert(tally.guarded == 2);
    part_remember(1);
    std::thread([] { part_remember(2); }).join();
    part_remember(3);
  } else if (kind == "in-rust") {
    in_threads([] { part_remember(1); });
  } else if (kind == "both") {
    std::thread other([] { part_remember(1); });
    *part_memory() = 2;
    other.join();
  } else if (kind == "callback") {
    part_call_in_threads(count_unguarded, &tally);
  }
  std::puts("done");
}
