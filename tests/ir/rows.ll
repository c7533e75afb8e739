; Accesses of a loop at a small distance from each other, that are checked once, before the loop, and those that must stay where they are.
; RUN: %pass -goldilocks-alone=0 %s | %check %s
; RUN: %pass -goldilocks-loops=0 %s | %check %s --check-prefix=OFF
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
declare void @unknown()

; Every other number.
; CHECK-LABEL: define void @every_other(
; CHECK: call void @__goldilocks_write_rows(ptr %p, i64 %n, i64 16, i64 8)
; CHECK: loop:
; CHECK-NOT: asm
; CHECK-NOT: __goldilocks
; CHECK: ret void
; OFF-LABEL: define void @every_other(
; OFF-NOT: rows
; OFF: loop:
; OFF: call __goldilocks_write8_
; OFF: ret void
define void @every_other(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr inbounds { i64, i64 }, ptr %p, i64 %i
  store i64 %i, ptr %q, align 8
  %next = add nuw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

; Backwards: from the last one on.
; CHECK-LABEL: define void @backwards(
; CHECK: call void @__goldilocks_read_rows(ptr %p, i64 50, i64 -24, i64 8)
; CHECK: loop:
; CHECK-NOT: asm
; CHECK: ret void
define void @backwards(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr inbounds [3 x i64], ptr %p, i64 %i
  %v = load volatile i64, ptr %q, align 8
  %next = add nsw i64 %i, -1
  %more = icmp ne i64 %next, -50
  br i1 %more, label %loop, label %out
out:
  ret void
}

; Two fields beside each other are one row; one that lies apart is another.
; CHECK-LABEL: define void @fields(
; CHECK-DAG: call void @__goldilocks_read_rows(ptr %p, i64 %n, i64 32, i64 16)
; CHECK-DAG: [[APART:%.*]] = getelementptr {{(nuw )?}}i8, ptr %p, i64 24
; CHECK-DAG: call void @__goldilocks_read_rows(ptr [[APART]], i64 %n, i64 32, i64 8)
; CHECK: loop:
; CHECK-NOT: asm
; CHECK: ret void
define void @fields(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr inbounds [4 x i64], ptr %p, i64 %i
  %v = load volatile i64, ptr %q, align 8
  %r = getelementptr inbounds i64, ptr %q, i64 1
  %w = load volatile i64, ptr %r, align 8
  %s = getelementptr inbounds i64, ptr %q, i64 3
  %x = load volatile i64, ptr %s, align 8
  %next = add nuw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

; What the unroller has made of a loop: two rows in each round.
; CHECK-LABEL: define void @unrolled(
; CHECK: [[COUNT:%.*]] = shl i64 %n, 1
; CHECK: call void @__goldilocks_read_rows(ptr %p, i64 [[COUNT]], i64 16, i64 8)
; CHECK: loop:
; CHECK-NOT: asm
; CHECK: ret void
define void @unrolled(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr inbounds [4 x i64], ptr %p, i64 %i
  %v = load volatile i64, ptr %q, align 8
  %r = getelementptr inbounds i64, ptr %q, i64 2
  %w = load volatile i64, ptr %r, align 8
  %next = add nuw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

; Neighbours of one round are the ones of the next: one more than there are rounds.
; CHECK-LABEL: define void @neighbours(
; CHECK: [[COUNT:%.*]] = add i64 %n, 1
; CHECK: call void @__goldilocks_read_rows(ptr %p, i64 [[COUNT]], i64 16, i64 8)
; CHECK: loop:
; CHECK-NOT: asm
; CHECK: ret void
define void @neighbours(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr inbounds { i64, i64 }, ptr %p, i64 %i
  %v = load volatile i64, ptr %q, align 8
  %r = getelementptr inbounds { i64, i64 }, ptr %q, i64 1
  %w = load volatile i64, ptr %r, align 8
  %next = add nuw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

; With one between them that nobody reads in a round, they are not one: if there is one round only, it is not read.
; CHECK-LABEL: define void @apart(
; CHECK-DAG: call void @__goldilocks_read_rows(ptr %p, i64 %n, i64 16, i64 8)
; CHECK-DAG: [[APART:%.*]] = getelementptr {{(nuw )?}}i8, ptr %p, i64 32
; CHECK-DAG: call void @__goldilocks_read_rows(ptr [[APART]], i64 %n, i64 16, i64 8)
; CHECK: loop:
; CHECK: ret void
define void @apart(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr inbounds { i64, i64 }, ptr %p, i64 %i
  %v = load volatile i64, ptr %q, align 8
  %r = getelementptr inbounds { i64, i64 }, ptr %q, i64 2
  %w = load volatile i64, ptr %r, align 8
  %next = add nuw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

; A loop that tests first may have no round, and then reads nothing: no rows.
; CHECK-LABEL: define void @tested_first(
; CHECK: call void @__goldilocks_read_rows(ptr %p, i64 %n, i64 16, i64 8)
; CHECK: test:
; CHECK-NOT: asm
; CHECK: ret void
define void @tested_first(ptr %p, i64 %n) {
entry:
  br label %test
test:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %out
body:
  %q = getelementptr inbounds { i64, i64 }, ptr %p, i64 %i
  %v = load volatile i64, ptr %q, align 8
  %next = add nuw i64 %i, 1
  br label %test
out:
  ret void
}

; The same rows in each round of the loop around: once, before both.
; CHECK-LABEL: define void @again(
; CHECK: entry:
; CHECK: call void @__goldilocks_read_rows(ptr %p, i64 %n, i64 16, i64 8)
; CHECK: outer:
; CHECK-NOT: asm
; CHECK-NOT: __goldilocks
; CHECK: ret void
define void @again(ptr %p, i64 %n, i64 %m) {
entry:
  br label %outer
outer:
  %j = phi i64 [ 0, %entry ], [ %after, %ended ]
  br label %loop
loop:
  %i = phi i64 [ 0, %outer ], [ %next, %loop ]
  %q = getelementptr inbounds { i64, i64 }, ptr %p, i64 %i
  %v = load volatile i64, ptr %q, align 8
  %next = add nuw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %ended
ended:
  %after = add nuw i64 %j, 1
  %again = icmp ne i64 %after, %m
  br i1 %again, label %outer, label %out
out:
  ret void
}

; Few rounds, and rows that are far from each other, are checked where they are.
; CHECK-LABEL: define void @few(
; CHECK-NOT: rows
; CHECK: loop:
; CHECK: call __goldilocks_read8_
; CHECK: ret void
define void @few(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr inbounds { i64, i64 }, ptr %p, i64 %i
  %v = load volatile i64, ptr %q, align 8
  %next = add nuw i64 %i, 1
  %more = icmp ne i64 %next, 5
  br i1 %more, label %loop, label %out
out:
  ret void
}
; CHECK-LABEL: define void @far(
; CHECK-NOT: rows
; CHECK: loop:
; CHECK: call __goldilocks_read8_
; CHECK: ret void
define void @far(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr inbounds [5 x i64], ptr %p, i64 %i
  %v = load volatile i64, ptr %q, align 8
  %next = add nuw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

; Parts of words, too.
; CHECK-LABEL: define void @parts(
; CHECK-NOT: rows
; CHECK: loop:
; CHECK: call __goldilocks_read4_
; CHECK: ret void
define void @parts(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr inbounds { i64, i64 }, ptr %p, i64 %i
  %v = load volatile i32, ptr %q, align 4
  %next = add nuw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

; Nor those of a loop that may synchronize, of one that may be left, and those that are not made in each round.
; CHECK-LABEL: define void @calls(
; CHECK-NOT: rows
; CHECK: loop:
; CHECK: call __goldilocks_read8_
; CHECK: ret void
define void @calls(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr inbounds { i64, i64 }, ptr %p, i64 %i
  %v = load volatile i64, ptr %q, align 8
  call void @unknown()
  %next = add nuw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}
; CHECK-LABEL: define void @left(
; CHECK-NOT: rows
; CHECK: loop:
; CHECK: call __goldilocks_read8_
; CHECK: ret void
define void @left(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %more ]
  %q = getelementptr inbounds { i64, i64 }, ptr %p, i64 %i
  %v = load volatile i64, ptr %q, align 8
  %found = icmp eq i64 %v, 0
  br i1 %found, label %out, label %more
more:
  %next = add nuw i64 %i, 1
  %goes = icmp ne i64 %next, %n
  br i1 %goes, label %loop, label %out
out:
  ret void
}
; CHECK-LABEL: define void @sometimes(
; CHECK-NOT: rows
; CHECK: some:
; CHECK: call __goldilocks_read8_
; CHECK: ret void
define void @sometimes(ptr %p, i64 %n, i64 %m) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %end ]
  %odd = and i64 %i, %m
  %is = icmp eq i64 %odd, 0
  br i1 %is, label %some, label %end
some:
  %q = getelementptr inbounds { i64, i64 }, ptr %p, i64 %i
  %v = load volatile i64, ptr %q, align 8
  br label %end
end:
  %next = add nuw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}
