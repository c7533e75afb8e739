; What C++'s library has in its shared library of containers: the runtime's functions are called in place of those, where they are not in this module.
; RUN: %pass %s | %check %s
target triple = "x86_64-pc-linux-gnu"
declare ptr @_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(ptr)
declare void @_ZNSt8__detail15_List_node_base7_M_hookEPS0_(ptr, ptr)
declare ptr @_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_based(ptr)

; CHECK-LABEL: define ptr @go_on(
; CHECK: call ptr @__goldilocks_cxx__ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(ptr %p)
; CHECK: call void @__goldilocks_cxx__ZNSt8__detail15_List_node_base7_M_hookEPS0_(ptr %p, ptr %q)
define ptr @go_on(ptr %p, ptr %q) {
  %n = call ptr @_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(ptr %p)
  call void @_ZNSt8__detail15_List_node_base7_M_hookEPS0_(ptr %p, ptr %q)
  ret ptr %n
}

; Its address, too.
; CHECK-LABEL: define ptr @address(
; CHECK: ret ptr @__goldilocks_cxx__ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base
define ptr @address() {
  ret ptr @_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base
}

; A program's own.
; CHECK: define i64 @_ZSt11_Hash_bytesPKvmm(
define i64 @_ZSt11_Hash_bytesPKvmm(ptr %p, i64 %n, i64 %s) {
  ret i64 7
}

; CHECK-LABEL: define i64 @own(
; CHECK: call i64 @_ZSt11_Hash_bytesPKvmm(
define i64 @own(ptr %p) {
  %h = call i64 @_ZSt11_Hash_bytesPKvmm(ptr %p, i64 8, i64 0)
  ret i64 %h
}

; Another name.
; CHECK-LABEL: define ptr @other(
; CHECK: call ptr @_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_based(
define ptr @other(ptr %p) {
  %n = call ptr @_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_based(ptr %p)
  ret ptr %n
}
