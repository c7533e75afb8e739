// Virtual calls, maps, vectors and strings: each thread evaluates and rewrites expression trees of its own that share leaves.
// ARGS: 1500
// QUICK: 150
// SMOKE: 1
// THREADS: 2
// SINGLE
#include "workload.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

struct Node {
    virtual ~Node() = default;
    virtual long value(const std::map<std::string, long> &names) const = 0;
};
using Shared = std::shared_ptr<const Node>;

struct Constant : Node {
    explicit Constant(long number) : number(number) {}
    long value(const std::map<std::string, long> &) const override { return number; }
    long number;
};
struct Name : Node {
    explicit Name(std::string name) : name(std::move(name)) {}
    long value(const std::map<std::string, long> &names) const override { return names.at(name); }
    std::string name;
};
struct Sum : Node {
    long value(const std::map<std::string, long> &names) const override {
        long sum = 0;
        for (auto &part : parts) sum += part->value(names);
        return sum;
    }
    std::vector<Shared> parts;
};
struct Product : Node {
    Product(Shared left, Shared right) : left(std::move(left)), right(std::move(right)) {}
    long value(const std::map<std::string, long> &names) const override {
        return (left->value(names) % 1009) * (right->value(names) % 1013);
    }
    Shared left, right;
};

static std::vector<Shared> leaves;
static std::map<std::string, long> names;
static long rounds;

static Shared grow(unsigned &state, int depth) {
    if (depth == 0) return leaves[next_number(&state) % leaves.size()];
    if (next_number(&state) % 2) return std::make_shared<Product>(grow(state, depth - 1), grow(state, depth - 1));
    auto sum = std::make_shared<Sum>();
    for (int i = 0; i < 3; i++) sum->parts.push_back(grow(state, depth - 1));
    return sum;
}

static unsigned long work(int me) {
    unsigned state = unsigned(me) + 1;
    if (SEEDED) names["n0"] = me;
    std::map<std::string, long> own = names;
    unsigned long result = 0;
    for (long round = 0; round < rounds; round++) {
        auto tree = grow(state, 6);
        for (int i = 0; i < 4; i++) {
            result = result * 31 + static_cast<unsigned long>(tree->value(own));
            own["n" + std::to_string(next_number(&state) % 20)] = i;
        }
    }
    return result;
}

int main(int count, char **arguments) {
    rounds = size_argument(count, arguments);
    for (int i = 0; i < 20; i++) {
        names["n" + std::to_string(i)] = i;
        leaves.push_back(std::make_shared<Constant>(i));
        leaves.push_back(std::make_shared<Name>("n" + std::to_string(i)));
    }
    std::printf("%lx\n", in_threads(threads_argument(count, arguments), work));
}
