// Who deletes what another has made takes it by an atomic exchange.
#include <atomic>
#include <thread>

struct Node {
    int value;
    ~Node() { value = 0; }
};
static std::atomic<Node *> slot;

int main() {
    std::thread other([] {
        Node *node = new Node;
        node->value = 3;
        slot.exchange(node, std::memory_order_acq_rel);
    });
    Node *taken;
    while (!(taken = slot.exchange(nullptr, std::memory_order_acq_rel))) std::this_thread::yield();
    delete taken;
    other.join();
    return 0;
}
