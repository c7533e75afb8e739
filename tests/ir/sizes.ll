; Every size that has a check of its own, as a read and as a write, at an address of its natural alignment.
; RUN: %pass %s | %check %s
target triple = "x86_64-pc-linux-gnu"

; One byte: the position within the word is not known, so the tags are compared whole, and what its byte needs where that differs.
; CHECK-LABEL: define i8 @read1(
; CHECK: [[A:%.*]] = ptrtoint ptr %p to i64
; CHECK-NEXT: [[W:%.*]] = and i64 [[A]], -8
; CHECK-NEXT: [[S:%.*]] = xor i64 [[W]], 70368744177664
; CHECK-NEXT: [[P:%.*]] = inttoptr i64 [[S]] to ptr
; CHECK-NEXT: [[C:%.*]] = getelementptr i8, ptr [[P]], i64 66628
; CHECK-NEXT: [[F:%.*]] = load atomic i32, ptr [[C]] monotonic, align 4
; CHECK-NEXT: [[T:%.*]] = load i32, ptr @__goldilocks_tls, align 4
; CHECK-NEXT: [[N:%.*]] = icmp ne i32 [[F]], [[T]]
; CHECK-NEXT: br i1 [[N]], label %[[COLD:.*]], label %[[GO:.*]], !prof [[UNLIKELY:!.*]]
; CHECK: [[COLD]]:
; CHECK-NEXT: [[TT:%.*]] = load i32, ptr @__goldilocks_tls, align 4
; CHECK-NEXT: [[AA:%.*]] = ptrtoint ptr %p to i64
; CHECK-NEXT: [[LOW:%.*]] = trunc i64 [[AA]] to i32
; CHECK-NEXT: [[AT:%.*]] = and i32 [[LOW]], 7
; CHECK-NEXT: [[BYTE:%.*]] = shl i32 1, [[AT]]
; CHECK-NEXT: [[BITS:%.*]] = or i32 [[BYTE]], -256
; CHECK-NEXT: [[X:%.*]] = xor i32 [[F]], [[TT]]
; CHECK-NEXT: [[Y:%.*]] = and i32 [[X]], [[BITS]]
; CHECK-NEXT: [[E:%.*]] = icmp ne i32 [[Y]], 0
; CHECK-NEXT: br i1 [[E]], label %[[COLDSET:.*]], label %[[BACKPART:.*]], !prof [[UNLIKELY]]
; A read is compared with the read set that the thread was found in last as well.
; CHECK: [[COLDSET]]:
; CHECK-NEXT: [[R:%.*]] = load i32, ptr getelementptr (i8, ptr @__goldilocks_tls, i64 20), align 4
; CHECK-NEXT: [[D:%.*]] = icmp ne i32 [[F]], [[R]]
; CHECK-NEXT: br i1 [[D]], label %[[COLDER:.*]], label %[[BACK:.*]], !prof [[UNLIKELY]]
; CHECK: [[COLDER]]:
; CHECK-NEXT: call void asm sideeffect "call __goldilocks_read1_${0:V} # 0", "r,~{dirflag},~{fpsr},~{flags}"(ptr %p)
; CHECK-NEXT: br label %[[BACK]]
; CHECK: [[BACK]]:
; CHECK-NEXT: br label %[[BACKPART]]
; CHECK: [[BACKPART]]:
; CHECK-NEXT: br label %[[GO]]
; CHECK: [[GO]]:
; CHECK-NEXT: %v = load i8, ptr %p
define i8 @read1(ptr %p) {
  %v = load i8, ptr %p, align 1
  ret i8 %v
}

; A write compares the write tag.
; CHECK-LABEL: define void @write1(
; CHECK: getelementptr i8, ptr {{%.*}}, i64 66624
; CHECK: br i1
; CHECK: shl i32 1,
; CHECK: br i1
; CHECK-NOT: br i1
; CHECK: asm sideeffect "call __goldilocks_write1_${0:V} # 0"
; CHECK: store i8 1, ptr %p
define void @write1(ptr %p) {
  store i8 1, ptr %p, align 1
  ret void
}

; CHECK-LABEL: define i16 @read2(
; CHECK: i64 66628
; CHECK-NOT: load atomic {{.*}}load atomic
; CHECK: call __goldilocks_read2_
define i16 @read2(ptr %p) {
  %v = load i16, ptr %p, align 2
  ret i16 %v
}

; Its two bytes, at an even offset.
; CHECK-LABEL: define void @write2(
; CHECK: [[AT:%.*]] = and i32 {{%.*}}, 6
; CHECK-NEXT: shl i32 3, [[AT]]
; CHECK: call __goldilocks_write2_
define void @write2(ptr %p) {
  store i16 1, ptr %p, align 2
  ret void
}

; CHECK-LABEL: define float @read4(
; CHECK: call __goldilocks_read4_
define float @read4(ptr %p) {
  %v = load float, ptr %p, align 4
  ret float %v
}

; CHECK-LABEL: define void @write4(
; CHECK: call __goldilocks_write4_
define void @write4(ptr %p) {
  store i32 1, ptr %p, align 4
  ret void
}

; Eight bytes at a multiple of eight: the word is the address.
; CHECK-LABEL: define ptr @read8(
; CHECK: [[A:%.*]] = ptrtoint ptr %p to i64
; CHECK-NEXT: xor i64 [[A]], 70368744177664
; CHECK: call __goldilocks_read8_
define ptr @read8(ptr %p) {
  %v = load ptr, ptr %p, align 8
  ret ptr %v
}

; CHECK-LABEL: define void @write8(
; CHECK: call __goldilocks_write8_
define void @write8(ptr %p) {
  store double 1.0, ptr %p, align 8
  ret void
}

; Sixteen bytes: two cells, one branch.
; CHECK-LABEL: define i128 @read16(
; CHECK: getelementptr i8, ptr {{%.*}}, i64 66628
; CHECK: getelementptr i8, ptr {{%.*}}, i64 66636
; CHECK: [[F:%.*]] = load atomic i32
; CHECK-NEXT: [[G:%.*]] = load atomic i32
; CHECK-NEXT: [[T:%.*]] = load i32, ptr @__goldilocks_tls
; CHECK-NEXT: [[X:%.*]] = xor i32 [[F]], [[T]]
; CHECK-NEXT: [[Y:%.*]] = xor i32 [[G]], [[T]]
; CHECK-NEXT: [[O:%.*]] = or i32 [[X]], [[Y]]
; CHECK-NEXT: icmp ne i32 [[O]], 0
; CHECK-NEXT: br i1
; CHECK: call __goldilocks_read16_
; CHECK-NOT: asm
; CHECK: load i128
define i128 @read16(ptr %p) {
  %v = load i128, ptr %p, align 16
  ret i128 %v
}

; CHECK-LABEL: define void @write16(
; CHECK: getelementptr i8, ptr {{%.*}}, i64 66624
; CHECK: getelementptr i8, ptr {{%.*}}, i64 66632
; CHECK: call __goldilocks_write16_
define void @write16(ptr %p, <4 x float> %v) {
  store <4 x float> %v, ptr %p, align 8
  ret void
}

; Volatile accesses are plain ones.
; CHECK-LABEL: define i32 @volatile(
; CHECK: call __goldilocks_read4_
; CHECK: load volatile i32
define i32 @volatile(ptr %p) {
  %v = load volatile i32, ptr %p, align 4
  ret i32 %v
}

; What may reach into the next word is left to the stub, and so is what fills its word.
; CHECK-LABEL: define void @anywhere(
; CHECK-NOT: shl i32
; CHECK: ret void
define void @anywhere(ptr %p, ptr %q) {
  store i32 1, ptr %p, align 1
  store i64 1, ptr %q, align 8
  ret void
}

; CHECK: [[UNLIKELY]] = !{!"branch_weights", i32 1, i32 {{[0-9]+}}}
