// The part of std::list that libstdc++ has in its shared library (GLIBCXX_3.4.15), where it would not be instrumented: what it does to the pointers of nodes.

namespace std {
namespace __detail {

// A node, or a list's own, which is before the first and behind the last one.
struct _List_node_base {
    _List_node_base *next, *previous;

    void _M_hook(_List_node_base *before) noexcept;
    void _M_unhook() noexcept;
    void _M_transfer(_List_node_base *first, _List_node_base *end) noexcept;
    void _M_reverse() noexcept;
    static void swap(_List_node_base &one, _List_node_base &other) noexcept;
};

// Two neighbours.
static void join(_List_node_base *node, _List_node_base *next) {
    node->next = next;
    next->previous = node;
}

// Into a list, before one of its nodes.
void _List_node_base::_M_hook(_List_node_base *before) noexcept {
    join(before->previous, this);
    join(this, before);
}

// Out of its list.
void _List_node_base::_M_unhook() noexcept {
    join(previous, next);
}

// Moves the nodes from `first` to before `end` to before this one, from the same list or another.
void _List_node_base::_M_transfer(_List_node_base *first, _List_node_base *end) noexcept {
    if (this == end) return;
    _List_node_base *const last = end->previous;
    join(first->previous, end);
    join(previous, first);
    join(last, this);
}

void _List_node_base::_M_reverse() noexcept {
    _List_node_base *node = this;
    do {
        _List_node_base *const then = node->next;
        node->next = node->previous;
        node->previous = then;
        node = then;
    } while (node != this);
}

// What was between `first` and `last` in the list whose own node is `old` comes behind `own`.
static void take(_List_node_base *own, _List_node_base *first, _List_node_base *last, const _List_node_base *old) {
    if (first == old) {
        join(own, own);
    } else {
        join(own, first);
        join(last, own);
    }
}

// Of two lists' own nodes: what is in one comes into the other.
void _List_node_base::swap(_List_node_base &one, _List_node_base &other) noexcept {
    _List_node_base *const first = one.next, *const last = one.previous;
    take(&one, other.next, other.previous, &other);
    take(&other, first, last, &one);
}

} // namespace __detail
} // namespace std
