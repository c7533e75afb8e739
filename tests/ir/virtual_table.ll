; A store of a pointer to a virtual table is checked in line as any store, and then by the runtime, which compares what is stored
; with what is there. A constructor's is always a write: it says null.
; RUN: %opt -passes=goldilocks-start,goldilocks,verify -S %s | %check %s
target triple = "x86_64-pc-linux-gnu"

@table = external constant [4 x ptr]
@other = external constant [4 x ptr]

; Destructor.
; CHECK-LABEL: define void @_ZN4BaseD2Ev(
; CHECK: getelementptr i8, ptr {{%.*}}, i64 66624
; CHECK: icmp ne i32
; CHECK-NEXT: br i1 {{%.*}}, label %[[COLD:.*]], label %[[GO:.*]], !prof
; CHECK: [[COLD]]:
; CHECK-NEXT: call void @__goldilocks_vptr_write(ptr %this, ptr @table)
; CHECK-NEXT: br label %[[GO]]
; CHECK: [[GO]]:
; CHECK-NEXT: store ptr @table, ptr %this
; CHECK-NOT: goldilocks_write
; CHECK: ret void
define void @_ZN4BaseD2Ev(ptr %this) sanitize_thread {
  store ptr @table, ptr %this, align 8, !tbaa !0
  ret void
}

; Constructor.
; CHECK-LABEL: define void @_ZN4BaseC2Ev(
; CHECK: call void @__goldilocks_vptr_write(ptr %this, ptr null)
; CHECK: store ptr @table, ptr %this
define void @_ZN4BaseC2Ev(ptr %this) sanitize_thread {
  store ptr @table, ptr %this, align 8, !tbaa !0
  ret void
}

; A constructor that was inlined is still one.
; CHECK-LABEL: define void @make(
; CHECK: call void @__goldilocks_vptr_write(ptr %p, ptr null)
define void @make(ptr %p) sanitize_thread {
  store ptr @table, ptr %p, align 8, !tbaa !0, !goldilocks.constructs !3
  ret void
}

; Two bases at once.
; CHECK-LABEL: define void @_ZN3TwoD2Ev(
; CHECK: call void @__goldilocks_vptr_write(ptr %this, ptr
; CHECK: call void @__goldilocks_vptr_write(ptr {{%.*}}, ptr
; CHECK: store <2 x ptr> %tables, ptr %this
define void @_ZN3TwoD2Ev(ptr %this, <2 x ptr> %tables) sanitize_thread {
  store <2 x ptr> %tables, ptr %this, align 8, !tbaa !0
  ret void
}

; Such a check may turn out to be one of a read, so it covers no other; a write before it covers it.
; CHECK-LABEL: define void @covers(
; CHECK: call void @__goldilocks_vptr_write(ptr %p, ptr @table)
; CHECK: call __goldilocks_write8_
; CHECK-NOT: goldilocks_vptr_write
; CHECK: ret void
define void @covers(ptr %p) sanitize_thread {
  store ptr @table, ptr %p, align 8, !tbaa !0
  store ptr null, ptr %p, align 8
  store ptr @other, ptr %p, align 8, !tbaa !0
  ret void
}

; A read on the same line does not become a write for its sake.
; CHECK-LABEL: define ptr @after_load(
; CHECK: call __goldilocks_read8_
; CHECK: call void @__goldilocks_vptr_write(ptr %p, ptr @table)
define ptr @after_load(ptr %p) sanitize_thread {
  %before = load ptr, ptr %p, align 8, !tbaa !0
  store ptr @table, ptr %p, align 8, !tbaa !0
  ret ptr %before
}

; An object that nobody else can reach.
; CHECK-LABEL: define void @local(
; CHECK-NOT: goldilocks_vptr_write
; CHECK: ret void
define void @local() sanitize_thread {
  %object = alloca ptr, align 8
  store ptr @table, ptr %object, align 8, !tbaa !0
  ret void
}

; What the tag says and the value contradicts is an ordinary store.
; CHECK-LABEL: define void @number(
; CHECK: call __goldilocks_write4_
define void @number(ptr %p) sanitize_thread {
  store i32 1, ptr %p, align 4, !tbaa !0
  ret void
}

!0 = !{!1, !1, i64 0}
!1 = !{!"vtable pointer", !2, i64 0}
!2 = !{!"Simple C++ TBAA"}
!3 = !{}
