; The runtime makes atomic operations. Those that it cannot make stay as they are, between two calls. All know the operation:
; size | kind << 8 (load 0, store 1, read-modify-write 2, compare-exchange 3) | order << 12 | failure order << 16 | change << 20.
; RUN: %pass %s | %check %s
; RUN: %pass -goldilocks-instrument-atomics=0 %s | %check %s --check-prefix=OFF
; OFF-NOT: call void @__goldilocks_atomic
; OFF-NOT: call void @__goldilocks_fence
target triple = "x86_64-pc-linux-gnu"

; 0x2004: acquire load of 4 bytes.
; CHECK-LABEL: define i32 @load(
; CHECK-NEXT: [[LONG:%.*]] = call i64 @__goldilocks_atomic_load4(ptr %p, i32 8196)
; CHECK-NEXT: [[VALUE:%.*]] = trunc i64 [[LONG]] to i32
; CHECK-NEXT: ret i32 [[VALUE]]
define i32 @load(ptr %p) {
  %v = load atomic i32, ptr %p acquire, align 4
  ret i32 %v
}

; Java's unordered is relaxed: 0x0008.
; CHECK-LABEL: define ptr @unordered(
; CHECK-NEXT: [[LONG:%.*]] = call i64 @__goldilocks_atomic_load8(ptr %p, i32 8)
; CHECK-NEXT: [[VALUE:%.*]] = inttoptr i64 [[LONG]] to ptr
; CHECK-NEXT: ret ptr [[VALUE]]
define ptr @unordered(ptr %p) {
  %v = load atomic ptr, ptr %p unordered, align 8
  ret ptr %v
}

; 0x5004: sequentially consistent load of a float.
; CHECK-LABEL: define float @loadf(
; CHECK-NEXT: [[LONG:%.*]] = call i64 @__goldilocks_atomic_load4(ptr %p, i32 20484)
; CHECK-NEXT: [[BITS:%.*]] = trunc i64 [[LONG]] to i32
; CHECK-NEXT: [[VALUE:%.*]] = bitcast i32 [[BITS]] to float
; CHECK-NEXT: ret float [[VALUE]]
define float @loadf(ptr %p) {
  %v = load atomic float, ptr %p seq_cst, align 4
  ret float %v
}

; What is loaded may be where something else is, earlier in the text of the function.
; CHECK-LABEL: define i32 @chase(
; CHECK-NOT: load atomic ptr
; CHECK: [[LONG:%.*]] = call i64 @__goldilocks_atomic_load8(ptr %p
; CHECK-NEXT: inttoptr
; CHECK-NOT: load atomic ptr
; CHECK: }
define i32 @chase(ptr %p) {
entry:
  br label %second
first:
  %x = load i32, ptr %q, align 4
  ret i32 %x
second:
  %q = load atomic ptr, ptr %p acquire, align 8
  br label %first
}

; Nor does the address space of what is loaded have to be the usual one.
; CHECK-LABEL: define ptr addrspace(1) @elsewhere(
; CHECK-NEXT: call void @__goldilocks_atomic_begin(ptr %p, i32 8200)
; CHECK-NEXT: %v = load atomic ptr addrspace(1), ptr %p acquire
define ptr addrspace(1) @elsewhere(ptr %p) {
  %v = load atomic ptr addrspace(1), ptr %p acquire, align 8
  ret ptr addrspace(1) %v
}

; 0x5102: sequentially consistent store.
; CHECK-LABEL: define void @store(
; CHECK-NEXT: call void @__goldilocks_atomic_store2(ptr %p, i64 1, i32 20738)
; CHECK-NEXT: ret void
define void @store(ptr %p) {
  store atomic volatile i16 1, ptr %p seq_cst, align 2
  ret void
}

; 0x3104: release store of a float.
; CHECK-LABEL: define void @storef(
; CHECK-NEXT: call void @__goldilocks_atomic_store4(ptr %p, i64 1065353216, i32 12548)
; CHECK-NEXT: ret void
define void @storef(ptr %p) {
  store atomic float 1.0, ptr %p release, align 4
  ret void
}

; Acquire-release read-modify-writes: 0x104208 adds, 0x204202 subtracts, 0x304208 is an and, 0x404208 an or, 0x504208 an
; exclusive or, 0x4208 an exchange.
; CHECK-LABEL: define i64 @rmw(
; CHECK-NEXT: [[ADDED:%.*]] = call i64 @__goldilocks_atomic_update8(ptr %p, i64 %x, i32 1065480)
; CHECK-NEXT: [[LONG:%.*]] = call i64 @__goldilocks_atomic_update2(ptr %p, i64 3, i32 2114050)
; CHECK-NEXT: [[SHORT:%.*]] = trunc i64 [[LONG]] to i16
; CHECK-NEXT: call i64 @__goldilocks_atomic_update8(ptr %p, i64 %x, i32 3162632)
; CHECK-NEXT: call i64 @__goldilocks_atomic_update8(ptr %p, i64 %x, i32 4211208)
; CHECK-NEXT: call i64 @__goldilocks_atomic_update8(ptr %p, i64 %x, i32 5259784)
; CHECK-NEXT: [[NEW:%.*]] = ptrtoint ptr %q to i64
; CHECK-NEXT: [[OLD:%.*]] = call i64 @__goldilocks_atomic_update8(ptr %p, i64 [[NEW]], i32 16904)
; CHECK-NEXT: [[POINTER:%.*]] = inttoptr i64 [[OLD]] to ptr
; CHECK-NEXT: store atomic
define i64 @rmw(ptr %p, i64 %x, ptr %q) {
  %v = atomicrmw add ptr %p, i64 %x acq_rel, align 8
  %s = atomicrmw sub ptr %p, i16 3 acq_rel, align 2
  %a = atomicrmw and ptr %p, i64 %x acq_rel, align 8
  %o = atomicrmw or ptr %p, i64 %x acq_rel, align 8
  %e = atomicrmw xor ptr %p, i64 %x acq_rel, align 8
  %c = atomicrmw xchg ptr %p, ptr %q acq_rel, align 8
  store atomic i16 %s, ptr %c syncscope("singlethread") release, align 2
  ret i64 %v
}

; 0x604208: not both. 0x704208 and 0x804208: the larger and the smaller of signed numbers, 0x904201 and 0xa04201 of others, here of one byte.
; CHECK-LABEL: define i64 @largest(
; CHECK-NEXT: call i64 @__goldilocks_atomic_update8(ptr %p, i64 1, i32 6308360)
; CHECK-NEXT: [[V:%.*]] = call i64 @__goldilocks_atomic_update8(ptr %p, i64 1, i32 7356936)
; CHECK-NEXT: call i64 @__goldilocks_atomic_update8(ptr %p, i64 -1, i32 8405512)
; CHECK-NEXT: call i64 @__goldilocks_atomic_update1(ptr %p, i64 1, i32 9454081)
; CHECK-NEXT: trunc
; CHECK-NEXT: call i64 @__goldilocks_atomic_update1(ptr %p, i64 255, i32 10502657)
; CHECK-NEXT: trunc
; CHECK-NEXT: ret i64 [[V]]
define i64 @largest(ptr %p) {
  %n = atomicrmw nand ptr %p, i64 1 acq_rel, align 8
  %v = atomicrmw max ptr %p, i64 1 acq_rel, align 8
  %w = atomicrmw min ptr %p, i64 -1 acq_rel, align 8
  %x = atomicrmw umax ptr %p, i8 1 acq_rel, align 1
  %y = atomicrmw umin ptr %p, i8 -1 acq_rel, align 1
  ret i64 %v
}

; Others have no function: 0x4208.
; CHECK-LABEL: define i64 @wrapped(
; CHECK-NEXT: call void @__goldilocks_atomic_begin(ptr %p, i32 16904)
; CHECK-NEXT: %v = atomicrmw uinc_wrap ptr %p, i64 1 acq_rel
; CHECK-NEXT: call void @__goldilocks_atomic_end(ptr %p, i32 16904, i32 1)
define i64 @wrapped(ptr %p) {
  %v = atomicrmw uinc_wrap ptr %p, i64 1 acq_rel, align 8
  ret i64 %v
}

; 0x24301: acquire-release on success, acquire on failure. It has succeeded if the value before is the expected one.
; CHECK-LABEL: define i1 @exchange(
; CHECK-NEXT: [[WANTED:%.*]] = zext i8 %x to i64
; CHECK-NEXT: [[LONG:%.*]] = call i64 @__goldilocks_atomic_compare_exchange1(ptr %p, i64 [[WANTED]], i64 1, i32 148225)
; CHECK-NEXT: [[DONE:%.*]] = icmp eq i64 [[LONG]], [[WANTED]]
; CHECK-NEXT: [[BEFORE:%.*]] = trunc i64 [[LONG]] to i8
; CHECK-NEXT: [[ONE:%.*]] = insertvalue { i8, i1 } poison, i8 [[BEFORE]], 0
; CHECK-NEXT: [[BOTH:%.*]] = insertvalue { i8, i1 } [[ONE]], i1 [[DONE]], 1
; CHECK-NEXT: extractvalue { i8, i1 } [[BOTH]], 1
define i1 @exchange(ptr %p, i8 %x) {
  %pair = cmpxchg weak ptr %p, i8 %x, i8 1 acq_rel acquire, align 1
  %ok = extractvalue { i8, i1 } %pair, 1
  ret i1 %ok
}
; Without a function where pointers are others, the end is told whether it succeeded.
; CHECK-LABEL: define i1 @exchange_elsewhere(
; CHECK-NEXT: call void @__goldilocks_atomic_begin(ptr %p, i32 148232)
; CHECK-NEXT: %pair = cmpxchg
; CHECK-NEXT: [[OK:%.*]] = extractvalue { ptr addrspace(1), i1 } %pair, 1
; CHECK-NEXT: [[SUCCESS:%.*]] = zext i1 [[OK]] to i32
; CHECK-NEXT: call void @__goldilocks_atomic_end(ptr %p, i32 148232, i32 [[SUCCESS]])
define i1 @exchange_elsewhere(ptr %p, ptr addrspace(1) %x) {
  %pair = cmpxchg ptr %p, ptr addrspace(1) %x, ptr addrspace(1) null acq_rel acquire, align 8
  %ok = extractvalue { ptr addrspace(1), i1 } %pair, 1
  ret i1 %ok
}

; Fences: before them, with C11's number of the order.
; CHECK-LABEL: define void @fences(
; CHECK-NEXT: call void @__goldilocks_fence(i32 2)
; CHECK-NEXT: fence acquire
; CHECK-NEXT: call void @__goldilocks_fence(i32 3)
; CHECK-NEXT: fence release
; CHECK-NEXT: call void @__goldilocks_fence(i32 4)
; CHECK-NEXT: fence acq_rel
; CHECK-NEXT: call void @__goldilocks_fence(i32 5)
; CHECK-NEXT: fence seq_cst
; CHECK-NEXT: ret void
define void @fences() {
  fence acquire
  fence release
  fence acq_rel
  fence seq_cst
  ret void
}

; Between a thread and its own signal handlers: nothing.
; CHECK-LABEL: define i32 @signal(
; CHECK-NEXT: fence syncscope("singlethread") seq_cst
; CHECK-NEXT: load atomic i32, ptr %p syncscope("singlethread") acquire
; CHECK-NEXT: ret
define i32 @signal(ptr %p) {
  fence syncscope("singlethread") seq_cst
  %v = load atomic i32, ptr %p syncscope("singlethread") acquire, align 4
  ret i32 %v
}

; Sixteen bytes with cmpxchg16b, 0x5210. Without, and where misaligned, the instruction becomes a call of an
; __atomic_ function, which is tracked by itself.
; CHECK-LABEL: define i128 @wide(
; CHECK-NEXT: call void @__goldilocks_atomic_begin(ptr %p, i32 21008)
define i128 @wide(ptr %p) "target-features"="+cx16,+sse2" {
  %v = atomicrmw xchg ptr %p, i128 1 seq_cst, align 16
  ret i128 %v
}
; CHECK-LABEL: define i128 @wide_call(
; CHECK-NEXT: atomicrmw
define i128 @wide_call(ptr %p) "target-features"="-cx16" {
  %v = atomicrmw xchg ptr %p, i128 1 seq_cst, align 16
  ret i128 %v
}
; CHECK-LABEL: define i32 @misaligned(
; CHECK-NEXT: load atomic
define i32 @misaligned(ptr %p) {
  %v = load atomic i32, ptr %p seq_cst, align 2
  ret i32 %v
}

; An atomic that nobody else can reach synchronizes nobody.
; CHECK-LABEL: define i32 @private(
; CHECK-NOT: call
define i32 @private() {
  %a = alloca i32
  store atomic i32 1, ptr %a release, align 4
  %v = load atomic i32, ptr %a acquire, align 4
  ret i32 %v
}

; CHECK-DAG: declare i64 @__goldilocks_atomic_load4(ptr, i32)
; CHECK-DAG: declare void @__goldilocks_atomic_store4(ptr, i64, i32)
; CHECK-DAG: declare i64 @__goldilocks_atomic_update8(ptr, i64, i32)
; CHECK-DAG: declare i64 @__goldilocks_atomic_compare_exchange1(ptr, i64, i64, i32)
; CHECK-DAG: declare void @__goldilocks_atomic_begin(ptr, i32)
; CHECK-DAG: declare void @__goldilocks_atomic_end(ptr, i32, i32)
; CHECK-DAG: declare void @__goldilocks_fence(i32)
