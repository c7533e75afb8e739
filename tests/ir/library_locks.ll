; Locks that are made of atomics: the change of their words, and what methods of lock_api's traits do, is told to the runtime.
; RUN: %opt -passes=goldilocks-start,goldilocks,verify -S %s | %check %s
; RUN: %pass %s | %check %s --check-prefix=LATE
target triple = "x86_64-pc-linux-gnu"

; Operations on the words of the standard library's mutexes and rwlocks, inlined into a function of the program's, are for what they are: operations on locks. One
; that is of none is an atomic.
; CHECK-LABEL: define void @word(
; CHECK: call i64 @__goldilocks_lock_load(ptr %lock, i32 16777220)
; CHECK: call i64 @__goldilocks_lock_compare_exchange(ptr %lock, i64 0, i64 1, i32 16786180)
; CHECK: call i64 @__goldilocks_lock_update(ptr %lock, i64 0, i32 16790020)
; CHECK: call i64 @__goldilocks_lock_update(ptr %lock, i64 1, i32 35664388)
; CHECK: call i64 @__goldilocks_atomic_update4(ptr %lock, i64 5,
; CHECK-NOT: lock_word
; CHECK: ret void
define void @word(ptr %lock) !dbg !4 {
  %is = load atomic i32, ptr %lock monotonic, align 4, !dbg !11
  %pair = cmpxchg ptr %lock, i32 0, i32 1 acquire monotonic, align 4, !dbg !10
  %was = atomicrmw xchg ptr %lock, i32 0 release, align 4, !dbg !11
  %many = atomicrmw sub ptr %lock, i32 1 release, align 4, !dbg !12
  %own = atomicrmw xchg ptr %lock, i32 5 monotonic, align 4, !dbg !13
  ret void
}

; Of a word of another size, such operations are atomics.
; CHECK-LABEL: define void @word_of_a_byte(
; CHECK: call i64 @__goldilocks_atomic_update1(
define void @word_of_a_byte(ptr %lock) !dbg !28 {
  %was = atomicrmw xchg ptr %lock, i8 0 release, align 1, !dbg !29
  ret void
}

; What the library does for itself: the count of those who unwind, and the flag of a lock as far as those who lock and unlock ask for it.
; CHECK-LABEL: define void @own_business(
; CHECK-NOT: goldilocks_atomic
; CHECK: call i64 @__goldilocks_atomic_load1(ptr %flag,
; CHECK-NOT: goldilocks_atomic
; CHECK: ret void
define void @own_business(ptr %count, ptr %flag) !dbg !32 {
  %n = load atomic i64, ptr %count monotonic, align 8, !dbg !34
  %one = atomicrmw add ptr %count, i64 1 monotonic, align 8, !dbg !34
  %poisoned = load atomic i8, ptr %flag monotonic, align 1, !dbg !36
  %asked = load atomic i8, ptr %flag monotonic, align 1, !dbg !38
  ret void
}

; A function of the program's with such a name, and with a type of the library's.
; CHECK-LABEL: define void @of_a_namesake(
; CHECK: call void @__goldilocks_atomic_store1(
define void @of_a_namesake(ptr %flag) !dbg !42 {
  store atomic i8 1, ptr %flag release, align 1, !dbg !43
  ret void
}

; Where nothing is inlined, calls do it: the runtime's function takes their place,
; CHECK-LABEL: define { i32, i32 } @debug(
; CHECK-NOT: atomic_compare_exchange17h
; CHECK: [[OLD:%.*]] = call i64 @__goldilocks_lock_compare_exchange(ptr %lock, i64 0, i64 1, i32 16786180)
; CHECK: [[IS:%.*]] = icmp ne i64 [[OLD]], 0
; CHECK: [[FAILED:%.*]] = zext i1 [[IS]] to i32
; CHECK: [[BEFORE:%.*]] = trunc i64 [[OLD]] to i32
; CHECK: [[PAIR:%.*]] = insertvalue { i32, i32 } poison, i32 [[FAILED]], 0
; CHECK: insertvalue { i32, i32 } [[PAIR]], i32 [[BEFORE]], 1
; CHECK: call i64 @__goldilocks_lock_load(ptr %lock, i32 16777220)
; CHECK-NOT: atomic_load17h
; CHECK: ret { i32, i32 }
define { i32, i32 } @debug(ptr %lock) !dbg !5 {
  %result = call { i32, i32 } @_ZN4core4sync6atomic23atomic_compare_exchange17h0123456789abcdefE(ptr %lock, i32 0, i32 1, i8 2, i8 0), !dbg !14
  %value = call i32 @_ZN4core4sync6atomic11atomic_load17h0123456789abcdefE(ptr %lock, i8 0), !dbg !14
  %all = insertvalue { i32, i32 } %result, i32 %value, 1
  ret { i32, i32 } %all
}
declare i32 @_ZN4core4sync6atomic11atomic_load17h0123456789abcdefE(ptr, i8)
; but not if their order is not known.
; CHECK-LABEL: define void @of_some_order(
; CHECK: call {{.*}}atomic_compare_exchange17h
define void @of_some_order(ptr %lock, i8 %order) !dbg !39 {
  %result = call { i32, i32 } @_ZN4core4sync6atomic23atomic_compare_exchange17h0123456789abcdefE(ptr %lock, i32 0, i32 1, i8 %order, i8 0), !dbg !40
  ret void
}
declare { i32, i32 } @_ZN4core4sync6atomic23atomic_compare_exchange17h0123456789abcdefE(ptr, i32, i32, i8, i8)

; CHECK-LABEL: define void @_RNvXs_NtCs5kV_11parking_lot9raw_mutexNtB4_8RawMutexNtNtCs9_8lock_api5mutex8RawMutex4lock(
; CHECK: call void @__goldilocks_lock_word(ptr %self, i32 0, i32 0, i32 1)
; CHECK-NEXT: store i64 {{.*}} @__goldilocks_tls
; CHECK-NEXT: ret void
; LATE-LABEL: define void @_RNvXs_NtCs5kV_11parking_lot9raw_mutexNtB4_8RawMutexNtNtCs9_8lock_api5mutex8RawMutex4lock(
; LATE-NOT: lock_word
; LATE: ret void
define void @_RNvXs_NtCs5kV_11parking_lot9raw_mutexNtB4_8RawMutexNtNtCs9_8lock_api5mutex8RawMutex4lock(ptr %self) {
  ret void
}

; CHECK-LABEL: define zeroext i1 @_RNvXs_NtCs5kV_11parking_lot9raw_mutexNtB4_8RawMutexNtNtCs9_8lock_api5mutex8RawMutex8try_lock(
; CHECK: [[NEW:%.*]] = select i1 %taken, i32 1, i32 0
; CHECK: call void @__goldilocks_lock_word(ptr %self, i32 0, i32 0, i32 [[NEW]])
define zeroext i1 @_RNvXs_NtCs5kV_11parking_lot9raw_mutexNtB4_8RawMutexNtNtCs9_8lock_api5mutex8RawMutex8try_lock(ptr %self, i1 %taken) {
  ret i1 %taken
}

; CHECK-LABEL: define void @"_ZN76_$LT$parking_lot..raw_mutex..RawMutex$u20$as$u20$lock_api..mutex..RawMutex$GT$6unlock17h0123456789abcdefE"(
; CHECK: call void @__goldilocks_lock_word(ptr %self, i32 0, i32 1, i32 0)
; CHECK: store
define void @"_ZN76_$LT$parking_lot..raw_mutex..RawMutex$u20$as$u20$lock_api..mutex..RawMutex$GT$6unlock17h0123456789abcdefE"(ptr %self) {
  store i8 0, ptr %self
  ret void
}

; CHECK-LABEL: define void @_RNvXs_NtCs5_7dashmap4lockNtB4_9RawRwLockNtNtCs9_8lock_api6rwlock9RawRwLock14lock_exclusive(
; CHECK: call void @__goldilocks_lock_word(ptr %self, i32 1, i32 0, i32 1073741823)
define void @_RNvXs_NtCs5_7dashmap4lockNtB4_9RawRwLockNtNtCs9_8lock_api6rwlock9RawRwLock14lock_exclusive(ptr %self) {
  ret void
}

; A closure in such a method, and methods of other types.
; CHECK-LABEL: define void @_RNCNvXs_NtCs5_11parking_lot9raw_mutexNtB4_8RawMutexNtNtCs9_8lock_api5mutex8RawMutex4lock0B7_(
; CHECK-NOT: lock_word
define void @_RNCNvXs_NtCs5_11parking_lot9raw_mutexNtB4_8RawMutexNtNtCs9_8lock_api5mutex8RawMutex4lock0B7_(ptr %self) {
  ret void
}
; CHECK-LABEL: define void @"_ZN8lock_api5mutex14Mutex$LT$R$C$T$GT$4lock17h0123456789abcdefE"(
; CHECK-NOT: lock_word(
; CHECK: ret void
define void @"_ZN8lock_api5mutex14Mutex$LT$R$C$T$GT$4lock17h0123456789abcdefE"(ptr %self) {
  ret void
}

; What `lock_api` 0.5 returns: where the result does not say in general whether the lock was taken, nothing is told.
; CHECK-LABEL: define { i64, i64 } @_RNvXs_NtCs5_1a1bNtB4_8RawMutexNtNtCs9_8lock_api5mutex8RawMutex8try_lock(
; CHECK-NOT: lock_word
; CHECK: ret { i64, i64 }
define { i64, i64 } @_RNvXs_NtCs5_1a1bNtB4_8RawMutexNtNtCs9_8lock_api5mutex8RawMutex8try_lock(ptr %self, { i64, i64 } %result) !dbg !22 {
  ret { i64, i64 } %result
}
; CHECK-LABEL: define ptr @_RNvXs_NtCs5_1a1cNtB4_8RawMutexNtNtCs9_8lock_api5mutex8RawMutex8try_lock(
; CHECK: [[ADDRESS:%.*]] = ptrtoint ptr %result to i64
; CHECK: [[SOME:%.*]] = icmp ne i64 [[ADDRESS]], 0
; CHECK: [[NEW:%.*]] = select i1 [[SOME]], i32 1, i32 0
; CHECK: call void @__goldilocks_lock_word(ptr %self, i32 0, i32 0, i32 [[NEW]])
define ptr @_RNvXs_NtCs5_1a1cNtB4_8RawMutexNtNtCs9_8lock_api5mutex8RawMutex8try_lock(ptr %self, ptr %result) !dbg !23 {
  ret ptr %result
}
; CHECK-LABEL: define void @_RNvXs_NtCs5_1a1dNtB4_8RawMutexNtNtCs9_8lock_api5mutex8RawMutex4lock(
; CHECK: call void @__goldilocks_lock_word(ptr %self, i32 0, i32 0, i32 1)
define void @_RNvXs_NtCs5_1a1dNtB4_8RawMutexNtNtCs9_8lock_api5mutex8RawMutex4lock(ptr sret([40 x i8]) %guard, ptr %self) {
  ret void
}
; `Ok` is 0.
; CHECK-LABEL: define zeroext i1 @_RNvXs_NtCs5_1a1eNtB4_9RawRwLockNtNtCs9_8lock_api6rwlock16RawRwLockUpgrade11try_upgrade(
; CHECK: [[NEW:%.*]] = select i1 %result, i32 1, i32 1073741823
; CHECK: call void @__goldilocks_lock_word(ptr %self, i32 1, i32 1, i32 [[NEW]])
define zeroext i1 @_RNvXs_NtCs5_1a1eNtB4_9RawRwLockNtNtCs9_8lock_api6rwlock16RawRwLockUpgrade11try_upgrade(ptr %self, i1 %result) !dbg !24 {
  ret i1 %result
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_Rust, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.rs", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "word", file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!5 = distinct !DISubprogram(name: "debug", file: !1, line: 9, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = distinct !DISubprogram(name: "lock", linkageName: "_RNvMNtNtNtNtCsjr_3std3sys4sync5mutex5futexNtB2_5Mutex4lock", file: !1, line: 2, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!7 = distinct !DISubprogram(name: "read_unlock", linkageName: "_ZN3std3sys4sync6rwlock5futex6RwLock11read_unlock17h0123456789abcdefE", file: !1, line: 3, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!8 = distinct !DISubprogram(name: "swap", linkageName: "_RNvMs_NtCs1_4core4sync6atomic", file: !1, line: 4, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!9 = !DILocation(line: 1, scope: !4)
!10 = !DILocation(line: 4, scope: !8, inlinedAt: !15)
!11 = !DILocation(line: 2, scope: !6, inlinedAt: !9)
!12 = !DILocation(line: 3, scope: !7, inlinedAt: !9)
!13 = !DILocation(line: 1, scope: !4)
!14 = !DILocation(line: 2, scope: !6, inlinedAt: !16)
!15 = distinct !DILocation(line: 2, scope: !6, inlinedAt: !9)
!16 = distinct !DILocation(line: 9, scope: !5)
!17 = !DICompositeType(tag: DW_TAG_structure_type, name: "Option<usize>", file: !1, size: 128, elements: !{}, identifier: "a")
!18 = !DICompositeType(tag: DW_TAG_structure_type, name: "Option<&u8>", file: !1, size: 64, elements: !{}, identifier: "b")
!19 = !DICompositeType(tag: DW_TAG_structure_type, name: "Result<(), ()>", file: !1, size: 8, elements: !{}, identifier: "c")
!22 = distinct !DISubprogram(name: "try_lock", file: !1, line: 20, type: !25, unit: !0, spFlags: DISPFlagDefinition)
!23 = distinct !DISubprogram(name: "try_lock", file: !1, line: 21, type: !26, unit: !0, spFlags: DISPFlagDefinition)
!24 = distinct !DISubprogram(name: "try_upgrade", file: !1, line: 22, type: !27, unit: !0, spFlags: DISPFlagDefinition)
!25 = !DISubroutineType(types: !{!17})
!26 = !DISubroutineType(types: !{!18})
!27 = !DISubroutineType(types: !{!19})
!28 = distinct !DISubprogram(name: "word_of_a_byte", file: !1, line: 30, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!29 = !DILocation(line: 2, scope: !6, inlinedAt: !30)
!30 = distinct !DILocation(line: 30, scope: !28)
!31 = distinct !DISubprogram(name: "increase", linkageName: "_RNvNtNtCsjr_3std9panicking11panic_count8increase", file: !1, line: 31, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!32 = distinct !DISubprogram(name: "own_business", file: !1, line: 32, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!33 = distinct !DISubprogram(name: "guard", linkageName: "_RNvMs_NtNtCsjr_3std4sync6poisonNtB4_4Flag5guard", file: !1, line: 33, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!34 = !DILocation(line: 31, scope: !31, inlinedAt: !35)
!35 = distinct !DILocation(line: 32, scope: !32)
!36 = !DILocation(line: 33, scope: !33, inlinedAt: !35)
!37 = distinct !DISubprogram(name: "get", linkageName: "_RNvMs_NtNtCsjr_3std4sync6poisonNtB4_4Flag3get", file: !1, line: 37, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!38 = !DILocation(line: 37, scope: !37, inlinedAt: !35)
!39 = distinct !DISubprogram(name: "of_some_order", file: !1, line: 39, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!40 = !DILocation(line: 2, scope: !6, inlinedAt: !41)
!41 = distinct !DILocation(line: 39, scope: !39)
!42 = distinct !DISubprogram(name: "done", linkageName: "_RINvMs_NtCsjr_4userNtB4_4Flag4doneINtNtNtNtCsjr_3std4sync6poison5mutex5MutexlEE", file: !1, line: 42, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!43 = !DILocation(line: 42, scope: !42)
