// The request counter of racy.cpp, repaired: whoever touches the statistics holds their lock.

#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

struct Statistics {
    long served = 0;
    long total = 0;
};

static std::mutex statistics_lock;
static std::mutex log_lock;
static Statistics statistics;
static std::vector<std::string> error_log;

static void serve() {
    std::lock_guard<std::mutex> guard(statistics_lock);
    statistics.served++;
    statistics.total++;
}

static void fail(const char *why) {
    {
        std::lock_guard<std::mutex> guard(log_lock);
        error_log.emplace_back(why);
    }
    std::lock_guard<std::mutex> guard(statistics_lock);
    statistics.total++;
}

int main() {
    std::thread good([] {
        for (int i = 0; i < 1000; i++) serve();
    });
    std::thread bad([] {
        for (int i = 0; i < 10; i++) fail("timeout");
    });
    good.join();
    bad.join();
    std::printf("%ld requests, %ld served, %zu errors\n", statistics.total, statistics.served, error_log.size());
}
