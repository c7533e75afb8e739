; Loops are there a second time, without checks, for as long as the process has had no second thread.
; RUN: %pass %s | %check %s
; RUN: %pass -goldilocks-alone=0 %s | %check %s --check-prefix=OFF
; OFF-NOT: i64 160
; OFF-NOT: .alone
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
declare void @unknown()
declare i1 @quiet() nosync nofree nounwind willreturn
declare i1 @throws() nosync nofree willreturn
declare i1 @single() nosync nofree nounwind willreturn noduplicate
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i32 @__gxx_personality_v0(...)

; The copy's accesses are not checked, and what is used behind the loop comes from either.
; CHECK-LABEL: define i32 @simple(
; CHECK: [[OTHERS:%.*]] = load i32, {{.*}}getelementptr {{.*}}@__goldilocks_tls, i64 160){{.*}}
; CHECK: [[ANY:%.*]] = icmp ne i32 [[OTHERS]], 0
; CHECK: br i1 [[ANY]], label %[[CHECKED:.*]], label %[[ALONE:.*]]
; CHECK: [[ALONE]]:
; CHECK-NOT: goldilocks
; CHECK: loop.alone:
; CHECK-NOT: goldilocks
; CHECK: [[CHECKED]]:
; CHECK: loop:
; CHECK: call __goldilocks_read4_
; CHECK: out:
; CHECK: phi i32 [ %sum2, %{{.*}} ], [ %sum2.alone, %{{.*}} ]
; OFF-LABEL: define i32 @simple(
; OFF: call __goldilocks_read4_
; OFF-NOT: call __goldilocks
; OFF: }
define i32 @simple(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %q = phi ptr [ %p, %entry ], [ %r, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %sum2, %loop ]
  %v = load i32, ptr %q, align 4
  %sum2 = add i32 %sum, %v
  %far = sext i32 %v to i64
  %r = getelementptr inbounds i32, ptr %q, i64 %far
  %more = icmp ne i32 %sum2, %n
  br i1 %more, label %loop, label %out
out:
  ret i32 %sum2
}

