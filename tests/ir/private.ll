; Objects that no other thread can reach are left out, and nothing more.
; RUN: %pass %s | %check %s
; RUN: %pass -goldilocks-private=0 %s | %check %s --check-prefix=OFF
target triple = "x86_64-pc-linux-gnu"
declare void @keep(ptr)
declare i32 @look(ptr nocapture)
@sink = global ptr null

; CHECK-LABEL: define i32 @local(
; CHECK-NOT: asm
; OFF-LABEL: define i32 @local(
; OFF: call __goldilocks_write4_
; OFF: call __goldilocks_read4_
define i32 @local(i64 %i) {
  %a = alloca [8 x i32]
  %p = getelementptr inbounds [8 x i32], ptr %a, i64 0, i64 %i
  store i32 1, ptr %p
  %q = getelementptr inbounds [8 x i32], ptr %a, i64 0, i64 3
  %v = load i32, ptr %q
  ret i32 %v
}

; Escapes by a call.
; CHECK-LABEL: define void @escapes(
; CHECK: call __goldilocks_write4_
define void @escapes() {
  %a = alloca i32
  store i32 1, ptr %a
  call void @keep(ptr %a)
  ret void
}

; Escapes through memory, after the access: a loop may come back. Which does not matter, the whole function counts.
; CHECK-LABEL: define void @stored(
; CHECK: call __goldilocks_write4_
; CHECK: call __goldilocks_write8_{{.*}}(ptr @sink)
define void @stored() {
  %a = alloca i32
  store i32 1, ptr %a
  store ptr %a, ptr @sink
  ret void
}

; A callee that keeps no copy.
; CHECK-LABEL: define i32 @lent(
; CHECK-NOT: asm
define i32 @lent() {
  %a = alloca i32
  store i32 1, ptr %a
  %v = call i32 @look(ptr %a)
  ret i32 %v
}

; One of two private objects.
; CHECK-LABEL: define void @either(
; CHECK-NOT: asm
define void @either(i1 %c) {
  %a = alloca i32
  %b = alloca i32
  %p = select i1 %c, ptr %a, ptr %b
  store i32 1, ptr %p
  ret void
}

; A private object or a shared one.
; CHECK-LABEL: define void @maybe(
; CHECK: call __goldilocks_write4_
define void @maybe(i1 %c, ptr %b) {
  %a = alloca i32
  %p = select i1 %c, ptr %a, ptr %b
  store i32 1, ptr %p
  ret void
}

; A parameter by value is a copy of one's own, unless its address leaves.
; CHECK-LABEL: define i32 @copy(
; CHECK-NOT: asm
define i32 @copy(ptr byval(i32) %p) {
  %v = load i32, ptr %p
  ret i32 %v
}
; CHECK-LABEL: define i32 @copy_escapes(
; CHECK: call __goldilocks_read4_
define i32 @copy_escapes(ptr byval(i32) %p) {
  call void @keep(ptr %p)
  %v = load i32, ptr %p
  ret i32 %v
}

; Thread-local variables: not visible elsewhere and never shown to anyone,
declare nonnull ptr @llvm.threadlocal.address.p0(ptr nonnull)
@own = internal thread_local global i32 0
; CHECK-LABEL: define void @own_thread_local(
; CHECK-NOT: asm
define void @own_thread_local() {
  %p = call ptr @llvm.threadlocal.address.p0(ptr @own)
  store i32 1, ptr %p
  ret void
}
; shown to someone in another function,
@shown = internal thread_local global i32 0
; CHECK-LABEL: define void @shown_thread_local(
; CHECK: call __goldilocks_write4_
define void @shown_thread_local() {
  %p = call ptr @llvm.threadlocal.address.p0(ptr @shown)
  store i32 1, ptr %p
  ret void
}
define void @show() {
  %p = call ptr @llvm.threadlocal.address.p0(ptr @shown)
  call void @keep(ptr %p)
  ret void
}
; visible elsewhere.
@visible = thread_local global i32 0
; CHECK-LABEL: define void @visible_thread_local(
; CHECK: call __goldilocks_write4_
define void @visible_thread_local() {
  %p = call ptr @llvm.threadlocal.address.p0(ptr @visible)
  store i32 1, ptr %p
  ret void
}

; What a function writes to that is called with private objects alone, in this module and nowhere else,
; CHECK-LABEL: define internal void @result(
; CHECK-NOT: goldilocks_write
; CHECK: ret void
define internal void @result(ptr nocapture %to, i32 %v) {
  store i32 %v, ptr %to
  %more = getelementptr i8, ptr %to, i64 4
  store i32 %v, ptr %more
  ret void
}
; CHECK-LABEL: define i32 @caller(
; CHECK-NOT: goldilocks_read
; CHECK: ret i32
define i32 @caller() {
  %a = alloca i64
  %b = alloca [4 x i32]
  call void @result(ptr %a, i32 1)
  %second = getelementptr i8, ptr %b, i64 8
  call void @result(ptr %second, i32 2)
  %v = load i32, ptr %a
  ret i32 %v
}
; and what it hands on to others of these, or to itself.
; CHECK-LABEL: define internal void @deeper(
; CHECK-NOT: goldilocks_write
; CHECK: ret void
define internal void @deeper(ptr nocapture %to, i32 %n) {
  store i32 %n, ptr %to
  %is = icmp eq i32 %n, 0
  br i1 %is, label %end, label %on
on:
  %less = sub i32 %n, 1
  call void @deeper(ptr %to, i32 %less)
  br label %end
end:
  ret void
}
; CHECK-LABEL: define internal void @between(
; CHECK-NOT: goldilocks_write
; CHECK: ret void
define internal void @between(ptr nocapture %to) {
  store i32 7, ptr %to
  call void @deeper(ptr %to, i32 3)
  ret void
}
define void @outermost() {
  %a = alloca i32
  call void @between(ptr %a)
  ret void
}
; Not if one call is with something else,
; CHECK-LABEL: define internal void @result_of_two(
; CHECK: call __goldilocks_write4_
define internal void @result_of_two(ptr nocapture %to) {
  store i32 1, ptr %to
  ret void
}
define void @one_caller() {
  %a = alloca i32
  call void @result_of_two(ptr %a)
  ret void
}
define void @other_caller(ptr %shared) {
  call void @result_of_two(ptr %shared)
  ret void
}
; be it by way of another function,
; CHECK-LABEL: define internal void @handed_on(
; CHECK: call __goldilocks_write4_
define internal void @handed_on(ptr nocapture %to) {
  store i32 1, ptr %to
  ret void
}
; CHECK-LABEL: define internal void @hands_on(
; CHECK: call __goldilocks_write4_
define internal void @hands_on(ptr nocapture %to) {
  store i32 2, ptr %to
  call void @handed_on(ptr %to)
  ret void
}
define void @hands_on_shared(ptr %shared) {
  call void @hands_on(ptr %shared)
  ret void
}
; if others can call it,
; CHECK-LABEL: define void @visible_result(
; CHECK: call __goldilocks_write4_
define void @visible_result(ptr nocapture %to) {
  store i32 1, ptr %to
  ret void
}
define void @caller_of_visible() {
  %a = alloca i32
  call void @visible_result(ptr %a)
  ret void
}
; if its address is known,
; CHECK-LABEL: define internal void @known(
; CHECK: call __goldilocks_write4_
define internal void @known(ptr nocapture %to) {
  store i32 1, ptr %to
  ret void
}
define void @tells() {
  %a = alloca i32
  call void @known(ptr %a)
  call void @keep(ptr @known)
  ret void
}
; or if the object is shared with somebody else.
; CHECK-LABEL: define internal void @of_escaping(
; CHECK: call __goldilocks_write4_
define internal void @of_escaping(ptr nocapture %to) {
  store i32 1, ptr %to
  ret void
}
define void @lets_escape() {
  %a = alloca i32
  call void @keep(ptr %a)
  call void @of_escaping(ptr %a)
  ret void
}
