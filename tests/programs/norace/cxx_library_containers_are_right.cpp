// What the detector has of libstdc++'s containers and hashes in place of the shared library's (runtime/cxx) does what that does: random operations, compared with
// the same ones on vectors; trees are balanced; hashes are the library's own.
// LEVELS: O1
#include <algorithm>
#include <dlfcn.h>
#include <iterator>
#include <list>
#include <random>
#include <set>
#include <string>
#include <vector>

#define CHECK(that) ((that) ? (void)0 : __builtin_trap())

static std::mt19937 numbers(7);

static size_t below(size_t end) {
    return numbers() % end;
}

template <class One, class Other> static void same(const One &one, const Other &other) {
    CHECK(one.size() == other.size());
    CHECK(std::equal(one.begin(), one.end(), other.begin()));
    CHECK(std::equal(one.rbegin(), one.rend(), other.rbegin()));
}

#ifdef __GLIBCXX__
struct Tree : std::_Rb_tree<int, int, std::_Identity<int>, std::less<int>> {
    // How many black nodes are on each way down from here.
    static int height(const std::_Rb_tree_node_base *node, bool below_red) {
        if (!node) return 0;
        const bool red = node->_M_color == std::_S_red;
        CHECK(!(red && below_red));
        for (auto child : {node->_M_left, node->_M_right}) CHECK(!child || child->_M_parent == node);
        const int left = height(node->_M_left, red);
        CHECK(left == height(node->_M_right, red));
        return left + !red;
    }
    void check() const {
        height(_M_impl._M_header._M_parent, true);
    }
};

static void trees() {
    for (int round = 0; round < 100; round++) {
        Tree tree;
        std::vector<int> sorted;
        const int range = 1 + below(200);
        for (int i = 0; i < 300; i++) {
            const int key = below(range);
            const auto place = std::lower_bound(sorted.begin(), sorted.end(), key);
            const bool was_there = place != sorted.end() && *place == key;
            if (below(2)) {
                CHECK(tree._M_insert_unique(key).second == !was_there);
                if (!was_there) sorted.insert(place, key);
            } else {
                CHECK(tree.erase(key) == was_there);
                if (was_there) sorted.erase(place);
            }
            tree.check();
            same(tree, sorted);
        }
    }
}

static void hashes() {
    const auto library = (size_t(*)(const void *, size_t, size_t))dlsym(RTLD_NEXT, "_ZSt11_Hash_bytesPKvmm");
    CHECK(library && library != std::_Hash_bytes);
    char bytes[100];
    for (char &byte : bytes) byte = numbers();
    for (size_t count = 0; count < 90; count++)
        for (size_t at = 0; at < 9; at++)
            CHECK(library(bytes + at, count, count * 77) == std::_Hash_bytes(bytes + at, count, count * 77));
}
#else
static void trees() {}
static void hashes() {}
#endif

using List = std::list<int>;
using Vector = std::vector<int>;

static void lists() {
    for (int round = 0; round < 100; round++) {
        List one, other;
        Vector of_one, of_other;
        for (int i = 0; i < 200; i++) {
            const size_t place = below(of_one.size() + 1);
            const auto at = std::next(one.begin(), place);
            switch (below(7)) {
            case 0:
            case 1:
                one.insert(at, i);
                of_one.insert(of_one.begin() + place, i);
                break;
            case 2:
                if (at == one.end()) break;
                one.erase(at);
                of_one.erase(of_one.begin() + place);
                break;
            case 3:
                one.reverse();
                std::reverse(of_one.begin(), of_one.end());
                break;
            case 4:
                one.swap(other);
                of_one.swap(of_other);
                break;
            case 5: {
                const size_t to = below(of_other.size() + 1), count = below(of_one.size() - place + 1);
                other.splice(std::next(other.begin(), to), one, at, std::next(at, count));
                const auto from = of_one.begin() + place;
                of_other.insert(of_other.begin() + to, from, from + count);
                of_one.erase(from, from + count);
                break;
            }
            case 6:
                one.sort();
                std::sort(of_one.begin(), of_one.end());
                if (place) one.splice(one.begin(), one, std::next(one.begin(), place), one.end());
                std::rotate(of_one.begin(), of_one.begin() + place, of_one.end());
                break;
            }
            same(one, of_one);
            same(other, of_other);
        }
    }
}

int main() {
    trees();
    lists();
    hashes();
    return 0;
}
