; Atomic instructions in assembly. Those that are recognized are bracketed like the compiler's own; everything else in assembly is not seen.
; RUN: %pass %s | %check %s
; RUN: %pass -goldilocks-instrument-atomics=0 %s | %check %s --check-prefix=OFF
; OFF-NOT: call{{.*}}__goldilocks
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @counter(
; CHECK: call void @__goldilocks_atomic_begin(ptr %p, i32 20996)
; CHECK-NEXT: call void asm sideeffect
; CHECK-NEXT: call void @__goldilocks_atomic_end(ptr %p, i32 20996, i32 1)
define void @counter(ptr %p, ptr %q, i64 %v, i32 %w, i16 %h, i8 %b) {
  call void asm sideeffect "lock incl $0", "=*m,*m,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %p, ptr elementtype(i32) %p)
  ret void
}

; CHECK-LABEL: define i64 @adds(
; CHECK: call void @__goldilocks_atomic_begin(ptr %p, i32 21000)
; CHECK-NEXT: call i64 asm sideeffect
; CHECK-NEXT: call void @__goldilocks_atomic_end(ptr %p, i32 21000, i32 1)
define i64 @adds(ptr %p, ptr %q, i64 %v, i32 %w, i16 %h, i8 %b) {
  %r = call i64 asm sideeffect "lock; xaddq $0, $1", "=r,=*m,0,*m,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i64) %p, i64 %v, ptr elementtype(i64) %p)
  ret i64 %r
}

; CHECK-LABEL: define i32 @by_register(
; CHECK: call void @__goldilocks_atomic_begin(ptr %p, i32 20996)
; CHECK-NEXT: call i32 asm sideeffect
; CHECK-NEXT: call void @__goldilocks_atomic_end(ptr %p, i32 20996, i32 1)
define i32 @by_register(ptr %p, ptr %q, i64 %v, i32 %w, i16 %h, i8 %b) {
  %r = call i32 asm sideeffect "lock\0A\09xaddl ${0:k},($1)", "=r,r,0,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr %p, i32 %w)
  ret i32 %r
}

; CHECK-LABEL: define i8 @compares(
; CHECK: call void @__goldilocks_atomic_begin(ptr %p, i32 21000)
; CHECK-NEXT: call i8 asm sideeffect
; CHECK-NEXT: call void @__goldilocks_atomic_end(ptr %p, i32 21000, i32 1)
define i8 @compares(ptr %p, ptr %q, i64 %v, i32 %w, i16 %h, i8 %b) {
  %r = call i8 asm sideeffect "lock cmpxchgq $3,$1\0A\09sete $0 # done", "=q,=*m,{ax},r,*m,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i64) %p, i64 %v, i64 %v, ptr elementtype(i64) %p)
  ret i8 %r
}

; Sixteen bytes, whatever the operand is said to have; what it compares with may be read before.
; CHECK-LABEL: define i8 @compares_pair(
; CHECK: call void @__goldilocks_atomic_begin(ptr %p, i32 21008)
; CHECK-NEXT: call i8 asm sideeffect
; CHECK-NEXT: call void @__goldilocks_atomic_end(ptr %p, i32 21008, i32 1)
define i8 @compares_pair(ptr %p, ptr %q, i64 %v, i32 %w, i16 %h, i8 %b) {
  %r = call i8 asm sideeffect "movq 0($4), %rax;movq 8($4), %rdx;lock cmpxchg16b $0; setz $1", "=*m,=q,{bx},{cx},q,*m,~{memory},~{cc},~{rax},~{rdx},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i64) %p, i64 %v, i64 %v, ptr %q, ptr elementtype(i64) %p)
  ret i8 %r
}

; CHECK-LABEL: define i16 @exchanges(
; CHECK: call void @__goldilocks_atomic_begin(ptr %p, i32 20994)
; CHECK-NEXT: call i16 asm sideeffect
; CHECK-NEXT: call void @__goldilocks_atomic_end(ptr %p, i32 20994, i32 1)
define i16 @exchanges(ptr %p, ptr %q, i64 %v, i32 %w, i16 %h, i8 %b) {
  %r = call i16 asm sideeffect "xchg $0, $1", "=r,=*m,0,*m,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i16) %p, i16 %h, ptr elementtype(i16) %p)
  ret i16 %r
}

; CHECK-LABEL: define i8 @exchanges_byte(
; CHECK: call void @__goldilocks_atomic_begin(ptr %p, i32 20993)
; CHECK-NEXT: call i8 asm sideeffect
; CHECK-NEXT: call void @__goldilocks_atomic_end(ptr %p, i32 20993, i32 1)
define i8 @exchanges_byte(ptr %p, ptr %q, i64 %v, i32 %w, i16 %h, i8 %b) {
  %r = call i8 asm sideeffect "xchgb ${0:b},$1", "=q,=*m,0,*m,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i8) %p, i8 %b, ptr elementtype(i8) %p)
  ret i8 %r
}

; CHECK-LABEL: define i32 @loads(
; CHECK: call void @__goldilocks_atomic_begin(ptr %q, i32 8196)
; CHECK-NEXT: call i32 asm sideeffect
; CHECK-NEXT: call void @__goldilocks_atomic_end(ptr %q, i32 8196, i32 1)
define i32 @loads(ptr %p, ptr %q, i64 %v, i32 %w, i16 %h, i8 %b) {
  %r = call i32 asm sideeffect "movl $1, $0", "=r,*m,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %q)
  ret i32 %r
}

; CHECK-LABEL: define void @stores(
; CHECK: call void @__goldilocks_atomic_begin(ptr %p, i32 12552)
; CHECK-NEXT: call void asm sideeffect
; CHECK-NEXT: call void @__goldilocks_atomic_end(ptr %p, i32 12552, i32 1)
define void @stores(ptr %p, ptr %q, i64 %v, i32 %w, i16 %h, i8 %b) {
  call void asm sideeffect "movq $1, $0", "=*m,r,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i64) %p, i64 %v)
  ret void
}

; CHECK-LABEL: define void @stores_constant(
; CHECK: call void @__goldilocks_atomic_begin(ptr %p, i32 12545)
; CHECK-NEXT: call void asm sideeffect
; CHECK-NEXT: call void @__goldilocks_atomic_end(ptr %p, i32 12545, i32 1)
define void @stores_constant(ptr %p, ptr %q, i64 %v, i32 %w, i16 %h, i8 %b) {
  call void asm sideeffect "movb $$0, $0", "=*m,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i8) %p)
  ret void
}

; CHECK-LABEL: define void @pauses(
; CHECK: call void @__goldilocks_atomic_begin(ptr %p, i32 20996)
; CHECK-NEXT: call void asm sideeffect
; CHECK-NEXT: call void @__goldilocks_atomic_end(ptr %p, i32 20996, i32 1)
define void @pauses(ptr %p, ptr %q, i64 %v, i32 %w, i16 %h, i8 %b) {
  call void asm sideeffect "pause; lock; orl $$1, $0;", "=*m,*m,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %p, ptr elementtype(i32) %p)
  ret void
}

; CHECK-LABEL: define void @nothing(
; CHECK-NOT: call{{.*}}__goldilocks
; CHECK: asm sideeffect
; CHECK-NOT: call{{.*}}__goldilocks
; CHECK: ret
define void @nothing(ptr %p, ptr %q, i64 %v, i32 %w, i16 %h, i8 %b) {
  call void asm sideeffect "", "=*m,*m,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %p, ptr elementtype(i32) %p)
  ret void
}

; CHECK-LABEL: define void @pause_alone(
; CHECK-NOT: call{{.*}}__goldilocks
; CHECK: asm sideeffect
; CHECK-NOT: call{{.*}}__goldilocks
; CHECK: ret
define void @pause_alone(ptr %p, ptr %q, i64 %v, i32 %w, i16 %h, i8 %b) {
  call void asm sideeffect "pause", "~{memory},~{dirflag},~{fpsr},~{flags}"()
  ret void
}

; CHECK-LABEL: define void @fence(
; CHECK: call void @__goldilocks_fence(i32 5)
; CHECK-NEXT: call void asm sideeffect
define void @fence(ptr %p, ptr %q, i64 %v, i32 %w, i16 %h, i8 %b) {
  call void asm sideeffect "mfence", "~{memory},~{dirflag},~{fpsr},~{flags}"()
  ret void
}

; CHECK-LABEL: define void @fence_of_stack(
; CHECK: call void @__goldilocks_fence(i32 5)
; CHECK-NEXT: call void asm sideeffect
define void @fence_of_stack(ptr %p, ptr %q, i64 %v, i32 %w, i16 %h, i8 %b) {
  call void asm sideeffect "lock; addl $$0,0(%rsp)", "~{memory},~{dirflag},~{fpsr},~{flags}"()
  ret void
}

; CHECK-LABEL: define void @fence_below(
; CHECK: call void @__goldilocks_fence(i32 5)
; CHECK-NEXT: call void asm sideeffect
define void @fence_below(ptr %p, ptr %q, i64 %v, i32 %w, i16 %h, i8 %b) {
  call void asm sideeffect "lock orq $$0x0, -8(%rsp)\0A", "~{memory},~{dirflag},~{fpsr},~{flags}"()
  ret void
}

; CHECK-LABEL: define void @no_fence(
; CHECK-NOT: call{{.*}}__goldilocks
; CHECK: ret
define void @no_fence(ptr %p, ptr %q, i64 %v, i32 %w, i16 %h, i8 %b) {
  call void asm sideeffect "lock; addl $$1,0(%rsp)", "~{memory},~{dirflag},~{fpsr},~{flags}"()
  ret void
}

; CHECK-LABEL: define void @store_fence(
; CHECK-NOT: call{{.*}}__goldilocks
; CHECK: ret
define void @store_fence(ptr %p, ptr %q, i64 %v, i32 %w, i16 %h, i8 %b) {
  call void asm sideeffect "sfence", "~{memory},~{dirflag},~{fpsr},~{flags}"()
  ret void
}

; CHECK-LABEL: define void @fence_and_more(
; CHECK-NOT: call{{.*}}__goldilocks
; CHECK: ret
define void @fence_and_more(ptr %p, ptr %q, i64 %v, i32 %w, i16 %h, i8 %b) {
  call void asm sideeffect "mfence; incl 0(%rsp)", "~{memory},~{dirflag},~{fpsr},~{flags}"()
  ret void
}

; CHECK-LABEL: define void @register_itself(
; CHECK-NOT: call{{.*}}__goldilocks
; CHECK: asm sideeffect
; CHECK-NOT: call{{.*}}__goldilocks
; CHECK: ret
define void @register_itself(ptr %p, ptr %q, i64 %v, i32 %w, i16 %h, i8 %b) {
  call void asm sideeffect "lock incl (%rax)", "{ax},~{memory},~{dirflag},~{fpsr},~{flags}"(ptr %p)
  ret void
}

; CHECK-LABEL: define void @symbol(
; CHECK-NOT: call{{.*}}__goldilocks
; CHECK: asm sideeffect
; CHECK-NOT: call{{.*}}__goldilocks
; CHECK: ret
define void @symbol(ptr %p, ptr %q, i64 %v, i32 %w, i16 %h, i8 %b) {
  call void asm sideeffect "lock incl counter", "~{memory},~{dirflag},~{fpsr},~{flags}"()
  ret void
}

; CHECK-LABEL: define void @offset(
; CHECK-NOT: call{{.*}}__goldilocks
; CHECK: asm sideeffect
; CHECK-NOT: call{{.*}}__goldilocks
; CHECK: ret
define void @offset(ptr %p, ptr %q, i64 %v, i32 %w, i16 %h, i8 %b) {
  call void asm sideeffect "lock incl 8($0)", "r,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr %p)
  ret void
}

; CHECK-LABEL: define void @not_locked(
; CHECK-NOT: call{{.*}}__goldilocks
; CHECK: asm sideeffect
; CHECK-NOT: call{{.*}}__goldilocks
; CHECK: ret
define void @not_locked(ptr %p, ptr %q, i64 %v, i32 %w, i16 %h, i8 %b) {
  call void asm sideeffect "incl $0", "=*m,*m,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %p, ptr elementtype(i32) %p)
  ret void
}

; CHECK-LABEL: define ptr @address(
; CHECK-NOT: call{{.*}}__goldilocks
; CHECK: asm sideeffect
; CHECK-NOT: call{{.*}}__goldilocks
; CHECK: ret
define ptr @address(ptr %p, ptr %q, i64 %v, i32 %w, i16 %h, i8 %b) {
  %r = call ptr asm sideeffect "leaq $1, $0", "=r,*m,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %p)
  ret ptr %r
}

; CHECK-LABEL: define void @prefetch(
; CHECK-NOT: call{{.*}}__goldilocks
; CHECK: asm sideeffect
; CHECK-NOT: call{{.*}}__goldilocks
; CHECK: ret
define void @prefetch(ptr %p, ptr %q, i64 %v, i32 %w, i16 %h, i8 %b) {
  call void asm sideeffect "prefetcht0 $0", "*m,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %p)
  ret void
}

; CHECK-LABEL: define void @two(
; CHECK-NOT: call{{.*}}__goldilocks
; CHECK: asm sideeffect
; CHECK-NOT: call{{.*}}__goldilocks
; CHECK: ret
define void @two(ptr %p, ptr %q, i64 %v, i32 %w, i16 %h, i8 %b) {
  call void asm sideeffect "lock incl $0; lock incl $1", "=*m,=*m,*m,*m,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %p, ptr elementtype(i32) %q, ptr elementtype(i32) %p, ptr elementtype(i32) %q)
  ret void
}

; CHECK-LABEL: define void @two_stores(
; CHECK-NOT: call{{.*}}__goldilocks
; CHECK: asm sideeffect
; CHECK-NOT: call{{.*}}__goldilocks
; CHECK: ret
define void @two_stores(ptr %p, ptr %q, i64 %v, i32 %w, i16 %h, i8 %b) {
  call void asm sideeffect "movl $$1, $0; movl $$2, $0", "=*m,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %p)
  ret void
}

; CHECK-LABEL: define void @loop(
; CHECK-NOT: call{{.*}}__goldilocks
; CHECK: asm sideeffect
; CHECK-NOT: call{{.*}}__goldilocks
; CHECK: ret
define void @loop(ptr %p, ptr %q, i64 %v, i32 %w, i16 %h, i8 %b) {
  call void asm sideeffect "1: lock decb $0; js 1b", "=*m,*m,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i8) %p, ptr elementtype(i8) %p)
  ret void
}

; CHECK-LABEL: define void @jump(
; CHECK-NOT: call{{.*}}__goldilocks
; CHECK: asm sideeffect
; CHECK-NOT: call{{.*}}__goldilocks
; CHECK: ret
define void @jump(ptr %p, ptr %q, i64 %v, i32 %w, i16 %h, i8 %b) {
  call void asm sideeffect "lock decb $0; js elsewhere", "=*m,*m,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i8) %p, ptr elementtype(i8) %p)
  ret void
}

; CHECK-LABEL: define void @string(
; CHECK-NOT: call{{.*}}__goldilocks
; CHECK: asm sideeffect
; CHECK-NOT: call{{.*}}__goldilocks
; CHECK: ret
define void @string(ptr %p, ptr %q, i64 %v, i32 %w, i16 %h, i8 %b) {
  call void asm sideeffect "rep movsb", "=*m,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i8) %p)
  ret void
}

; CHECK-LABEL: define void @bytes_of_code(
; CHECK-NOT: call{{.*}}__goldilocks
; CHECK: asm sideeffect
; CHECK-NOT: call{{.*}}__goldilocks
; CHECK: ret
define void @bytes_of_code(ptr %p, ptr %q, i64 %v, i32 %w, i16 %h, i8 %b) {
  call void asm sideeffect ".byte 0xf0; incl $0", "=*m,*m,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %p, ptr elementtype(i32) %p)
  ret void
}

; CHECK-LABEL: define void @dialects(
; CHECK-NOT: call{{.*}}__goldilocks
; CHECK: asm sideeffect
; CHECK-NOT: call{{.*}}__goldilocks
; CHECK: ret
define void @dialects(ptr %p, ptr %q, i64 %v, i32 %w, i16 %h, i8 %b) {
  call void asm sideeffect "lock $(incl $0$|inc dword ptr $0$)", "=*m,*m,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %p, ptr elementtype(i32) %p)
  ret void
}

; CHECK-LABEL: define void @bit(
; CHECK-NOT: call{{.*}}__goldilocks
; CHECK: asm sideeffect
; CHECK-NOT: call{{.*}}__goldilocks
; CHECK: ret
define void @bit(ptr %p, ptr %q, i64 %v, i32 %w, i16 %h, i8 %b) {
  call void asm sideeffect "lock bts $1, $0", "=*m,r,*m,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %p, i32 %w, ptr elementtype(i32) %p)
  ret void
}

; Without the clobber, the compiler may move other accesses across.
; CHECK-LABEL: define void @free_to_move(
; CHECK-NOT: call{{.*}}__goldilocks
; CHECK: ret void
define void @free_to_move(ptr %p, ptr %q, i64 %v, i32 %w, i16 %h, i8 %b) {
  call void asm sideeffect "lock incl $0", "=*m,*m,~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %p, ptr elementtype(i32) %p)
  ret void
}

; CHECK-LABEL: define void @intel(
; CHECK-NOT: call{{.*}}__goldilocks
; CHECK: ret void
define void @intel(ptr %p, ptr %q, i64 %v, i32 %w, i16 %h, i8 %b) {
  call void asm sideeffect inteldialect "lock inc dword ptr $0", "=*m,*m,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %p, ptr elementtype(i32) %p)
  ret void
}
