; Calls of libc's functions that the code generator may expand: short ones are preceded by checks, other comparisons become calls of the runtime.
; RUN: %pass %s | %check %s
; RUN: %pass -goldilocks-instrument-memory=0 %s | %check %s --check-prefix=OFF
; OFF-NOT: call{{.*}}__goldilocks
target triple = "x86_64-pc-linux-gnu"
declare i32 @memcmp(ptr, ptr, i64)
declare i32 @bcmp(ptr, ptr, i64)
declare ptr @mempcpy(ptr, ptr, i64)
declare i64 @strlen(ptr)
declare i32 @strcmp(ptr, ptr)
declare i32 @strncmp(ptr, ptr, i64)
declare ptr @memchr(ptr, i32, i64)
@text = constant [128 x i8] zeroinitializer

; CHECK-LABEL: define i32 @short(
; CHECK-DAG: call __goldilocks_read8_{{.*}}(ptr %p)
; CHECK-DAG: call __goldilocks_read8_{{.*}}(ptr %q)
; CHECK: %r = call i32 @memcmp(ptr %p, ptr align 8 %q, i64 8)
define i32 @short(ptr %p, ptr %q) {
  %r = call i32 @memcmp(ptr %p, ptr align 8 %q, i64 8)
  ret i32 %r
}

; What is constant needs no check.
; CHECK-LABEL: define i1 @short_with_constant(
; CHECK-NOT: ptr @text)
; CHECK: call __goldilocks_read4_{{.*}}(ptr %p)
; CHECK-NOT: ptr @text)
; CHECK: call i32 @bcmp(ptr %p, ptr @text, i64 4)
define i1 @short_with_constant(ptr %p) {
  %r = call i32 @bcmp(ptr %p, ptr @text, i64 4)
  %same = icmp eq i32 %r, 0
  ret i1 %same
}

; CHECK-LABEL: define i1 @long(
; CHECK: [[R:%.*]] = call i32 @__goldilocks_bcmp(ptr %p, ptr @text, i64 17)
; CHECK-NEXT: icmp eq i32 [[R]], 0
define i1 @long(ptr %p) {
  %r = call i32 @bcmp(ptr %p, ptr @text, i64 17)
  %same = icmp eq i32 %r, 0
  ret i1 %same
}

; CHECK-LABEL: define i32 @unknown(
; CHECK: [[S:%.*]] = call i32 @__goldilocks_memcmp(ptr %p, ptr %q, i64 %n)
; CHECK: ret i32 [[S]]
define i32 @unknown(ptr %p, ptr %q, i64 %n) {
  %r = call i32 @memcmp(ptr %p, ptr %q, i64 %n)
  ret i32 %r
}

; CHECK-LABEL: define ptr @to_its_end(
; CHECK-DAG: call __goldilocks_read4_{{.*}}(ptr %q)
; CHECK-DAG: call __goldilocks_write4_{{.*}}(ptr %p)
; CHECK: call ptr @mempcpy(ptr %p, ptr %q, i64 4)
define ptr @to_its_end(ptr %p, ptr %q) {
  %r = call ptr @mempcpy(ptr %p, ptr %q, i64 4)
  ret ptr %r
}

; CHECK-LABEL: define i64 @strings(
; CHECK: call i64 @__goldilocks_strlen(ptr %p)
; CHECK: call i32 @__goldilocks_strcmp(ptr %p, ptr @text)
; CHECK: call i32 @__goldilocks_strncmp(ptr @text, ptr %q, i64 8)
; CHECK: call ptr @__goldilocks_memchr(ptr %p, i32 7, i64 9)
; CHECK: ret i64
define i64 @strings(ptr %p, ptr %q) {
  %n = call i64 @strlen(ptr %p)
  %a = call i32 @strcmp(ptr %p, ptr @text)
  %b = call i32 @strncmp(ptr @text, ptr %q, i64 8)
  %c = call ptr @memchr(ptr %p, i32 7, i64 9)
  ret i64 %n
}

; Nothing that could be written.
; CHECK-LABEL: define i64 @constants(
; CHECK-NOT: {{call|asm}}{{.*}}__goldilocks_{{[rwmbs]}}
; CHECK: call i64 @strlen(ptr @text)
; CHECK-NOT: {{call|asm}}{{.*}}__goldilocks_{{[rwmbs]}}
; CHECK: ret
define i64 @constants() {
  %n = call i64 @strlen(ptr @text)
  ret i64 %n
}

; Not what libc's function does, for all that the compiler may know.
; CHECK-LABEL: define void @others(
; CHECK-NOT: {{call|asm}}{{.*}}__goldilocks_{{[rwmb]}}
; CHECK: call i32 @memcmp(ptr %p, ptr %q, i64 8) #
; CHECK-NOT: {{call|asm}}{{.*}}__goldilocks_{{[rwmb]}}
; CHECK: call i32 @memcmp(ptr %p, ptr %q, i64 100) #
; CHECK-NOT: {{call|asm}}{{.*}}__goldilocks_{{[rwmb]}}
; CHECK: ret void
define void @others(ptr %p, ptr %q) {
  %a = call i32 @memcmp(ptr %p, ptr %q, i64 8) nobuiltin
  %b = call i32 @memcmp(ptr %p, ptr %q, i64 100) nobuiltin
  ret void
}

; CHECK-LABEL: define i32 @without_builtins(
; CHECK-NOT: {{call|asm}}{{.*}}__goldilocks_{{[rwmb]}}
; CHECK: call i32 @memcmp
; CHECK-NOT: {{call|asm}}{{.*}}__goldilocks_{{[rwmb]}}
; CHECK: ret i32
define i32 @without_builtins(ptr %p, ptr %q) "no-builtins" {
  %r = call i32 @memcmp(ptr %p, ptr %q, i64 8)
  ret i32 %r
}

; CHECK-LABEL: define i32 @without_this_builtin(
; CHECK-NOT: {{call|asm}}{{.*}}__goldilocks_{{[rwmb]}}
; CHECK: call i32 @bcmp
; CHECK-NOT: {{call|asm}}{{.*}}__goldilocks_{{[rwmb]}}
; CHECK: ret i32
define i32 @without_this_builtin(ptr %p, ptr %q) "no-builtin-bcmp" {
  %r = call i32 @bcmp(ptr %p, ptr %q, i64 8)
  ret i32 %r
}

; A cast to a derived class finds the object's own class by its pointer to a virtual table.
; CHECK-LABEL: define ptr @cast(
; CHECK: call __goldilocks_read8_{{.*}}(ptr %p)
; CHECK: call ptr @__dynamic_cast(
declare ptr @__dynamic_cast(ptr, ptr, ptr, i64)
define ptr @cast(ptr %p) {
  %r = call ptr @__dynamic_cast(ptr %p, ptr @text, ptr @text, i64 0)
  ret ptr %r
}

; CHECK-DAG: declare i32 @__goldilocks_memcmp(ptr, ptr, i64)
; CHECK-DAG: declare i32 @__goldilocks_bcmp(ptr, ptr, i64)
