; Vector accesses of some lanes by the processor's own intrinsics: sign bits are the mask, indices have a scale.
; RUN: %pass %s | %check %s
target triple = "x86_64-pc-linux-gnu"
declare <4 x float> @llvm.x86.avx.maskload.ps(ptr, <4 x i32>)
declare void @llvm.x86.avx2.maskstore.q(ptr, <2 x i64>, <2 x i64>)
declare void @llvm.x86.sse2.maskmov.dqu(<16 x i8>, <16 x i8>, ptr)
declare <2 x double> @llvm.x86.avx2.gather.d.pd(<2 x double>, ptr, <4 x i32>, <2 x double>, i8)
declare void @llvm.x86.avx512.mask.scatterdiv2.di(ptr, <2 x i1>, <2 x i64>, <2 x i64>, i32)
declare void @llvm.x86.avx512.mask.pmov.qw.mem.512(ptr, <8 x i64>, i8)
declare void @llvm.x86.avx512.mask.pmovus.qd.mem.128(ptr, <2 x i64>, i8)
declare <16 x i8> @llvm.x86.sse3.ldu.dq(ptr)
declare void @llvm.x86.fxsave64(ptr)
declare <4 x float> @llvm.x86.vcvtneebf162ps128(ptr)
declare <8 x float> @llvm.x86.vbcstnesh2ps256(ptr)
declare void @llvm.x86.sse2.mfence()
declare void @llvm.x86.fxrstor64(ptr)
declare void @llvm.va_start.p0(ptr)

