; Which functions are instrumented, and what is done to a function as a whole. No function here has the
; sanitize_thread attribute, so all are to be checked.
; RUN: %pass %s | %check %s
target triple = "x86_64-pc-linux-gnu"
@variable = global i64 0

; CHECK: define void @plain(ptr %p) [[PLAIN:#[0-9]+]] {
; CHECK: call __goldilocks_write4_
define void @plain(ptr %p) memory(argmem: write) nosync {
  store i32 1, ptr %p
  ret void
}

; CHECK: define void @naked() [[NAKED:#[0-9]+]] {
; CHECK-NEXT: store
define void @naked() naked {
  store i64 1, ptr @variable
  ret void
}

; CHECK: define void @disabled(ptr %p) [[DISABLED:#[0-9]+]] {
; CHECK-NEXT: store
; CHECK-NEXT: store atomic
; CHECK-NEXT: ret
define void @disabled(ptr %p) disable_sanitizer_instrumentation {
  store i32 1, ptr %p
  store atomic i32 1, ptr %p release, align 4
  ret void
}

; CHECK: define available_externally void @elsewhere(ptr %p) {
; CHECK-NEXT: store
define available_externally void @elsewhere(ptr %p) {
  store i32 1, ptr %p
  ret void
}

; The dynamic linker calls resolvers before there are thread-locals.
@chosen = ifunc void (), ptr @resolver
; CHECK-LABEL: define ptr @resolver(
; CHECK-NEXT: load
; CHECK-NEXT: ret
define ptr @resolver() {
  %v = load ptr, ptr @variable
  ret ptr %v
}

; Calls that must be tail calls stay that.
; CHECK-LABEL: define void @must(
; CHECK: call __goldilocks_write4_
; CHECK: musttail call void @plain(ptr %p)
; CHECK-NEXT: ret void
define void @must(ptr %p) {
  store i32 1, ptr %p
  musttail call void @plain(ptr %p)
  ret void
}

; Static allocas stay in the entry block, although it is split.
; CHECK-LABEL: define void @allocas(
; CHECK-NEXT: %a = alloca i32
; CHECK-NEXT: %b = alloca i64
; CHECK-NEXT: ptrtoint
; CHECK: %c = alloca i8, i64 %n
define void @allocas(ptr %p, i64 %n) {
  %a = alloca i32
  store i32 1, ptr %p
  %b = alloca i64
  %c = alloca i8, i64 %n
  ret void
}

; CHECK: attributes [[PLAIN]] = { noredzone sanitize_thread "disable-tail-calls"="true" "frame-pointer"="all" {{.*}} }
; CHECK: attributes [[NAKED]] = { naked }
; CHECK: attributes [[DISABLED]] = { disable_sanitizer_instrumentation }
