; Functions of excluded Rust crates are compiled as if they were not to be checked, wherever they are compiled; atomics are tracked.
; RUN: env GOLDILOCKS_EXCLUDE=other,my_lib %opt -passes=goldilocks-start,goldilocks,verify -S %s | %check %s
; RUN: %opt -passes=goldilocks-start,goldilocks,verify -S %s | %check %s --check-prefix=ALL
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @_RNvMs_NtCs12_6my_lib4moduNtB4_5Thing3setCs9_4mine(
; CHECK-NOT: asm
; CHECK: call void @__goldilocks_atomic_store4(
; ALL-LABEL: define void @_RNvMs_NtCs12_6my_lib4moduNtB4_5Thing3setCs9_4mine(
; ALL: asm
define void @_RNvMs_NtCs12_6my_lib4moduNtB4_5Thing3setCs9_4mine(ptr %p) {
  store i32 1, ptr %p
  store atomic i32 1, ptr %p release, align 4
  ret void
}

; CHECK-LABEL: define void @_RINvNtC6my_lib1a3getjE(
; CHECK-NOT: asm
; CHECK: ret void
define void @_RINvNtC6my_lib1a3getjE(ptr %p) {
  store i32 1, ptr %p
  ret void
}

; CHECK-LABEL: define void @_ZN6my_lib3set17h0123456789abcdefE(
; CHECK-NOT: asm
; CHECK: ret void
define void @_ZN6my_lib3set17h0123456789abcdefE(ptr %p) {
  store i32 1, ptr %p
  ret void
}

; CHECK-LABEL: define void @"_ZN52_$LT$my_lib..Thing$u20$as$u20$core..clone..Clone$GT$5clone17h0123456789abcdefE"(
; CHECK-NOT: asm
; CHECK: ret void
define void @"_ZN52_$LT$my_lib..Thing$u20$as$u20$core..clone..Clone$GT$5clone17h0123456789abcdefE"(ptr %p) {
  store i32 1, ptr %p
  ret void
}

; Of another crate, about a type of the excluded one; a name that only starts like it; C.
; CHECK-LABEL: define void @_RINvNtCs1_4core3ptr13drop_in_placeNtCs12_6my_lib5ThingE(
; CHECK: asm
define void @_RINvNtCs1_4core3ptr13drop_in_placeNtCs12_6my_lib5ThingE(ptr %p) {
  store i32 1, ptr %p
  ret void
}
; CHECK-LABEL: define void @_RNvCs12_7my_libs3set(
; CHECK: asm
define void @_RNvCs12_7my_libs3set(ptr %p) {
  store i32 1, ptr %p
  ret void
}
; CHECK-LABEL: define void @my_lib(
; CHECK: asm
define void @my_lib(ptr %p) {
  store i32 1, ptr %p
  ret void
}
