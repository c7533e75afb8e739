; Checks that earlier ones cover, with nothing in between that could synchronize.
; RUN: %pass %s | %check %s
; RUN: %pass -goldilocks-redundant=0 %s | %check %s --check-prefix=OFF
; RUN: %pass -goldilocks-summaries=0 %s | %check %s --check-prefix=SUM
target triple = "x86_64-pc-linux-gnu"
declare void @unknown()
declare double @llvm.fabs.f64(double)
declare void @llvm.lifetime.start.p0(i64, ptr nocapture)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.x86.sse2.mfence()

; CHECK-LABEL: define i32 @read_read(
; CHECK: call __goldilocks_read4_
; CHECK-NOT: asm
; OFF-LABEL: define i32 @read_read(
; OFF-COUNT-2: call __goldilocks_read4_
define i32 @read_read(ptr %p) {
  %a = load i32, ptr %p
  %b = load volatile i32, ptr %p
  %c = add i32 %a, %b
  ret i32 %c
}

; CHECK-LABEL: define i32 @write_read(
; CHECK: call __goldilocks_write4_
; CHECK-NOT: asm
; OFF-LABEL: define i32 @write_read(
; OFF: call __goldilocks_write4_
; OFF: call __goldilocks_read4_
define i32 @write_read(ptr %p) {
  store i32 1, ptr %p
  %a = load volatile i32, ptr %p
  ret i32 %a
}

; The read is checked as the write that follows.
; CHECK-LABEL: define void @read_write(
; CHECK: call __goldilocks_write4_
; CHECK: load i32
; CHECK-NOT: asm
; CHECK: store i32
; OFF-LABEL: define void @read_write(
; OFF: call __goldilocks_read4_
; OFF: call __goldilocks_write4_
define void @read_write(ptr %p) {
  %a = load i32, ptr %p
  %b = add i32 %a, 1
  store i32 %b, ptr %p
  ret void
}

; Not the same bytes.
; CHECK-LABEL: define i32 @wider(
; CHECK: call __goldilocks_read4_
; CHECK: call __goldilocks_read8_
define i32 @wider(ptr %p) {
  %a = load i32, ptr %p
  %b = load i64, ptr %p
  ret i32 %a
}

; Not the same block: the second may not happen, or in a loop the first may be long ago.
; CHECK-LABEL: define void @blocks(
; CHECK: call __goldilocks_read4_
; CHECK: call __goldilocks_write4_
define void @blocks(ptr %p, i1 %c) {
  %a = load i32, ptr %p
  br i1 %c, label %yes, label %no
yes:
  store i32 1, ptr %p
  br label %no
no:
  ret void
}

; On every way to the second there is a first one, or not.
; CHECK-LABEL: define void @both_ways(
; CHECK: call __goldilocks_write4_
; CHECK: call __goldilocks_write4_
; CHECK: join:
; CHECK-NOT: asm
; CHECK: ret void
define void @both_ways(ptr %p, i1 %c) {
  br i1 %c, label %yes, label %no
yes:
  store i32 1, ptr %p
  br label %join
no:
  store i32 2, ptr %p
  br label %join
join:
  store volatile i32 3, ptr %p
  ret void
}
; CHECK-LABEL: define void @one_way(
; CHECK: call __goldilocks_write4_
; CHECK: join:
; CHECK: call __goldilocks_write4_
; CHECK: ret void
define void @one_way(ptr %p, i1 %c) {
  br i1 %c, label %yes, label %join
yes:
  store i32 1, ptr %p
  br label %join
join:
  store volatile i32 3, ptr %p
  ret void
}
; CHECK-LABEL: define void @one_way_synchronizes(
; CHECK: call __goldilocks_write4_
; CHECK: join:
; CHECK: call __goldilocks_write4_
; CHECK: ret void
define void @one_way_synchronizes(ptr %p, i1 %c) {
  store i32 1, ptr %p
  br i1 %c, label %yes, label %join
yes:
  call void @unknown()
  br label %join
join:
  store volatile i32 3, ptr %p
  ret void
}

; In a loop that synchronizes the second round is another matter than the first one.
; CHECK-LABEL: define void @rounds(
; CHECK: call __goldilocks_write4_
; CHECK: loop:
; CHECK: call __goldilocks_write4_
; CHECK: ret void
define void @rounds(ptr %p, i1 %c) {
  store i32 1, ptr %p
  br label %loop
loop:
  store volatile i32 2, ptr %p
  call void @unknown()
  br i1 %c, label %loop, label %out
out:
  ret void
}

; The same name is another address in the next round.
; CHECK-LABEL: define void @chain(
; CHECK: loop:
; CHECK: call __goldilocks_read8_
; CHECK-NOT: asm
; CHECK: ret void
define void @chain(ptr %list) {
  br label %loop
loop:
  %p = phi ptr [ %list, %0 ], [ %next, %loop ]
  %next = load ptr, ptr %p, align 8
  %again = load volatile ptr, ptr %p, align 8
  %c = icmp eq ptr %next, null
  br i1 %c, label %out, label %loop
out:
  ret void
}

; A part of what was checked, by its constant distance.
; CHECK-LABEL: define void @part(
; CHECK: call __goldilocks_write8_
; CHECK-NOT: asm
; CHECK: ret void
define void @part(ptr %p) {
  store i64 1, ptr %p
  %q = getelementptr inbounds i8, ptr %p, i64 4
  %v = load volatile i32, ptr %q
  ret void
}

; Functions that only compute and access memory, in this module and in no other version,
; CHECK-LABEL: define void @calls_silent(
; CHECK: call __goldilocks_write4_
; CHECK: call void @silent
; CHECK: call i64 @__goldilocks_strlen
; CHECK: call void @says_so
; CHECK-NOT: asm
; CHECK: ret void
; SUM-LABEL: define void @calls_silent(
; SUM: call __goldilocks_write4_
; SUM: call void @silent
; SUM: call __goldilocks_write4_
define void @calls_silent(ptr %p, ptr %q) {
  store i32 1, ptr %p
  call void @silent(ptr %q, i32 3)
  store volatile i32 2, ptr %p
  %l = call i64 @strlen(ptr %q)
  call void @says_so()
  store volatile i32 3, ptr %p
  ret void
}
define internal void @silent(ptr %q, i32 %n) noinline {
  store i32 %n, ptr %q
  %c = icmp eq i32 %n, 0
  br i1 %c, label %out, label %again
again:
  %m = sub i32 %n, 1
  call void @silent(ptr %q, i32 %m)
  br label %out
out:
  ret void
}
declare i64 @strlen(ptr)
declare void @says_so() nosync nofree
; or not so.
; CHECK-LABEL: define void @calls_others(
; CHECK: call __goldilocks_write4_
; CHECK: call void @another_version
; CHECK: call __goldilocks_write4_
; CHECK: call void @indirectly
; CHECK: call __goldilocks_write4_
; CHECK: call void %f()
; CHECK: call __goldilocks_write4_
; CHECK: call void @free(
; CHECK: call __goldilocks_write4_
define void @calls_others(ptr %p, ptr %q, ptr %f) {
  store i32 1, ptr %p
  call void @another_version(ptr %q)
  store volatile i32 2, ptr %p
  call void @indirectly()
  store volatile i32 3, ptr %p
  call void %f()
  store volatile i32 4, ptr %p
  call void @free(ptr %q)
  store volatile i32 5, ptr %p
  ret void
}
define linkonce_odr void @another_version(ptr %q) noinline {
  store i32 1, ptr %q
  ret void
}
define internal void @indirectly() noinline {
  call void @unknown()
  ret void
}
declare void @free(ptr)

; A read and a write after a call that may not return: the write may never happen.
; CHECK-LABEL: define void @may_leave(
; CHECK: call __goldilocks_read4_
; CHECK: call void @says_so
; CHECK: call __goldilocks_write4_
define void @may_leave(ptr %p) {
  %v = load volatile i32, ptr %p
  call void @says_so()
  store i32 1, ptr %p
  ret void
}

; A call may synchronize, or not return.
; CHECK-LABEL: define void @call(
; CHECK: call __goldilocks_read4_
; CHECK: call void @unknown()
; CHECK: call __goldilocks_write4_
define void @call(ptr %p) {
  %a = load i32, ptr %p
  call void @unknown()
  store i32 1, ptr %p
  ret void
}

; Atomics and fences synchronize.
; CHECK-LABEL: define void @atomic(
; CHECK: call __goldilocks_write4_
; CHECK: call void @__goldilocks_atomic_store4(
; CHECK: call __goldilocks_write4_
; CHECK: fence
; CHECK: call __goldilocks_write4_
define void @atomic(ptr %p, ptr %flag) {
  store i32 1, ptr %p
  store atomic i32 1, ptr %flag release, align 4
  store i32 2, ptr %p
  fence acquire
  store i32 3, ptr %p
  ret void
}

; So may assembly and intrinsics that are not known.
; CHECK-LABEL: define void @assembly(
; CHECK: call __goldilocks_write4_
; CHECK: call __goldilocks_write4_
; CHECK: call __goldilocks_write4_
define void @assembly(ptr %p) {
  store i32 1, ptr %p
  call void asm sideeffect "lock; incl 0", "~{memory}"()
  store i32 2, ptr %p
  call void @llvm.x86.sse2.mfence()
  store i32 3, ptr %p
  ret void
}

; Arithmetic does not.
; CHECK-LABEL: define double @pure(
; CHECK: call __goldilocks_read8_
; CHECK-NOT: asm
; CHECK: ret
define double @pure(ptr %p) {
  %a = load double, ptr %p
  %b = call double @llvm.fabs.f64(double %a)
  %c = load volatile double, ptr %p
  %d = fadd double %b, %c
  ret double %d
}

; The write is on another line: its check, which names that line, comes before the read and serves for both.
; CHECK-LABEL: define void @lines(
; CHECK: call __goldilocks_write4_{{.*}} !dbg [[LATER:![0-9]+]]
; CHECK: load i32, ptr %p, {{.*}}!dbg [[EARLIER:![0-9]+]]
; CHECK-NOT: asm
; CHECK: store i32 1, ptr %p, {{.*}}!dbg [[LATER]]
define void @lines(ptr %p) !dbg !4 {
  %a = load i32, ptr %p, !dbg !5
  store i32 1, ptr %p, !dbg !6
  ret void, !dbg !6
}

; On one line, the check takes the position of the write.
; CHECK-LABEL: define void @line(
; CHECK: call __goldilocks_write4_{{.*}} !dbg [[WRITE:![0-9]+]]
; CHECK: load i32, ptr %p, {{.*}}!dbg [[READ:![0-9]+]]
; CHECK-NOT: asm
; CHECK: store i32 1, ptr %p, {{.*}}!dbg [[WRITE]]
define void @line(ptr %p) !dbg !7 {
  %a = load i32, ptr %p, !dbg !8
  store i32 1, ptr %p, !dbg !9
  ret void, !dbg !9
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "lines", file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DILocation(line: 2, column: 1, scope: !4)
!6 = !DILocation(line: 3, column: 1, scope: !4)
!7 = distinct !DISubprogram(name: "line", file: !1, line: 6, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DILocation(line: 7, column: 9, scope: !7)
!9 = !DILocation(line: 7, column: 5, scope: !7)