; An access behind the loop, by an address of it: that which the copy or the loop has ended with.
; CHECK-LABEL: define void @behind(
; CHECK: out:
; CHECK: [[END:%.*]] = phi ptr [ %r, %{{.*}} ], [ %r.alone, %{{.*}} ]
; CHECK: call __goldilocks_write1_{{.*}}(ptr [[END]])
; CHECK-NOT: freeze
; CHECK: store i8 1, ptr [[END]]
define void @behind(ptr %p) {
entry:
  br label %loop
loop:
  %q = phi ptr [ %p, %entry ], [ %r, %loop ]
  %v = load i8, ptr %q, align 1
  %r = getelementptr inbounds i8, ptr %q, i64 1
  %more = icmp ne i8 %v, 0
  br i1 %more, label %loop, label %out
out:
  store i8 1, ptr %r, align 1
  ret void
}

; Two ways out, of which one has another way to it.
; CHECK-LABEL: define i32 @ways(
; CHECK: loop.alone:
; CHECK: next.alone:
; CHECK-NOT: __goldilocks_read
; CHECK: loop:
; CHECK: __goldilocks_read4_
; CHECK: out:
; CHECK: phi i32 [ 7, %entry ]
define i32 @ways(ptr %p, i1 %none) {
entry:
  br i1 %none, label %out, label %first
first:
  br label %loop
loop:
  %q = phi ptr [ %p, %first ], [ %r, %next ]
  %v = load i32, ptr %q, align 4
  %zero = icmp eq i32 %v, 0
  br i1 %zero, label %out, label %next
next:
  %far = sext i32 %v to i64
  %r = getelementptr inbounds i32, ptr %q, i64 %far
  %more = call i1 @quiet()
  br i1 %more, label %loop, label %done
out:
  %result = phi i32 [ 7, %entry ], [ %v, %loop ]
  ret i32 %result
done:
  ret i32 %v
}

; The outer one, with what is in it; once.
; CHECK-LABEL: define void @nested(
; CHECK: outer.alone:
; CHECK: inner.alone:
; CHECK-NOT: .alone.alone
; CHECK-NOT: .alone{{[0-9]}}:
; CHECK: }
define void @nested(ptr %p) {
entry:
  br label %outer
outer:
  %o = phi ptr [ %p, %entry ], [ %r, %after ]
  br label %inner
inner:
  %q = phi ptr [ %o, %outer ], [ %r, %inner ]
  %v = load i32, ptr %q, align 4
  %far = sext i32 %v to i64
  %r = getelementptr inbounds i32, ptr %q, i64 %far
  %more = icmp ne i32 %v, 0
  br i1 %more, label %inner, label %after
after:
  %again = call i1 @throws()
  br i1 %again, label %outer, label %out
out:
  ret void
}

; What is around it may make a thread.
; CHECK-LABEL: define void @inner_only(
; CHECK-NOT: outer.alone:
; CHECK: inner.alone:
; CHECK-NOT: outer.alone:
; CHECK: }
define void @inner_only(ptr %p) {
entry:
  br label %outer
outer:
  %o = phi ptr [ %p, %entry ], [ %r, %after ]
  br label %inner
inner:
  %q = phi ptr [ %o, %outer ], [ %r, %inner ]
  %v = load i32, ptr %q, align 4
  %far = sext i32 %v to i64
  %r = getelementptr inbounds i32, ptr %q, i64 %far
  %more = icmp ne i32 %v, 0
  br i1 %more, label %inner, label %after
after:
  call void @unknown()
  %again = call i1 @throws()
  br i1 %again, label %outer, label %out
out:
  ret void
}

; A copy of memory stays one.
; CHECK-LABEL: define void @copies(
; CHECK: loop.alone:
; CHECK: call void @llvm.memcpy
; CHECK: loop:
; CHECK: call ptr @__goldilocks_memcpy(
define void @copies(ptr %p, ptr %q, i64 %n) {
entry:
  br label %loop
loop:
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 %n, i1 false)
  %more = call i1 @quiet()
  br i1 %more, label %loop, label %out
out:
  ret void
}

; Not where a thread may be made, or told anything;
; CHECK-LABEL: define void @calls(
; CHECK-NOT: .alone:
; CHECK: }
define void @calls(ptr %p) {
entry:
  br label %loop
loop:
  store i32 1, ptr %p, align 4
  call void @unknown()
  %more = call i1 @quiet()
  br i1 %more, label %loop, label %out
out:
  ret void
}
; CHECK-LABEL: define void @atomics(
; CHECK-NOT: .alone:
; CHECK: }
define void @atomics(ptr %p, ptr %q) {
entry:
  br label %loop
loop:
  store i32 1, ptr %p, align 4
  %v = load atomic i32, ptr %q acquire, align 4
  %more = icmp ne i32 %v, 0
  br i1 %more, label %loop, label %out
out:
  ret void
}
; nor where nothing is checked in each round,
; CHECK-LABEL: define void @checked_before(
; CHECK-NOT: .alone:
; CHECK: }
define void @checked_before(ptr %p, i64 %n) {
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
; nor what must not be copied, or is to be small.
; CHECK-LABEL: define void @not_twice(
; CHECK-NOT: .alone:
; CHECK: }
define void @not_twice(ptr %p) {
entry:
  br label %loop
loop:
  %q = phi ptr [ %p, %entry ], [ %r, %loop ]
  store i8 1, ptr %q, align 1
  %more = call i1 @single()
  %far = zext i1 %more to i64
  %r = getelementptr inbounds i8, ptr %q, i64 %far
  br i1 %more, label %loop, label %out
out:
  ret void
}
; CHECK-LABEL: define void @small(
; CHECK-NOT: .alone:
; CHECK: }
define void @small(ptr %p) optsize {
entry:
  br label %loop
loop:
  %q = phi ptr [ %p, %entry ], [ %r, %loop ]
  %v = load i8, ptr %q, align 1
  %r = getelementptr inbounds i8, ptr %q, i64 1
  %more = icmp ne i8 %v, 0
  br i1 %more, label %loop, label %out
out:
  ret void
}

; What is thrown out of the loop.
; CHECK-LABEL: define void @thrown(
; CHECK: loop.alone:
; CHECK: invoke i1 @throws()
; CHECK: landingpad
; CHECK: }
define void @thrown(ptr %p) personality ptr @__gxx_personality_v0 {
entry:
  br label %loop
loop:
  %q = phi ptr [ %p, %entry ], [ %r, %next ]
  %v = load i8, ptr %q, align 1
  %more = invoke i1 @throws() to label %next unwind label %caught
next:
  %r = getelementptr inbounds i8, ptr %q, i64 1
  br i1 %more, label %loop, label %out
out:
  ret void
caught:
  %e = landingpad { ptr, i32 } cleanup
  store i8 %v, ptr %p, align 1
  resume { ptr, i32 } %e
}
