; Accesses of loops that are checked once, before the loop, and those that must stay where they are.
; RUN: %pass -goldilocks-alone=0 %s | %check %s
; RUN: %pass -goldilocks-loops=0 %s | %check %s --check-prefix=OFF
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
declare void @unknown()
declare void @quiet() nosync nofree nounwind willreturn
declare void @throws() nosync nofree willreturn
declare double @sin(double)
declare void @free(ptr)

; A range without gaps.
; CHECK-LABEL: define void @dense(
; CHECK: entry:
; CHECK: [[BYTES:%.*]] = shl i64 %n, 3
; CHECK: call void @__goldilocks_write_range(ptr %p, i64 [[BYTES]])
; CHECK: loop:
; CHECK-NOT: asm
; CHECK-NOT: __goldilocks
; CHECK: ret void
; OFF-LABEL: define void @dense(
; OFF: loop:
; OFF: call __goldilocks_write8_
define void @dense(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr inbounds i64, ptr %p, i64 %i
  store i64 %i, ptr %q, align 8
  %next = add nuw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

; Backwards: the range starts where the loop ends.
; CHECK-LABEL: define void @backwards(
; CHECK: [[START:%.*]] = getelementptr i8, ptr %p, i64 -392
; CHECK: call void @__goldilocks_read_range(ptr [[START]], i64 400)
; CHECK: loop:
; CHECK-NOT: asm
; CHECK: ret void
define void @backwards(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr inbounds i64, ptr %p, i64 %i
  %v = load volatile i64, ptr %q, align 8
  %next = add nsw i64 %i, -1
  %more = icmp ne i64 %next, -50
  br i1 %more, label %loop, label %out
out:
  ret void
}

; A loop that tests first may have no round, and then reads nothing: zero bytes.
; CHECK-LABEL: define void @tested_first(
; CHECK: entry:
; CHECK: [[BYTES:%.*]] = shl i64 %n, 3
; CHECK: call void @__goldilocks_read_range(ptr %p, i64 [[BYTES]])
; CHECK: br label %head
; CHECK-NOT: asm
; CHECK: ret void
define void @tested_first(ptr %p, i64 %n) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %out
body:
  %q = getelementptr inbounds i64, ptr %p, i64 %i
  %v = load volatile i64, ptr %q, align 8
  %next = add nuw i64 %i, 1
  br label %head
out:
  ret void
}

; The one place that a loop that tests first accesses: there may be no round.
; CHECK-LABEL: define void @maybe_once(
; CHECK: body:
; CHECK: call __goldilocks_read8_
define void @maybe_once(ptr %p, i64 %n) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %out
body:
  %v = load volatile i64, ptr %p, align 8
  %next = add nuw i64 %i, 1
  br label %head
out:
  ret void
}

; Halves that leave no gap together, as the unroller makes them; and every second of them alone, which leaves gaps.
; CHECK-LABEL: define void @together(
; CHECK: call void @__goldilocks_read_range(ptr %p, i64 1600)
; CHECK: loop:
; CHECK-NOT: asm
; CHECK: ret void
define void @together(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr inbounds { i64, i64 }, ptr %p, i64 %i
  %b = getelementptr inbounds i8, ptr %q, i64 8
  %v = load volatile i64, ptr %b, align 8
  %w = load volatile i64, ptr %q, align 8
  %next = add nuw i64 %i, 1
  %more = icmp ne i64 %next, 100
  br i1 %more, label %loop, label %out
out:
  ret void
}
; CHECK-LABEL: define void @gaps(
; CHECK-NOT: call void @__goldilocks_read_range
; CHECK: call void @__goldilocks_read_rows(ptr %p, i64 100, i64 16, i64 8)
; CHECK: ret void
define void @gaps(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr inbounds { i64, i64 }, ptr %p, i64 %i
  %v = load volatile i64, ptr %q, align 8
  %next = add nuw i64 %i, 1
  %more = icmp ne i64 %next, 100
  br i1 %more, label %loop, label %out
out:
  ret void
}

; Each round reads what the next one reads again: the bytes at both ends are part of it.
; CHECK-LABEL: define void @overlapping(
; CHECK: call void @__goldilocks_read_range(ptr %p, i64 804)
; CHECK: loop:
; CHECK-NOT: asm
; CHECK: ret void
define void @overlapping(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr inbounds i32, ptr %p, i64 %i
  %v = load volatile i64, ptr %q, align 4
  %next = add nuw i64 %i, 1
  %more = icmp ne i64 %next, 200
  br i1 %more, label %loop, label %out
out:
  ret void
}

; Two kinds of accesses are two ranges.
; CHECK-LABEL: define void @copy(
; CHECK-DAG: call void @__goldilocks_read_range(ptr %q, i64 800)
; CHECK-DAG: call void @__goldilocks_write_range(ptr %p, i64 800)
; CHECK: loop:
; CHECK-NOT: asm
; CHECK: ret void
define void @copy(ptr %p, ptr %q) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr inbounds i64, ptr %q, i64 %i
  %b = getelementptr inbounds i64, ptr %p, i64 %i
  %v = load i64, ptr %a, align 8
  store i64 %v, ptr %b, align 8
  %next = add nuw i64 %i, 1
  %more = icmp ne i64 %next, 100
  br i1 %more, label %loop, label %out
out:
  ret void
}

; A matrix whose rows have nothing between them; a few bytes are checked in line.
; CHECK-LABEL: define void @rows(
; CHECK: call void @__goldilocks_write_range(ptr %p, i64 8000)
; CHECK: rows:
; CHECK-NOT: asm
; CHECK: ret void
define void @rows(ptr %p) {
entry:
  br label %rows
rows:
  %i = phi i64 [ 0, %entry ], [ %next_i, %row ]
  br label %columns
columns:
  %j = phi i64 [ 0, %rows ], [ %next_j, %columns ]
  %q = getelementptr inbounds [10 x i64], ptr %p, i64 %i, i64 %j
  store i64 1, ptr %q, align 8
  %next_j = add nuw i64 %j, 1
  %more_j = icmp ne i64 %next_j, 10
  br i1 %more_j, label %columns, label %row
row:
  %next_i = add nuw i64 %i, 1
  %more_i = icmp ne i64 %next_i, 100
  br i1 %more_i, label %rows, label %out
out:
  ret void
}

; Rows with something between them stay rows.
; CHECK-LABEL: define void @parts_of_rows(
; CHECK: rows:
; CHECK: call void @__goldilocks_write_range(ptr {{.*}}, i64 72)
; CHECK: columns:
; CHECK-NOT: asm
; CHECK: ret void
define void @parts_of_rows(ptr %p) {
entry:
  br label %rows
rows:
  %i = phi i64 [ 0, %entry ], [ %next_i, %row ]
  br label %columns
columns:
  %j = phi i64 [ 0, %rows ], [ %next_j, %columns ]
  %q = getelementptr inbounds [10 x i64], ptr %p, i64 %i, i64 %j
  store i64 1, ptr %q, align 8
  %next_j = add nuw i64 %j, 1
  %more_j = icmp ne i64 %next_j, 9
  br i1 %more_j, label %columns, label %row
row:
  %next_i = add nuw i64 %i, 1
  %more_i = icmp ne i64 %next_i, 100
  br i1 %more_i, label %rows, label %out
out:
  ret void
}

; The same bytes on all ways through a round: whichever is taken, they are checked, so that the rows become one range.
; CHECK-LABEL: define void @alternatives(
; CHECK: call void @__goldilocks_write_range(ptr %p, i64 8000)
; CHECK: rows:
; CHECK-NOT: asm
; CHECK-NOT: __goldilocks
; CHECK: ret void
define void @alternatives(ptr %p, i1 %c) {
entry:
  br label %rows
rows:
  %i = phi i64 [ 0, %entry ], [ %next_i, %row ]
  br i1 %c, label %left, label %right
left:
  %j = phi i64 [ 0, %rows ], [ %next_j, %left ]
  %q = getelementptr inbounds [10 x i64], ptr %p, i64 %i, i64 %j
  store i64 1, ptr %q, align 8
  %next_j = add nuw i64 %j, 1
  %more_j = icmp ne i64 %next_j, 10
  br i1 %more_j, label %left, label %row
right:
  %k = phi i64 [ 0, %rows ], [ %next_k, %right ]
  %s = getelementptr inbounds [10 x i64], ptr %p, i64 %i, i64 %k
  store i64 2, ptr %s, align 8
  %next_k = add nuw i64 %k, 1
  %more_k = icmp ne i64 %next_k, 10
  br i1 %more_k, label %right, label %row
row:
  %next_i = add nuw i64 %i, 1
  %more_i = icmp ne i64 %next_i, 100
  br i1 %more_i, label %rows, label %out
out:
  ret void
}

; On one of three ways they are not made.
; CHECK-LABEL: define void @not_all(
; CHECK: rows:
; CHECK: left:
; CHECK: call __goldilocks_write4_
; CHECK: right:
; CHECK: call __goldilocks_write4_
; CHECK: ret void
define void @not_all(ptr %p, i32 %c) {
entry:
  br label %rows
rows:
  %i = phi i64 [ 0, %entry ], [ %next_i, %row ]
  switch i32 %c, label %row [ i32 1, label %left
                              i32 2, label %right ]
left:
  store volatile i32 1, ptr %p
  br label %row
right:
  store volatile i32 2, ptr %p
  br label %row
row:
  %next_i = add nuw i64 %i, 1
  %more_i = icmp ne i64 %next_i, 100
  br i1 %more_i, label %rows, label %out
out:
  ret void
}

; One place, whatever ends the loop: the first round is sure to be made.
; CHECK-LABEL: define void @one_place(
; CHECK: entry:
; CHECK: call __goldilocks_write4_
; CHECK: loop:
; CHECK: call __goldilocks_read8_
; CHECK-NOT: call __goldilocks_write4_
; CHECK: ret void
define void @one_place(ptr %p, ptr %list) {
entry:
  br label %loop
loop:
  %at = phi ptr [ %list, %entry ], [ %next, %loop ]
  %next = load ptr, ptr %at, align 8
  store volatile i32 1, ptr %p, align 4
  %end = icmp eq ptr %next, null
  br i1 %end, label %out, label %loop
out:
  ret void
}

; What ends the loop is found in it: the end of the range is not known.
; CHECK-LABEL: define void @early_exit(
; CHECK: entry:
; CHECK-NEXT: br label %loop
; CHECK: call __goldilocks_read8_
define void @early_exit(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %go ]
  %q = getelementptr inbounds i64, ptr %p, i64 %i
  %v = load i64, ptr %q, align 8
  %found = icmp eq i64 %v, 0
  br i1 %found, label %out, label %go
go:
  %next = add nuw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

; Not made in every round.
; CHECK-LABEL: define void @condition(
; CHECK: call void @__goldilocks_read_range(ptr %p, i64 800)
; CHECK: yes:
; CHECK: call __goldilocks_write8_
; CHECK: ret void
define void @condition(ptr %p, ptr %r) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %no ]
  %q = getelementptr inbounds i64, ptr %p, i64 %i
  %v = load i64, ptr %q, align 8
  %c = icmp eq i64 %v, 0
  br i1 %c, label %yes, label %no
yes:
  %s = getelementptr inbounds i64, ptr %r, i64 %i
  store i64 1, ptr %s, align 8
  br label %no
no:
  %next = add nuw i64 %i, 1
  %more = icmp ne i64 %next, 100
  br i1 %more, label %loop, label %out
out:
  ret void
}

; Something in the loop may synchronize, or end it,
; CHECK-LABEL: define void @synchronizes(
; CHECK: loop:
; CHECK: call __goldilocks_write8_
define void @synchronizes(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr inbounds i64, ptr %p, i64 %i
  store i64 1, ptr %q, align 8
  call void @unknown()
  %next = add nuw i64 %i, 1
  %more = icmp ne i64 %next, 100
  br i1 %more, label %loop, label %out
out:
  ret void
}
; CHECK-LABEL: define void @leaves(
; CHECK: loop:
; CHECK: call __goldilocks_write8_
define void @leaves(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr inbounds i64, ptr %p, i64 %i
  store i64 1, ptr %q, align 8
  call void @throws()
  %next = add nuw i64 %i, 1
  %more = icmp ne i64 %next, 100
  br i1 %more, label %loop, label %out
out:
  ret void
}
; CHECK-LABEL: define void @atomic(
; CHECK: loop:
; CHECK: call __goldilocks_write8_
define void @atomic(ptr %p, ptr %flag) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr inbounds i64, ptr %p, i64 %i
  store i64 1, ptr %q, align 8
  store atomic i64 %i, ptr %flag release, align 8
  %next = add nuw i64 %i, 1
  %more = icmp ne i64 %next, 100
  br i1 %more, label %loop, label %out
out:
  ret void
}
; CHECK-LABEL: define void @frees(
; CHECK: loop:
; CHECK: call __goldilocks_write8_
define void @frees(ptr %p, ptr %q) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  store i64 1, ptr %p, align 8
  call void @free(ptr %q)
  %next = add nuw i64 %i, 1
  %more = icmp ne i64 %next, 100
  br i1 %more, label %loop, label %out
out:
  ret void
}
; or is known not to.
; CHECK-LABEL: define void @calm(
; CHECK: call void @__goldilocks_write_range(ptr %p, i64 800)
; CHECK: loop:
; CHECK-NOT: asm
; CHECK: ret void
define void @calm(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr inbounds double, ptr %p, i64 %i
  %d = call double @sin(double 1.0)
  call void @quiet()
  store double %d, ptr %q, align 8
  %next = add nuw i64 %i, 1
  %more = icmp ne i64 %next, 100
  br i1 %more, label %loop, label %out
out:
  ret void
}

; A loop inside may go on for ever, so what comes after it may never happen.
; CHECK-LABEL: define void @waits(
; CHECK: after:
; CHECK: call __goldilocks_write8_
define void @waits(ptr %p, ptr %flag) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %after ]
  br label %spin
spin:
  %f = load volatile i32, ptr %flag, align 4
  %set = icmp ne i32 %f, 0
  br i1 %set, label %after, label %spin
after:
  store i64 1, ptr %p, align 8
  %next = add nuw i64 %i, 1
  %more = icmp ne i64 %next, 100
  br i1 %more, label %loop, label %out
out:
  ret void
}

; Nothing is moved in what is to stay as it was written.
; CHECK-LABEL: define void @unoptimized(
; CHECK: loop:
; CHECK: call __goldilocks_write8_
define void @unoptimized(ptr %p, i64 %n) noinline optnone {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  store i64 %i, ptr %p, align 8
  %next = add nuw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

; An unrolled loop compares a narrower number than the one that it counts by; it is left where they are equal, which scalar evolution cannot prove to come.
; CHECK-LABEL: define void @unrolled_until_equal(
; CHECK: entry:
; CHECK: lshr i64
; CHECK: call void @__goldilocks_read_range(ptr {{.*}}, i64 {{.*}})
; CHECK: loop:
; CHECK-NOT: asm
; CHECK: ret void
; OFF-LABEL: define void @unrolled_until_equal(
; OFF: loop:
; OFF: call __goldilocks_read8_
define void @unrolled_until_equal(ptr %p, i64 %from, i32 %last) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %from, %entry ], [ %next, %loop ]
  %q = getelementptr inbounds i64, ptr %p, i64 %i
  %v = load volatile i64, ptr %q, align 8
  %between = add nsw i64 %i, 1
  %r = getelementptr inbounds i64, ptr %p, i64 %between
  %w = load volatile i64, ptr %r, align 8
  %next = add nsw i64 %i, 2
  %narrow = trunc i64 %next to i32
  %done = icmp eq i32 %narrow, %last
  br i1 %done, label %out, label %loop
out:
  ret void
}

; Of an even step that is no power of two it is not known how many rounds that is.
; CHECK-LABEL: define void @in_sixes(
; CHECK: loop:
; CHECK: call __goldilocks_read8_
; CHECK: ret void
define void @in_sixes(ptr %p, i64 %from, i32 %last) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %from, %entry ], [ %next, %loop ]
  %q = getelementptr inbounds i8, ptr %p, i64 %i
  %v = load volatile i64, ptr %q, align 1
  %next = add nsw i64 %i, 6
  %narrow = trunc i64 %next to i32
  %done = icmp eq i32 %narrow, %last
  br i1 %done, label %out, label %loop
out:
  ret void
}

; Left where what it finds says so, beside the number: it is not known how often.
; CHECK-LABEL: define void @until_equal_or_found(
; CHECK: loop:
; CHECK: call __goldilocks_read8_
; CHECK: ret void
define void @until_equal_or_found(ptr %p, i64 %from, i32 %last) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %from, %entry ], [ %next, %more ]
  %q = getelementptr inbounds i64, ptr %p, i64 %i
  %v = load volatile i64, ptr %q, align 8
  %found = icmp eq i64 %v, 7
  br i1 %found, label %out, label %more
more:
  %next = add nsw i64 %i, 1
  %narrow = trunc i64 %next to i32
  %done = icmp eq i32 %narrow, %last
  br i1 %done, label %out, label %loop
out:
  ret void
}

; The check of a range has the line of its accesses; those of different lines are separate.
; CHECK-LABEL: define void @lines(
; CHECK: call void @__goldilocks_read_range(ptr %p, i64 800){{.*}} !dbg [[FIRST:![0-9]+]]
; CHECK: call void @__goldilocks_read_range(ptr %p, i64 800){{.*}} !dbg [[SECOND:![0-9]+]]
; CHECK: loop:
; CHECK-NOT: asm
; CHECK: ret void
define void @lines(ptr %p) !dbg !4 {
entry:
  br label %loop, !dbg !5
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr inbounds i64, ptr %p, i64 %i, !dbg !5
  %v = load volatile i32, ptr %q, align 8, !dbg !6
  %b = getelementptr inbounds i8, ptr %q, i64 4, !dbg !5
  %w = load volatile i32, ptr %b, align 4, !dbg !6
  %x = load volatile i64, ptr %q, align 8, !dbg !7
  %next = add nuw i64 %i, 1
  %more = icmp ne i64 %next, 100
  br i1 %more, label %loop, label %out, !dbg !5
out:
  ret void, !dbg !5
}

; CHECK-DAG: [[FIRST]] = !DILocation(line: {{3|4}}, column: 1,
; CHECK-DAG: [[SECOND]] = !DILocation(line: {{3|4}}, column: 1,
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "lines", file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DILocation(line: 2, column: 1, scope: !4)
!6 = !DILocation(line: 3, column: 1, scope: !4)
!7 = !DILocation(line: 4, column: 1, scope: !4)
