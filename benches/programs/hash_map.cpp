// Two threads count words in a hash map whose buckets are guarded by sixteen locks.
// ARGS: 1500000
// QUICK: 400000
#include <array>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

struct alignas(64) Stripe {
    std::mutex lock;
    std::unordered_map<std::string, long> counts;
};
static std::array<Stripe, 16> stripes;

static void work(unsigned seed, long rounds) {
    std::hash<std::string> hash;
    std::string word;
    for (long i = 0; i < rounds; i++) {
        seed = seed * 1664525 + 1013904223;
        word = "word";
        for (unsigned rest = seed >> 20; rest; rest /= 26) word += static_cast<char>('a' + rest % 26);
        Stripe &stripe = stripes[hash(word) % stripes.size()];
        std::lock_guard guard(stripe.lock);
        stripe.counts[word]++;
    }
}

int main(int count, char **arguments) {
    const long rounds = count > 1 ? std::atol(arguments[1]) : 1;
    std::thread one(work, 1, rounds), two(work, 2, rounds);
    one.join();
    two.join();
    long sum = 0, words = 0;
    for (auto &stripe : stripes)
        for (auto &[word, times] : stripe.counts) sum += times * static_cast<long>(word.size()), words++;
    std::printf("%ld %ld\n", words, sum);
}
