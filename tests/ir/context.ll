; A function that calls others keeps the calling context while it runs.
; RUN: %pass %s | %check %s
target triple = "x86_64-pc-linux-gnu"

declare void @other()
declare i32 @_setjmp(ptr) returns_twice
declare void @swapcontext(ptr, ptr)
declare i32 @__gxx_personality_v0(...)

; CHECK-LABEL: define void @calls(
; CHECK: [[OUTER:%.*]] = load i64, ptr getelementptr (i8, ptr @__goldilocks_tls, i64 24), align 8
; CHECK-NEXT: [[TO:%.*]] = call ptr @llvm.returnaddress(i32 0)
; CHECK-NEXT: [[FROM:%.*]] = ptrtoint ptr [[TO]] to i64
; CHECK-NEXT: [[SUM:%.*]] = add i64 [[OUTER]], [[FROM]]
; CHECK-NEXT: [[INNER:%.*]] = mul i64 [[SUM]], 1540483477
; CHECK-NEXT: store i64 [[INNER]], ptr getelementptr (i8, ptr @__goldilocks_tls, i64 24), align 8
; CHECK-NEXT: call void @other()
; CHECK-NEXT: store i64 [[OUTER]], ptr getelementptr (i8, ptr @__goldilocks_tls, i64 24), align 8
; CHECK-NEXT: ret void
define void @calls() {
  call void @other()
  ret void
}

; One that calls none leaves it to its caller, also if it is checked.
; CHECK-LABEL: define void @leaf(
; CHECK-NOT: i64 24)
; CHECK: ret void
define void @leaf(ptr %p) {
  store i32 1, ptr %p
  ret void
}

; Intrinsics and assembly are no calls.
; CHECK-LABEL: define i32 @none(
; CHECK-NOT: i64 24)
; CHECK: ret i32
define i32 @none(i32 %x) {
  call void asm sideeffect "nop", ""()
  %y = call i32 @llvm.ctpop.i32(i32 %x)
  ret i32 %y
}
declare i32 @llvm.ctpop.i32(i32)

; Every way out.
; CHECK-LABEL: define i32 @two(
; CHECK: [[OUTER:%.*]] = load i64, ptr getelementptr (i8, ptr @__goldilocks_tls, i64 24)
; CHECK: store i64 [[OUTER]], ptr getelementptr (i8, ptr @__goldilocks_tls, i64 24)
; CHECK-NEXT: ret i32 1
; CHECK: store i64 [[OUTER]], ptr getelementptr (i8, ptr @__goldilocks_tls, i64 24)
; CHECK-NEXT: ret i32 2
define i32 @two(i1 %which) {
  call void @other()
  br i1 %which, label %one, label %another
one:
  ret i32 1
another:
  ret i32 2
}

; Where an exception arrives, the context is that of a function that has been left; and the caller's when it goes on.
; CHECK-LABEL: define void @catches(
; CHECK: [[OUTER:%.*]] = load i64, ptr getelementptr (i8, ptr @__goldilocks_tls, i64 24)
; CHECK: [[INNER:%.*]] = mul i64
; CHECK: landingpad
; CHECK-NEXT: cleanup
; CHECK-NEXT: store i64 [[INNER]], ptr getelementptr (i8, ptr @__goldilocks_tls, i64 24)
; CHECK: store i64 [[OUTER]], ptr getelementptr (i8, ptr @__goldilocks_tls, i64 24)
; CHECK-NEXT: resume
define void @catches() personality ptr @__gxx_personality_v0 {
  invoke void @other() to label %fine unwind label %thrown
fine:
  ret void
thrown:
  %exception = landingpad { ptr, i32 } cleanup
  call void @other()
  resume { ptr, i32 } %exception
}

; As with exceptions, where a jump arrives or another stack has been run on.
; CHECK-LABEL: define void @jumps(
; CHECK: [[INNER:%.*]] = mul i64
; CHECK: call i32 @_setjmp
; CHECK-NEXT: store i64 [[INNER]], ptr getelementptr (i8, ptr @__goldilocks_tls, i64 24)
; CHECK-NEXT: call void @swapcontext
; CHECK-NEXT: store i64 [[INNER]], ptr getelementptr (i8, ptr @__goldilocks_tls, i64 24)
define void @jumps(ptr %buffer) {
  %value = call i32 @_setjmp(ptr %buffer)
  call void @swapcontext(ptr %buffer, ptr %buffer)
  ret void
}

; From where an exception would be caught it comes back to another block, to which there may be other ways.
; CHECK-LABEL: define i32 @jumps_in_try(
; CHECK: [[INNER:%.*]] = mul i64
; CHECK: back:
; CHECK-NEXT: phi i32
; CHECK-NEXT: store i64 [[INNER]], ptr getelementptr (i8, ptr @__goldilocks_tls, i64 24)
; CHECK: thrown:
; CHECK-NEXT: landingpad
; CHECK-NEXT: cleanup
; CHECK-NEXT: store i64 [[INNER]], ptr getelementptr (i8, ptr @__goldilocks_tls, i64 24)
define i32 @jumps_in_try(ptr %buffer, i1 %jump) personality ptr @__gxx_personality_v0 {
  br i1 %jump, label %go, label %back
go:
  invoke void @swapcontext(ptr %buffer, ptr %buffer) to label %back unwind label %thrown
back:
  %value = phi i32 [ 0, %0 ], [ 1, %go ]
  ret i32 %value
thrown:
  %exception = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %exception
}

; What takes the place of a function is called by its caller.
; CHECK-LABEL: define void @replaced(
; CHECK: [[OUTER:%.*]] = load i64, ptr getelementptr (i8, ptr @__goldilocks_tls, i64 24)
; CHECK: store i64 [[OUTER]], ptr getelementptr (i8, ptr @__goldilocks_tls, i64 24)
; CHECK-NEXT: musttail call void @leaf(ptr %p)
; CHECK-NEXT: ret void
define void @replaced(ptr %p) {
  call void @other()
  musttail call void @leaf(ptr %p)
  ret void
}
