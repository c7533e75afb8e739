; How the check stubs are called, by where the code may end up.
; RUN: sed -e 's/PIC/1, !"PIC Level"/' -e 's/PIE/1, !"PIE Level"/' %s | %opt -passes=goldilocks -S | %check %s --check-prefix=PIE
; RUN: sed -e 's/PIC/1, !"PIC Level"/' -e 's/PIE/1, !"other"/' %s | %opt -passes=goldilocks -S | %check %s --check-prefix=SHARED
; RUN: sed -e 's/PIC/1, !"some"/' -e 's/PIE/1, !"other"/' %s | %opt -passes=goldilocks -S | %check %s --check-prefix=FIXED
target triple = "x86_64-pc-linux-gnu"

; PIE: asm sideeffect "call __goldilocks_write4_${0:V}@PLT # 0"
; SHARED: asm sideeffect "call *__goldilocks_write4_${0:V}@GOTPCREL(%rip) # 0"
; FIXED: asm sideeffect "call __goldilocks_write4_${0:V} # 0"
define void @f(ptr %p) {
  store i32 1, ptr %p
  ret void
}
!llvm.module.flags = !{!0, !1}
!0 = !{i32 PIC, i32 2}
!1 = !{i32 PIE, i32 2}
