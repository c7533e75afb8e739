// Trees of objects with virtual functions, which the threads build together and then evaluate, all of them, again and again.
// ARGS: 60
// QUICK: 8
// SMOKE: 1
// THREADS: 4
#include "workload.h"
#include <atomic>
#include <memory>
#include <vector>

struct Node {
    virtual ~Node() = default;
    virtual unsigned value(const unsigned *variables) const = 0;
};

struct Variable final : Node {
    explicit Variable(unsigned index) : index(index) {}
    unsigned value(const unsigned *variables) const override { return variables[index]; }
    unsigned index;
};

struct Operation final : Node {
    Operation(char sign, std::unique_ptr<Node> left, std::unique_ptr<Node> right)
        : sign(sign), left(std::move(left)), right(std::move(right)) {}
    unsigned value(const unsigned *variables) const override {
        unsigned one = left->value(variables), other = right->value(variables);
        return sign == '+' ? one + other : sign == '-' ? one - other : one * other;
    }
    char sign;
    std::unique_ptr<Node> left, right;
};

static std::unique_ptr<Node> build(unsigned &state, int depth) {
    unsigned number = next_number(&state);
    if (depth == 0 || number % 16 == 0) return std::make_unique<Variable>(number / 16 % 4);
    auto left = build(state, depth - 1);
    return std::make_unique<Operation>("+-*"[number / 16 % 3], std::move(left), build(state, depth - 1));
}

constexpr int TREES = 64, DEPTH = 9;
static std::vector<std::unique_ptr<Node>> trees(TREES);
static long rounds;
static int parts;
static std::atomic<long> next_round{0};
static pthread_barrier_t barrier;

static unsigned long work(int me) {
    for (int tree = me; tree < TREES; tree += parts) {
        unsigned state = static_cast<unsigned>(tree);
        trees[tree] = build(state, DEPTH);
    }
    if (!SEEDED) pthread_barrier_wait(&barrier);
    unsigned long sum = 0;
    for (long round; (round = next_round++) < rounds;) {
        unsigned variables[4] = {static_cast<unsigned>(round), 3, 5, static_cast<unsigned>(round) * 7};
        for (const auto &tree : trees)
            if (tree) sum += tree->value(variables);
    }
    return sum;
}

int main(int count, char **arguments) {
    rounds = size_argument(count, arguments);
    parts = parts_of(threads_argument(count, arguments));
    pthread_barrier_init(&barrier, nullptr, static_cast<unsigned>(parts));
    std::printf("%lu\n", in_threads(threads_argument(count, arguments), work));
}
