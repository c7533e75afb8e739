// The part of std::map, std::set and their like that libstdc++ has in its shared library: the red-black tree below them. There it would not be instrumented, and
// what one thread does to the nodes' pointers while another one goes through them would not be seen.
//
// The layout of nodes, and what the functions are called, is fixed by libstdc++'s ABI (GLIBCXX_3.4). The algorithm is that of textbooks (Cormen et al.,
// Introduction to Algorithms, chapter 13), but that it changes nodes in place, as nobody may copy what they hold.

#include <cstddef>

namespace std {

enum _Rb_tree_color { _S_red = false, _S_black = true };

// A node, and the header: its parent is the root, its children are the first and the last node, and it is red.
struct _Rb_tree_node_base {
    _Rb_tree_color color;
    _Rb_tree_node_base *parent, *left, *right;
};

} // namespace std

namespace {

using std::_S_black;
using std::_S_red;
using Node = std::_Rb_tree_node_base;
using Side = Node *Node::*;

Node *last_to(Side side, Node *node) {
    while (node->*side) node = node->*side;
    return node;
}

// The next one, where what comes later is on the side `later`.
template <Side earlier, Side later> Node *next(Node *node) {
    if (node->*later) return last_to(earlier, node->*later);
    Node *up = node->parent;
    while (node == up->*later) {
        node = up;
        up = up->parent;
    }
    // From the last node of a tree whose root has nothing on that side, which the header has for its last one, the way ends at the root.
    return node->*later == up ? node : up;
}

// `other`, which may be null, is where `node` was below its parent.
void replace(Node *node, Node *other, Node &header) {
    if (header.parent == node)
        header.parent = other;
    else if (node->parent->left == node)
        node->parent->left = other;
    else
        node->parent->right = other;
}

// The child of `top` on the side `far` comes above it.
template <Side near, Side far> void rotate(Node *top, Node &header) {
    Node *const child = top->*far;
    top->*far = child->*near;
    if (child->*near) (child->*near)->parent = top;
    replace(top, child, header);
    child->parent = top->parent;
    child->*near = top;
    top->parent = child;
}

bool is_black(const Node *node) {
    return !node || node->color == _S_black;
}

// A red node below a red parent, which is on the side `near` of its own: which node may be one now.
template <Side near, Side far> Node *below_red(Node *node, Node &header) {
    Node *parent = node->parent;
    Node *const top = parent->parent;
    Node *const uncle = top->*far;
    if (!is_black(uncle)) {
        parent->color = _S_black;
        uncle->color = _S_black;
        top->color = _S_red;
        return top;
    }
    if (node == parent->*far) {
        rotate<near, far>(parent, header);
        node = parent;
        parent = node->parent;
    }
    parent->color = _S_black;
    top->color = _S_red;
    rotate<far, near>(top, header);
    return node;
}

// What is below `top` on the side `near` has a black node less than what is on the other one: whether that is so for `top` now, and its other side.
template <Side near, Side far> bool lacks_black(Node *top, Node &header) {
    Node *other = top->*far;
    if (other->color == _S_red) {
        other->color = _S_black;
        top->color = _S_red;
        rotate<near, far>(top, header);
        other = top->*far;
    }
    if (is_black(other->*near) && is_black(other->*far)) {
        other->color = _S_red;
        return true;
    }
    if (is_black(other->*far)) {
        (other->*near)->color = _S_black;
        other->color = _S_red;
        rotate<far, near>(other, header);
        other = top->*far;
    }
    other->color = top->color;
    top->color = _S_black;
    (other->*far)->color = _S_black;
    rotate<near, far>(top, header);
    return false;
}

Node *following(Node *node) {
    return next<&Node::left, &Node::right>(node);
}

Node *preceding(Node *node) {
    // The header, which stands for the end.
    if (node->color == _S_red && node->parent->parent == node) return node->right;
    if (node->left) return last_to(&Node::right, node->left);
    Node *up = node->parent;
    while (node == up->left) {
        node = up;
        up = up->parent;
    }
    return up;
}

} // namespace

namespace std {

Node *_Rb_tree_increment(_Rb_tree_node_base *node) noexcept {
    return following(node);
}

const Node *_Rb_tree_increment(const _Rb_tree_node_base *node) noexcept {
    return following(const_cast<Node *>(node));
}

Node *_Rb_tree_decrement(_Rb_tree_node_base *node) noexcept {
    return preceding(node);
}

const Node *_Rb_tree_decrement(const _Rb_tree_node_base *node) noexcept {
    return preceding(const_cast<Node *>(node));
}

// Puts a node below `parent`, which is the header in an empty tree.
void _Rb_tree_insert_and_rebalance(const bool to_left, _Rb_tree_node_base *node, _Rb_tree_node_base *parent,
                                        _Rb_tree_node_base &header) noexcept {
    node->color = _S_red;
    node->parent = parent;
    node->left = nullptr;
    node->right = nullptr;
    if (to_left) {
        // The header's is the first node.
        parent->left = node;
        if (parent == &header) {
            header.parent = node;
            header.right = node;
        } else if (parent == header.left) {
            header.left = node;
        }
    } else {
        parent->right = node;
        if (parent == header.right) header.right = node;
    }
    while (node != header.parent && node->parent->color == _S_red) {
        if (node->parent == node->parent->parent->left)
            node = below_red<&Node::left, &Node::right>(node, header);
        else
            node = below_red<&Node::right, &Node::left>(node, header);
    }
    header.parent->color = _S_black;
}

// Takes a node out of its tree, and returns it.
Node *_Rb_tree_rebalance_for_erase(_Rb_tree_node_base *const node, _Rb_tree_node_base &header) noexcept {
    // What is one node less high than before, and what is above that.
    Node *less, *above;
    _Rb_tree_color lost = node->color;
    if (node->left && node->right) {
        // The next node takes its place.
        Node *const other = last_to(&Node::left, node->right);
        less = other->right;
        lost = other->color;
        if (other == node->right) {
            above = other;
        } else {
            above = other->parent;
            above->left = less;
            if (less) less->parent = above;
            other->right = node->right;
            node->right->parent = other;
        }
        other->left = node->left;
        node->left->parent = other;
        replace(node, other, header);
        other->parent = node->parent;
        other->color = node->color;
    } else {
        less = node->left ? node->left : node->right;
        above = node->parent;
        if (less) less->parent = above;
        replace(node, less, header);
        if (header.left == node) header.left = less ? last_to(&Node::left, less) : above;
        if (header.right == node) header.right = less ? last_to(&Node::right, less) : above;
    }
    if (lost == _S_red) return node;
    while (less != header.parent && is_black(less)) {
        const bool goes_on = less == above->left ? lacks_black<&Node::left, &Node::right>(above, header)
                                                 : lacks_black<&Node::right, &Node::left>(above, header);
        if (!goes_on) return node;
        less = above;
        above = above->parent;
    }
    if (less) less->color = _S_black;
    return node;
}

} // namespace std