; CHECK-LABEL: define <4 x float> @load(
; CHECK: [[L:%.*]] = extractelement <4 x i32> %m, i32 0
; CHECK-NEXT: [[A:%.*]] = icmp slt i32 [[L]], 0
; CHECK-NEXT: [[S:%.*]] = select i1 [[A]], i64 4, i64 0
; CHECK-NEXT: call void @__goldilocks_read_range(ptr %p, i64 [[S]])
; CHECK: getelementptr i8, ptr %p, i64 12
; CHECK: call void @__goldilocks_read_range(
; CHECK-NOT: __goldilocks
; CHECK: call <4 x float> @llvm.x86
define <4 x float> @load(ptr %p, <4 x i32> %m) {
  %r = call <4 x float> @llvm.x86.avx.maskload.ps(ptr %p, <4 x i32> %m)
  ret <4 x float> %r
}

; CHECK-LABEL: define void @store(
; CHECK: icmp slt i64
; CHECK: select i1 {{%.*}}, i64 8, i64 0
; CHECK-COUNT-2: call void @__goldilocks_write_range(
; CHECK-NOT: call void @__goldilocks
; CHECK: call void @llvm.x86
define void @store(ptr %p, <2 x i64> %m, <2 x i64> %v) {
  call void @llvm.x86.avx2.maskstore.q(ptr %p, <2 x i64> %m, <2 x i64> %v)
  ret void
}

; CHECK-LABEL: define void @bytes(
; CHECK-COUNT-16: call void @__goldilocks_write_range(
; CHECK-NOT: call void @__goldilocks
; CHECK: call void @llvm.x86
define void @bytes(ptr %p, <16 x i8> %m, <16 x i8> %v) {
  call void @llvm.x86.sse2.maskmov.dqu(<16 x i8> %v, <16 x i8> %m, ptr %p)
  ret void
}

; Two lanes of four indices.
; CHECK-LABEL: define <2 x double> @gather(
; CHECK: [[I:%.*]] = extractelement <4 x i32> %i, i32 0
; CHECK-NEXT: [[W:%.*]] = sext i32 [[I]] to i64
; CHECK-NEXT: [[O:%.*]] = mul i64 [[W]], 8
; CHECK-NEXT: [[P:%.*]] = getelementptr i8, ptr %p, i64 [[O]]
; CHECK-NEXT: [[L:%.*]] = extractelement <2 x double> %m, i32 0
; CHECK-NEXT: [[B:%.*]] = bitcast double [[L]] to i64
; CHECK-NEXT: [[A:%.*]] = icmp slt i64 [[B]], 0
; CHECK-NEXT: [[S:%.*]] = select i1 [[A]], i64 8, i64 0
; CHECK-NEXT: call void @__goldilocks_read_range(ptr [[P]], i64 [[S]])
; CHECK: call void @__goldilocks_read_range(
; CHECK-NOT: call void @__goldilocks
; CHECK: call <2 x double> @llvm.x86
define <2 x double> @gather(ptr %p, <4 x i32> %i, <2 x double> %m, <2 x double> %v) {
  %r = call <2 x double> @llvm.x86.avx2.gather.d.pd(<2 x double> %v, ptr %p, <4 x i32> %i, <2 x double> %m, i8 8)
  ret <2 x double> %r
}

; CHECK-LABEL: define void @scatter(
; CHECK: mul i64 {{%.*}}, 4
; CHECK: [[A:%.*]] = extractelement <2 x i1> %m, i32 0
; CHECK-NEXT: select i1 [[A]], i64 8, i64 0
; CHECK-COUNT-2: call void @__goldilocks_write_range(
; CHECK: call void @llvm.x86
define void @scatter(ptr %p, <2 x i1> %m, <2 x i64> %i, <2 x i64> %v) {
  call void @llvm.x86.avx512.mask.scatterdiv2.di(ptr %p, <2 x i1> %m, <2 x i64> %i, <2 x i64> %v, i32 4)
  ret void
}

; Narrowing stores have an integer for a mask, of which the lowest bits count.
; CHECK-LABEL: define void @narrow(
; CHECK: [[V:%.*]] = bitcast i8 %m to <8 x i1>
; CHECK: [[B:%.*]] = bitcast <8 x i1> [[V]] to i8
; CHECK: [[P:%.*]] = icmp ne i8 [[B]], -1
; CHECK: [[W:%.*]] = select i1 [[P]], i64 0, i64 16
; CHECK: call void @__goldilocks_write_range(ptr %p, i64 [[W]])
; CHECK: extractelement <8 x i1> [[V]], i32 7
; CHECK: select i1 {{%.*}}, i64 2, i64 0
; CHECK: call void @__goldilocks_write_range(
; CHECK-NOT: call void @__goldilocks
; CHECK: call void @llvm.x86
define void @narrow(ptr %p, <8 x i64> %v, i8 %m) {
  call void @llvm.x86.avx512.mask.pmov.qw.mem.512(ptr %p, <8 x i64> %v, i8 %m)
  ret void
}

; CHECK-LABEL: define void @narrow_two(
; CHECK: [[T:%.*]] = trunc i8 %m to i2
; CHECK: [[V:%.*]] = bitcast i2 [[T]] to <2 x i1>
; CHECK: select i1 {{%.*}}, i64 0, i64 8
; CHECK: extractelement <2 x i1> [[V]], i32 1
; CHECK: select i1 {{%.*}}, i64 4, i64 0
; CHECK: call void @llvm.x86
define void @narrow_two(ptr %p, <2 x i64> %v, i8 %m) {
  call void @llvm.x86.avx512.mask.pmovus.qd.mem.128(ptr %p, <2 x i64> %v, i8 %m)
  ret void
}

; Whole accesses of a fixed size.
; CHECK-LABEL: define <16 x i8> @unaligned(
; CHECK: {{__goldilocks_read|call void asm}}
; CHECK: call <16 x i8> @llvm.x86.sse3.ldu.dq
define <16 x i8> @unaligned(ptr %p) {
  %r = call <16 x i8> @llvm.x86.sse3.ldu.dq(ptr %p)
  ret <16 x i8> %r
}

; CHECK-LABEL: define void @state(
; CHECK: call void @__goldilocks_write_range(ptr %p, i64 464)
; CHECK: call void @llvm.x86.fxsave64
; CHECK: call void @__goldilocks_read_range(ptr %p, i64 464)
; CHECK: call void @llvm.x86.fxrstor64
define void @state(ptr %p) {
  call void @llvm.x86.fxsave64(ptr %p)
  call void @llvm.x86.fxrstor64(ptr %p)
  ret void
}

; CHECK-LABEL: define void @variadic(
; CHECK: {{__goldilocks_write|call void asm}}
; CHECK: call void @llvm.va_start
define void @variadic(ptr %list, ...) {
  call void @llvm.va_start.p0(ptr %list)
  ret void
}

; CHECK-LABEL: define <4 x float> @convert(
; CHECK: call __goldilocks_read16_{{.*}}(ptr %p)
; CHECK: call <4 x float> @llvm.x86
define <4 x float> @convert(ptr %p) {
  %r = call <4 x float> @llvm.x86.vcvtneebf162ps128(ptr %p)
  ret <4 x float> %r
}

; CHECK-LABEL: define <8 x float> @broadcast(
; CHECK: call __goldilocks_read2_{{.*}}(ptr %p)
; CHECK: call <8 x float> @llvm.x86
define <8 x float> @broadcast(ptr %p) {
  %r = call <8 x float> @llvm.x86.vbcstnesh2ps256(ptr %p)
  ret <8 x float> %r
}

; As assembly that is one.
; CHECK-LABEL: define void @fence(
; CHECK: call void @__goldilocks_fence(
; CHECK: call void @llvm.x86.sse2.mfence()
define void @fence() {
  call void @llvm.x86.sse2.mfence()
  ret void
}
