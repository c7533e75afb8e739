; Vector accesses of some lanes: exactly the active ones are checked.
; RUN: %pass %s | %check %s
target triple = "x86_64-pc-linux-gnu"
declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, i32, <4 x i1>, <4 x i32>)
declare void @llvm.masked.store.v2i64.p0(<2 x i64>, ptr, i32, <2 x i1>)
declare <2 x i32> @llvm.masked.gather.v2i32.v2p0(<2 x ptr>, i32, <2 x i1>, <2 x i32>)
declare void @llvm.masked.scatter.v2i16.v2p0(<2 x i16>, <2 x ptr>, i32, <2 x i1>)
declare <8 x i16> @llvm.masked.expandload.v8i16(ptr, <8 x i1>, <8 x i16>)
declare void @llvm.masked.compressstore.v8i16(<8 x i16>, ptr, <8 x i1>)

; One range if all lanes are active, else one per lane, empty if the lane is not.
; CHECK-LABEL: define <4 x i32> @load(
; CHECK-NEXT: [[BITS:%.*]] = bitcast <4 x i1> %m to i4
; CHECK-NEXT: [[SOME:%.*]] = icmp ne i4 [[BITS]], -1
; CHECK-NEXT: [[SIZE:%.*]] = select i1 [[SOME]], i64 0, i64 16
; CHECK-NEXT: call void @__goldilocks_read_range(ptr %p, i64 [[SIZE]])
; CHECK-NEXT: br i1 [[SOME]]
; CHECK: [[M0:%.*]] = extractelement <4 x i1> %m, i32 0
; CHECK-NEXT: [[S0:%.*]] = select i1 [[M0]], i64 4, i64 0
; CHECK-NEXT: call void @__goldilocks_read_range(ptr %p, i64 [[S0]])
; CHECK: getelementptr i8, ptr %p, i64 12
; CHECK-NEXT: extractelement <4 x i1> %m, i32 3
; CHECK: call void @__goldilocks_read_range(
; CHECK: br label
; CHECK: call <4 x i32> @llvm.masked.load
define <4 x i32> @load(ptr %p, <4 x i1> %m, <4 x i32> %v) {
  %r = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %p, i32 4, <4 x i1> %m, <4 x i32> %v)
  ret <4 x i32> %r
}

; CHECK-LABEL: define void @store(
; CHECK: select i1 {{%.*}}, i64 0, i64 16
; CHECK: call void @__goldilocks_write_range(
; CHECK: select i1 {{%.*}}, i64 8, i64 0
; CHECK: call void @__goldilocks_write_range(
; CHECK: call void @llvm.masked.store
define void @store(ptr %p, <2 x i1> %m, <2 x i64> %v) {
  call void @llvm.masked.store.v2i64.p0(<2 x i64> %v, ptr %p, i32 8, <2 x i1> %m)
  ret void
}

; CHECK-LABEL: define <2 x i32> @gather(
; CHECK-NEXT: [[P0:%.*]] = extractelement <2 x ptr> %p, i32 0
; CHECK-NEXT: [[M0:%.*]] = extractelement <2 x i1> %m, i32 0
; CHECK-NEXT: [[S0:%.*]] = select i1 [[M0]], i64 4, i64 0
; CHECK-NEXT: call void @__goldilocks_read_range(ptr [[P0]], i64 [[S0]])
; CHECK-NEXT: [[P1:%.*]] = extractelement <2 x ptr> %p, i32 1
; CHECK: call void @__goldilocks_read_range(ptr [[P1]],
; CHECK: call <2 x i32> @llvm.masked.gather
define <2 x i32> @gather(<2 x ptr> %p, <2 x i1> %m, <2 x i32> %v) {
  %r = call <2 x i32> @llvm.masked.gather.v2i32.v2p0(<2 x ptr> %p, i32 4, <2 x i1> %m, <2 x i32> %v)
  ret <2 x i32> %r
}

; Known lanes leave constants.
; CHECK-LABEL: define void @scatter(
; CHECK: call void @__goldilocks_write_range(ptr {{%.*}}, i64 0)
; CHECK: call void @__goldilocks_write_range(ptr {{%.*}}, i64 2)
define void @scatter(<2 x ptr> %p, <2 x i16> %v) {
  call void @llvm.masked.scatter.v2i16.v2p0(<2 x i16> %v, <2 x ptr> %p, i32 2, <2 x i1> <i1 false, i1 true>)
  ret void
}

; CHECK-LABEL: define <8 x i16> @expand(
; CHECK: [[BITS:%.*]] = bitcast <8 x i1> %m to i8
; CHECK-NEXT: [[COUNT:%.*]] = call i8 @llvm.ctpop.i8(i8 [[BITS]])
; CHECK-NEXT: [[WIDE:%.*]] = zext i8 [[COUNT]] to i64
; CHECK-NEXT: [[SIZE:%.*]] = mul i64 [[WIDE]], 2
; CHECK-NEXT: call void @__goldilocks_read_range(ptr %p, i64 [[SIZE]])
define <8 x i16> @expand(ptr %p, <8 x i1> %m, <8 x i16> %v) {
  %r = call <8 x i16> @llvm.masked.expandload.v8i16(ptr %p, <8 x i1> %m, <8 x i16> %v)
  ret <8 x i16> %r
}

; CHECK-LABEL: define void @compress(
; CHECK: call i8 @llvm.ctpop.i8
; CHECK: call void @__goldilocks_write_range(ptr %p,
define void @compress(ptr %p, <8 x i1> %m, <8 x i16> %v) {
  call void @llvm.masked.compressstore.v8i16(<8 x i16> %v, ptr %p, <8 x i1> %m)
  ret void
}

; A private one.
; CHECK-LABEL: define <4 x i32> @private(
; CHECK-NOT: __goldilocks
; CHECK: ret
define <4 x i32> @private(<4 x i1> %m, <4 x i32> %v) {
  %p = alloca <4 x i32>
  %r = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %p, i32 4, <4 x i1> %m, <4 x i32> %v)
  ret <4 x i32> %r
}
