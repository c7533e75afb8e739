; Memory intrinsics: short ones stay and are preceded by checks; long ones become calls of the runtime.
; RUN: %pass %s | %check %s
; RUN: %pass -goldilocks-instrument-memory=0 %s | %check %s --check-prefix=OFF
; OFF-NOT: call{{.*}}__goldilocks
target triple = "x86_64-pc-linux-gnu"
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memcpy.p0.p0.i32(ptr, ptr, i32, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.inline.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.inline.p0.i64(ptr, i8, i64, i1)
@table = constant [128 x i8] zeroinitializer

; CHECK-LABEL: define void @short(
; CHECK-DAG: call __goldilocks_read8_{{.*}}(ptr %q)
; CHECK-DAG: call __goldilocks_write8_{{.*}}(ptr %p)
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr align 8 %p, ptr %q, i64 8, i1 false)
define void @short(ptr %p, ptr %q) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %p, ptr %q, i64 8, i1 false)
  ret void
}

; The alignment of an argument counts: five cells for the source, four for the destination.
; CHECK-LABEL: define void @short32(
; CHECK-COUNT-4: load atomic
; CHECK-NOT: load atomic
; CHECK: call void @__goldilocks_write_range(ptr %p, i64 32)
; CHECK-COUNT-5: load atomic
; CHECK-NOT: load atomic
; CHECK: call void @__goldilocks_read_range(ptr %q, i64 32)
; CHECK: call void @llvm.memmove
define void @short32(ptr %p, ptr %q) {
  call void @llvm.memmove.p0.p0.i64(ptr align 8 %p, ptr %q, i64 32, i1 false)
  ret void
}

; CHECK-LABEL: define void @nothing(
; CHECK-NEXT: call void @llvm.memcpy
define void @nothing(ptr %p, ptr %q) {
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 0, i1 false)
  ret void
}

; CHECK-LABEL: define void @long(
; CHECK-NEXT: call ptr @__goldilocks_memcpy(ptr %p, ptr %q, i64 65)
; CHECK-NEXT: [[N:%.*]] = zext i32 %n to i64
; CHECK-NEXT: call ptr @__goldilocks_memcpy(ptr %p, ptr %q, i64 [[N]])
; CHECK-NEXT: call ptr @__goldilocks_memmove(ptr %p, ptr %q, i64 %m)
; CHECK-NEXT: [[B:%.*]] = zext i8 %b to i32
; CHECK-NEXT: call ptr @__goldilocks_memset(ptr %p, i32 [[B]], i64 %m)
; CHECK-NEXT: ret void
define void @long(ptr %p, ptr %q, i32 %n, i64 %m, i8 %b) {
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 65, i1 false)
  call void @llvm.memcpy.p0.p0.i32(ptr %p, ptr %q, i32 %n, i1 true)
  call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %q, i64 %m, i1 false)
  call void @llvm.memset.p0.i64(ptr %p, i8 %b, i64 %m, i1 false)
  ret void
}

; One side cannot race: the other is checked, and the intrinsic stays.
; CHECK-LABEL: define void @from_private(
; CHECK: call void @__goldilocks_write_range(ptr %p, i64 100)
; CHECK-NEXT: call void @llvm.memcpy
define void @from_private(ptr %p) {
  %a = alloca [100 x i8]
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %a, i64 100, i1 false)
  ret void
}
; CHECK-LABEL: define void @to_private(
; CHECK: call void @__goldilocks_read_range(ptr %p, i64 %n)
; CHECK-NEXT: call void @llvm.memcpy
define void @to_private(ptr %p, i64 %n) {
  %a = alloca [100 x i8]
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %p, i64 %n, i1 false)
  ret void
}
; CHECK-LABEL: define void @from_constant(
; CHECK-NEXT: alloca
; CHECK-NEXT: call void @llvm.memcpy
; CHECK-NEXT: ret
define void @from_constant() {
  %a = alloca [128 x i8]
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr @table, i64 128, i1 false)
  ret void
}

; Intrinsics that must not become calls.
; CHECK-LABEL: define void @inline(
; CHECK: call void @__goldilocks_write_range(ptr %p, i64 128)
; CHECK: call void @__goldilocks_read_range(ptr %q, i64 128)
; CHECK: call void @llvm.memcpy.inline
; CHECK: call void @__goldilocks_write_range(ptr %p, i64 128)
; CHECK: call void @llvm.memset.inline
define void @inline(ptr %p, ptr %q) {
  call void @llvm.memcpy.inline.p0.p0.i64(ptr %p, ptr %q, i64 128, i1 false)
  call void @llvm.memset.inline.p0.i64(ptr %p, i8 0, i64 128, i1 false)
  ret void
}

; The C library's functions are the interceptors' business.
declare ptr @memcpy(ptr, ptr, i64)
; CHECK-LABEL: define void @library(
; CHECK-NOT: {{call|asm}}{{.*}}__goldilocks
; CHECK: call ptr @memcpy
; CHECK-NOT: {{call|asm}}{{.*}}__goldilocks
; CHECK: ret
define void @library(ptr %p, ptr %q) {
  %r = call ptr @memcpy(ptr %p, ptr %q, i64 100)
  ret void
}

; CHECK-DAG: declare ptr @__goldilocks_memcpy(ptr, ptr, i64)
; CHECK-DAG: declare ptr @__goldilocks_memmove(ptr, ptr, i64)
; CHECK-DAG: declare ptr @__goldilocks_memset(ptr, i32, i64)
