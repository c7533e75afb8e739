; What the program prefetches, its shadow is prefetched with, and the rest of what is kept of it by the runtime. No access is checked for that.
; RUN: %opt -passes=goldilocks-start,goldilocks,verify -S %s | %check %s
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @ahead(
; CHECK: [[ADDRESS:%.*]] = ptrtoint ptr %at to i64
; CHECK-NEXT: [[SHADOW:%.*]] = xor i64 [[ADDRESS]], 70368744177664
; CHECK-NEXT: [[CELLS:%.*]] = inttoptr i64 [[SHADOW]] to ptr
; CHECK-NEXT: [[CELL:%.*]] = getelementptr i8, ptr [[CELLS]], i64 66624
; CHECK-NEXT: call void @llvm.prefetch.p0(ptr [[CELL]], i32 1, i32 2, i32 1)
; CHECK-NEXT: call void @__goldilocks_prefetch(ptr %at)
; CHECK-NEXT: call void @llvm.prefetch.p0(ptr %at, i32 1, i32 2, i32 1)
; CHECK-NOT: goldilocks_read
; CHECK: ret void
define void @ahead(ptr %at) sanitize_thread {
  call void @llvm.prefetch.p0(ptr %at, i32 1, i32 2, i32 1)
  ret void
}

; A check before it still covers the one after it.
; CHECK-LABEL: define i32 @between(
; CHECK: goldilocks_write4
; CHECK: call void @__goldilocks_prefetch(
; CHECK-NOT: goldilocks_read4
; CHECK: ret i32
define i32 @between(ptr %p, ptr %at) sanitize_thread {
  store i32 1, ptr %p, align 4
  call void @llvm.prefetch.p0(ptr %at, i32 0, i32 3, i32 1)
  %value = load i32, ptr %p, align 4
  ret i32 %value
}

; Other address spaces are not the threads' memory.
; CHECK-LABEL: define void @elsewhere(
; CHECK-NEXT: call void @llvm.prefetch.p256(
; CHECK-NEXT: ret void
define void @elsewhere(ptr addrspace(256) %at) sanitize_thread {
  call void @llvm.prefetch.p256(ptr addrspace(256) %at, i32 0, i32 3, i32 1)
  ret void
}
