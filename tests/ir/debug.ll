; A check has the position of its access; where that has none, the line of the function, whatever lines are near, and the column
; that says so.
; RUN: %pass %s | %check %s
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @f(
; CHECK: call __goldilocks_write4_{{.*}} !dbg [[AT:![0-9]+]]
; CHECK: store i32 1, ptr %p, {{.*}}!dbg [[AT]]
; CHECK: call __goldilocks_write8_{{.*}} !dbg [[START:![0-9]+]]
; CHECK: store i64 1, ptr %q
; CHECK: call void @__goldilocks_atomic_store4({{.*}} !dbg [[ATOMIC:![0-9]+]]
@counter = global i64 0
declare void @synchronize()

define void @f(ptr %p, ptr %q) !dbg !4 {
  store i32 1, ptr %p, !dbg !5
  store i64 1, ptr %q
  store atomic i32 1, ptr %p release, align 4, !dbg !6
  ret void
}

; The same address is accessed, and the value made, on other lines.
; CHECK-LABEL: define void @neighbours(
; CHECK: call __goldilocks_write4_{{.*}} !dbg [[OTHER:![0-9]+]]
; CHECK: call __goldilocks_read4_{{.*}} !dbg [[NEIGHBOURS:![0-9]+]]
; CHECK: call __goldilocks_write4_{{.*}} !dbg [[NEIGHBOURS]]
define void @neighbours(i32 %n) !dbg !7 {
  store i32 %n, ptr @counter, !dbg !8
  call void @synchronize(), !dbg !8
  %before = load i32, ptr @counter
  %after = add i32 %before, %n, !dbg !9
  call void @synchronize(), !dbg !9
  store i32 %after, ptr @counter, !dbg !10
  ret void
}

; In a function that is inlined, its own line.
; CHECK-LABEL: define void @inlined(
; CHECK: call __goldilocks_write4_{{.*}} !dbg [[INNER:![0-9]+]]
; CHECK: call __goldilocks_write4_{{.*}}
define void @inlined(ptr %p) !dbg !18 {
  store i32 1, ptr %p, !dbg !19
  call void @synchronize(), !dbg !20
  store i32 2, ptr %p, !dbg !20
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
; CHECK-DAG: [[START]] = !DILocation(line: 1, column: 65535, scope: [[F:![0-9]+]])
; CHECK-DAG: [[F]] = distinct !DISubprogram(name: "f"
; CHECK-DAG: [[ATOMIC]] = !DILocation(line: 3, column: 1,
; CHECK-DAG: [[OTHER]] = !DILocation(line: 11, column: 5,
; CHECK-DAG: [[NEIGHBOURS]] = !DILocation(line: 10, column: 65535,
; CHECK-DAG: [[INNER]] = !DILocation(line: 1, column: 65535, scope: [[F]], inlinedAt: [[CALL:![0-9]+]])
; CHECK-DAG: [[CALL]] = distinct !DILocation(line: 42, column: 3,
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "f", file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DILocation(line: 2, column: 3, scope: !4)
!6 = !DILocation(line: 3, column: 1, scope: !4)
!7 = distinct !DISubprogram(name: "neighbours", file: !1, line: 10, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DILocation(line: 11, column: 5, scope: !7)
!9 = !DILocation(line: 12, column: 7, scope: !7)
!10 = !DILocation(line: 0, scope: !7)
!18 = distinct !DISubprogram(name: "inlined", file: !1, line: 40, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!19 = !DILocation(line: 0, scope: !4, inlinedAt: !21)
!20 = !DILocation(line: 41, column: 3, scope: !18)
!21 = distinct !DILocation(line: 42, column: 3, scope: !18)
