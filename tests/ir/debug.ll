; A check has the position of its access; where that has none, line 0 of the function.
; RUN: %pass %s | %check %s
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @f(
; CHECK: call __goldilocks_write4_{{.*}} !dbg [[AT:![0-9]+]]
; CHECK: store i32 1, ptr %p, {{.*}}!dbg [[AT]]
; CHECK: call __goldilocks_write8_{{.*}} !dbg [[NOWHERE:![0-9]+]]
; CHECK: store i64 1, ptr %q
; CHECK: call void @__goldilocks_atomic_store4({{.*}} !dbg [[ATOMIC:![0-9]+]]
define void @f(ptr %p, ptr %q) !dbg !4 {
  store i32 1, ptr %p, !dbg !5
  store i64 1, ptr %q
  store atomic i32 1, ptr %p release, align 4, !dbg !6
  ret void
}

; CHECK-LABEL: define void @without(
; CHECK-NOT: !dbg
; CHECK: ret void
define void @without(ptr %p) {
  store i32 1, ptr %p
  ret void
}

; CHECK-DAG: [[AT]] = !DILocation(line: 2, column: 3,
; CHECK-DAG: [[NOWHERE]] = !DILocation(line: 0, scope: [[F:![0-9]+]])
; CHECK-DAG: [[F]] = distinct !DISubprogram(name: "f"
; CHECK-DAG: [[ATOMIC]] = !DILocation(line: 3, column: 1,
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "f", file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DILocation(line: 2, column: 3, scope: !4)
!6 = !DILocation(line: 3, column: 1, scope: !4)
