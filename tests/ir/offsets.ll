; Where in its word an access is, as far as it is known, decides which cells are compared and which of their bytes.
; RUN: %pass %s | %check %s
target triple = "x86_64-pc-linux-gnu"

; The field of an aligned object: the base's shadow, a constant, and the mask of the field's bytes (0xffffff00 | 0xf0).
; CHECK-LABEL: define void @field(
; CHECK: [[A:%.*]] = ptrtoint ptr %p to i64
; CHECK-NEXT: [[S:%.*]] = xor i64 [[A]], 70368744177664
; CHECK-NEXT: [[P:%.*]] = inttoptr i64 [[S]] to ptr
; CHECK-NEXT: [[C:%.*]] = getelementptr i8, ptr [[P]], i64 66632
; CHECK-NEXT: [[F:%.*]] = load atomic i32, ptr [[C]]
; CHECK-NEXT: [[T:%.*]] = load i32, ptr @__goldilocks_tls
; CHECK-NEXT: [[X:%.*]] = xor i32 [[F]], [[T]]
; CHECK-NEXT: [[M:%.*]] = and i32 [[X]], -16
; CHECK-NEXT: icmp ne i32 [[M]], 0
; The stub gets the address of the field.
; CHECK: [[Q:%.*]] = getelementptr i8, ptr %p, i64 12
; CHECK-NEXT: call void asm sideeffect "call __goldilocks_write4_{{.*}}(ptr [[Q]])
define void @field(ptr align 8 %p) {
  %q = getelementptr inbounds i8, ptr %p, i64 12
  store i32 1, ptr %q, align 4
  ret void
}

; The lower half: 0xffffff00 | 0x0f.
; CHECK-LABEL: define void @lower(
; CHECK: and i32 {{%.*}}, -241
define void @lower(ptr align 8 %p) {
  store i32 1, ptr %p, align 4
  ret void
}

; A byte: 0xffffff00 | 0x08.
; CHECK-LABEL: define void @byte(
; CHECK: getelementptr i8, ptr {{%.*}}, i64 66624
; CHECK: and i32 {{%.*}}, -248
define void @byte(ptr align 8 %p) {
  %q = getelementptr inbounds i8, ptr %p, i64 3
  store i8 1, ptr %q, align 1
  ret void
}

; The base is not aligned, but by how much is known: the word of the access is 3 bytes before the base.
; CHECK-LABEL: define void @skewed(
; CHECK: [[A:%.*]] = ptrtoint ptr %p to i64
; CHECK-NEXT: xor i64 [[A]], 70368744177664
; CHECK: getelementptr i8, ptr {{%.*}}, i64 66621
; CHECK: and i32 {{%.*}}, -224
define void @skewed(i64 %n) {
  %word = and i64 %n, -8
  %a = or disjoint i64 %word, 3
  %p = inttoptr i64 %a to ptr
  %q = getelementptr inbounds i8, ptr %p, i64 2
  store i8 1, ptr %q, align 1
  ret void
}

; An array index: nothing is known but the alignment of the access. No straddling, so one cell.
; CHECK-LABEL: define void @index(
; CHECK: and i64 {{%.*}}, -8
; CHECK: load atomic
; CHECK-NOT: load atomic
; CHECK: asm
define void @index(ptr %p, i64 %i) {
  %q = getelementptr inbounds i32, ptr %p, i64 %i
  store i32 1, ptr %q, align 4
  ret void
}

; It may straddle two words: the cells of its first and of its last byte.
; CHECK-LABEL: define i64 @straddle8(
; CHECK: [[A:%.*]] = ptrtoint ptr %p to i64
; CHECK-NEXT: and i64 [[A]], -8
; CHECK: [[Q:%.*]] = getelementptr i8, ptr %p, i64 7
; CHECK-NEXT: [[B:%.*]] = ptrtoint ptr [[Q]] to i64
; CHECK-NEXT: and i64 [[B]], -8
; CHECK: load atomic
; CHECK: load atomic
; CHECK-NOT: load atomic
; CHECK: call __goldilocks_read8_{{.*}}(ptr %p)
define i64 @straddle8(ptr %p) {
  %v = load i64, ptr %p, align 4
  ret i64 %v
}

; Two bytes at an odd address, known to be within a word.
; CHECK-LABEL: define i16 @odd(
; CHECK: load atomic
; CHECK-NOT: load atomic
; CHECK: call __goldilocks_read2_
define i16 @odd(ptr align 8 %p) {
  %q = getelementptr inbounds i8, ptr %p, i64 5
  %v = load i16, ptr %q, align 1
  ret i16 %v
}

; Two bytes that are known to be in two words: 0xffffff00 | 0x80 and 0xffffff00 | 0x01.
; CHECK-LABEL: define i16 @across(
; CHECK: getelementptr i8, ptr {{%.*}}, i64 66628
; CHECK: getelementptr i8, ptr {{%.*}}, i64 66636
; CHECK: and i32 {{%.*}}, -128
; CHECK: and i32 {{%.*}}, -255
; CHECK: call __goldilocks_read2_
define i16 @across(ptr align 8 %p) {
  %q = getelementptr inbounds i8, ptr %p, i64 7
  %v = load i16, ptr %q, align 1
  ret i16 %v
}

; Sixteen bytes at any address: three cells.
; CHECK-LABEL: define <2 x i64> @straddle16(
; CHECK-COUNT-3: load atomic
; CHECK-NOT: load atomic
; CHECK: call __goldilocks_read16_
define <2 x i64> @straddle16(ptr %p) {
  %v = load <2 x i64>, ptr %p, align 1
  ret <2 x i64> %v
}

; The alignment may come from the object rather than from the access.
@aligned = global [4 x i32] zeroinitializer, align 16
; CHECK-LABEL: define void @global(
; CHECK: and i32 {{%.*}}, -16
; CHECK: call __goldilocks_write4_{{.*}}(ptr getelementptr
define void @global() {
  store i32 1, ptr getelementptr inbounds (i8, ptr @aligned, i64 4), align 1
  ret void
}
