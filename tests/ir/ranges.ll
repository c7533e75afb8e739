; Sizes that have no check of their own: all their cells are compared in line, and the range hook stands behind.
; RUN: %pass %s | %check %s
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define <4 x i64> @read32(
; CHECK-COUNT-4: load atomic
; CHECK-NOT: load atomic
; CHECK: br i1 {{.*}} !prof
; CHECK: call void @__goldilocks_read_range(ptr %p, i64 32)
; CHECK: load <4 x i64>
define <4 x i64> @read32(ptr %p) {
  %v = load <4 x i64>, ptr %p, align 32
  ret <4 x i64> %v
}

; CHECK-LABEL: define void @write64(
; CHECK-COUNT-9: load atomic
; CHECK-NOT: load atomic
; CHECK: call void @__goldilocks_write_range(ptr %p, i64 64)
define void @write64(ptr %p, <16 x i32> %v) {
  store <16 x i32> %v, ptr %p, align 4
  ret void
}

; Ten bytes, not sixteen.
; CHECK-LABEL: define void @extended(
; CHECK: load atomic
; CHECK: load atomic
; CHECK-NOT: load atomic
; CHECK: and i32 {{%.*}}, -253
; CHECK: call void @__goldilocks_write_range(ptr %p, i64 10)
define void @extended(ptr %p, x86_fp80 %v) {
  store x86_fp80 %v, ptr %p, align 16
  ret void
}

; Three bytes of a word.
; CHECK-LABEL: define i24 @three(
; CHECK: and i32 {{%.*}}, -249
; CHECK: call void @__goldilocks_read_range(ptr %p, i64 3)
define i24 @three(ptr align 8 %p) {
  %v = load i24, ptr %p, align 4
  ret i24 %v
}

; Twelve bytes at a multiple of four: what is left after the first eight cannot straddle.
; CHECK-LABEL: define <3 x i32> @twelve(
; CHECK-COUNT-2: load atomic
; CHECK-NOT: load atomic
; CHECK: call void @__goldilocks_read_range(ptr %p, i64 12)
define <3 x i32> @twelve(ptr %p) {
  %v = load <3 x i32>, ptr %p, align 4
  ret <3 x i32> %v
}

; Nothing to access.
; CHECK-LABEL: define {} @empty(
; CHECK-NEXT: %v = load {}
define {} @empty(ptr %p) {
  %v = load {}, ptr %p
  ret {} %v
}
