// Words are counted in a hash map whose buckets are guarded by sixteen locks.
// ARGS: 1000000
// QUICK: 150000
// SMOKE: 100
// THREADS: 2
// LONG
#include "workload.h"
#include <array>
#include <functional>
#include <mutex>
#include <string>
#include <unordered_map>

struct alignas(64) Stripe {
    std::mutex lock;
    std::unordered_map<std::string, long> counts;
};
static std::array<Stripe, 16> stripes;
static long rounds;
static unsigned long arrived;

static unsigned long work(int me) {
    std::hash<std::string> hash;
    std::string word;
    unsigned state = 1 + unsigned(me);
    for (long i = 0; i < rounds; i++) {
        word = "word";
        for (unsigned rest = next_number(&state) >> 12; rest; rest /= 26) word += static_cast<char>('a' + rest % 26);
        Stripe &stripe = stripes[hash(word) % stripes.size()];
        std::lock_guard guard(stripe.lock);
        stripe.counts[word]++;
    }
    return 0;
}

static unsigned long seeded(int me) {
    // Both say so before they have taken any lock: whatever the locks order later, it is not this.
    unsigned long before = arrived++;
    return before + work(me);
}

int main(int count, char **arguments) {
    rounds = size_argument(count, arguments);
    in_threads(threads_argument(count, arguments), SEEDED ? seeded : work);
    long sum = 0, words = 0;
    for (auto &stripe : stripes)
        for (auto &[word, times] : stripe.counts) sum += times * static_cast<long>(word.size()), words++;
    std::printf("%ld %ld\n", words, sum);
}
