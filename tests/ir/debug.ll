; A check has the position of its access; where that has none, the line on which the function accesses
; the same address, or works with the value; or else the line of the function.
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

; CHECK-LABEL: define void @promoted(
; CHECK: call __goldilocks_read4_{{.*}} !dbg [[UPDATE:![0-9]+]]
; CHECK: call __goldilocks_write4_{{.*}} !dbg [[UPDATE]]
define void @promoted(i32 %n) !dbg !7 {
  %before = load i32, ptr @counter
  %after = add i32 %before, %n, !dbg !8
  call void @synchronize(), !dbg !8
  store i32 %after, ptr @counter, !dbg !9
  ret void
}

; CHECK-LABEL: define i32 @used(
; CHECK: call __goldilocks_read4_{{.*}} !dbg [[USE:![0-9]+]]
define i32 @used(ptr %p, i1 %which) !dbg !10 {
  %value = load i32, ptr %p, !dbg !11
  br i1 %which, label %yes, label %no
yes:
  br label %no
no:
  %merged = phi i32 [ %value, %yes ], [ 0, %0 ], !dbg !11
  %result = add i32 %merged, 1, !dbg !12
  ret i32 %result, !dbg !13
}

; Of two lines, neither is certain; the value says.
; CHECK-LABEL: define void @ambiguous(
; CHECK: call __goldilocks_write4_{{.*}}
; CHECK: call __goldilocks_write4_{{.*}}
; CHECK: call __goldilocks_write4_{{.*}} !dbg [[MADE:![0-9]+]]
define void @ambiguous(i32 %n) !dbg !14 {
  store i32 1, ptr @counter, !dbg !15
  call void @synchronize(), !dbg !15
  store i32 2, ptr @counter, !dbg !16
  call void @synchronize(), !dbg !16
  %made = add i32 %n, 1, !dbg !17
  store i32 %made, ptr @counter
  ret void
}

; A read of the same address may be of any other statement; the value is not.
; CHECK-LABEL: define void @read_before(
; CHECK: call __goldilocks_read4_{{.*}}
; CHECK: call __goldilocks_write4_{{.*}} !dbg [[VALUE:![0-9]+]]
define void @read_before(i32 %n) !dbg !22 {
  %before = load i32, ptr @counter, !dbg !23
  call void @synchronize(), !dbg !23
  %made = add i32 %n, 1, !dbg !24
  store i32 %made, ptr @counter
  ret void
}

; So is what accesses more or less of it.
; CHECK-LABEL: define void @wider_write(
; CHECK: call __goldilocks_write4_{{.*}} !dbg [[NOWHERE:![0-9]+]]
; CHECK: call __goldilocks_write8_{{.*}}
define void @wider_write(i32 %n) !dbg !29 {
  store i32 %n, ptr @counter
  call void @synchronize(), !dbg !30
  store i64 2, ptr @counter, !dbg !30
  ret void
}

; What uses the value is in a function that was inlined: the access may be before that. What computes the address is not.
; CHECK-LABEL: define void @used_elsewhere(
; CHECK: call __goldilocks_read4_{{.*}} !dbg [[ADDRESS:![0-9]+]]
define void @used_elsewhere(ptr %p, i64 %i) !dbg !25 {
  %address = getelementptr i32, ptr %p, i64 %i, !dbg !26
  %value = load i32, ptr %address
  call void asm sideeffect "", "r"(i32 %value), !dbg !27
  call void @synchronize(), !dbg !28
  ret void
}

; In a function that is inlined, its own lines alone.
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
; CHECK-DAG: [[START]] = !DILocation(line: 1, scope: [[F:![0-9]+]])
; CHECK-DAG: [[F]] = distinct !DISubprogram(name: "f"
; CHECK-DAG: [[UPDATE]] = !DILocation(line: 12, column: 7,
; CHECK-DAG: [[USE]] = !DILocation(line: 22, column: 3,
; CHECK-DAG: [[MADE]] = !DILocation(line: 33, column: 3,
; CHECK-DAG: [[VALUE]] = !DILocation(line: 52, column: 3,
; CHECK-DAG: [[ADDRESS]] = !DILocation(line: 61, column: 3,
; CHECK-DAG: [[NOWHERE]] = !DILocation(line: 70, scope:
; CHECK-DAG: [[INNER]] = !DILocation(line: 1, scope: [[F]], inlinedAt: [[CALL:![0-9]+]])
; CHECK-DAG: [[CALL]] = distinct !DILocation(line: 42, column: 3,
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
!7 = distinct !DISubprogram(name: "promoted", file: !1, line: 10, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DILocation(line: 11, column: 5, scope: !7)
!9 = !DILocation(line: 12, column: 7, scope: !7)
!10 = distinct !DISubprogram(name: "used", file: !1, line: 20, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!11 = !DILocation(line: 0, scope: !10)
!12 = !DILocation(line: 22, column: 3, scope: !10)
!13 = !DILocation(line: 23, column: 3, scope: !10)
!14 = distinct !DISubprogram(name: "ambiguous", file: !1, line: 30, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!15 = !DILocation(line: 31, column: 3, scope: !14)
!16 = !DILocation(line: 32, column: 3, scope: !14)
!17 = !DILocation(line: 33, column: 3, scope: !14)
!18 = distinct !DISubprogram(name: "inlined", file: !1, line: 40, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!19 = !DILocation(line: 0, scope: !4, inlinedAt: !21)
!20 = !DILocation(line: 41, column: 3, scope: !18)
!21 = distinct !DILocation(line: 42, column: 3, scope: !18)
!22 = distinct !DISubprogram(name: "read_before", file: !1, line: 50, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!23 = !DILocation(line: 51, column: 3, scope: !22)
!24 = !DILocation(line: 52, column: 3, scope: !22)
!25 = distinct !DISubprogram(name: "used_elsewhere", file: !1, line: 60, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!26 = !DILocation(line: 61, column: 3, scope: !25)
!27 = !DILocation(line: 2, column: 1, scope: !4, inlinedAt: !28)
!28 = distinct !DILocation(line: 62, column: 3, scope: !25)
!29 = distinct !DISubprogram(name: "wider_write", file: !1, line: 70, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!30 = !DILocation(line: 71, column: 3, scope: !29)
