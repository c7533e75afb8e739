# The lane of words with records: most plain accesses to those. What `goldilocks_core::quick_record` does, but for what is made already and for records that are
# not needed any more. A function for all sizes of accesses, as it is longer than the lane itself and the processor's cache of instructions is small.

.macro GOLDILOCKS_KEEP register
    push %\register
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset %\register, 0
.endm
.macro GOLDILOCKS_GET_BACK register
    pop %\register
    .cfi_adjust_cfa_offset -8
    .cfi_restore %\register
.endm
# rdi is the address, r8 the thread's state, r9d the tag with the mask, r11d the site. eax becomes 1 if the access is made, and else 0, and nothing was done. Keeps
# rdi, r8, r9 and r11; uses rax, rcx, rdx, rsi and r10.
.macro GOLDILOCKS_RECORD kind
    .p2align 4
    .type goldilocks_record_\kind, @function
goldilocks_record_\kind:
    .cfi_startproc
    GOLDILOCKS_KEEP rbx
    GOLDILOCKS_KEEP rbp
    GOLDILOCKS_KEEP r11
    GOLDILOCKS_KEEP r12
    GOLDILOCKS_KEEP r13
    GOLDILOCKS_KEEP r14
    GOLDILOCKS_KEEP r15
# rbp is where the line's word is, and that is on the stack, below the word's number. Neither locked, nor without numbers for its words.
    GOLDILOCKS_LINE
    mov %rdx, %rbp
    mov %esi, %eax
    and $0xc0000000, %eax
    cmp $0x40000000, %eax
    jne 9f
    GOLDILOCKS_NUMBER rax
    mov (%rax), %eax
    mov %eax, %ecx
    and $0x60000000, %ecx
    cmp $0x40000000, %ecx
    jne 9f
# It is not time to look for what can be forgotten (`RecordStock::leaves_alone`).
    mov {until}(%r8), %ecx
    test %ecx, %ecx
    jz 9f
    dec %ecx
    test $31, %ecx
    jz 9f
    mov %eax, %edx
    shl $32, %rdx
    or %rsi, %rdx
    push %rdx
    .cfi_adjust_cfa_offset 8
# rsi is where its entries are, r15 the number of one: first the last.
    mov %eax, %esi
    and $0x1fffffff, %esi
    shl $5, %rsi
    add {tables}+{records}(%rip), %rsi
    mov $3, %r15d
    test %eax, %eax
    jns 1f
    mov $7, %r15d
    test $1, %al
    jz 1f
    mov $15, %r15d
    sub $32, %rsi
    prefetchw 64(%rsi)
1:
    prefetchw (%rsi)
    GOLDILOCKS_SHADOW
    prefetchw 0x10440(%rcx)
# r10d is the upper half of the access' entry. bl has the bytes that the thread has written in this epoch, and bh those that it has read; of the bits above these 16 says that
# something else stays, 17 that others' reads do that are not ordered before, 18 that a read of an earlier epoch loses bytes, 19 that the thread's own does, and 20 another one's. r12 has a bit for each entry that loses bytes, r13 is the one that the access joins, and r14 one that is free, or will be; none is -1.
    mov %r11d, %r10d
    .ifc \kind, write
    bts $31, %r10d
    .endif
    xor %ebx, %ebx
    xor %r12d, %r12d
    mov $-1, %r13
    mov $-1, %r14
2:
    mov (%rsi,%r15,8), %rax
    test %rax, %rax
    jz 5f
    mov %eax, %edx
    xor %r9d, %edx
    cmp $0xff, %edx
    ja 3f
    test %rax, %rax
    js 21f
    or %al, %bh
    jmp 22f
21:
    or %al, %bl
22:
    mov %rax, %rcx
    shr $32, %rcx
    cmp %r10d, %ecx
    je 7f
    test %al, %r9b
    jz 6f
# Nor what its thread keeps to itself.
    bt $60, %rax
    jc 8f
    .ifc \kind, read
    test %rax, %rax
    js 6f
    .endif
    jmp 4f
3:
    test %al, %r9b
    jz 6f
    bt $60, %rax
    jc 8f
    test $0x100, %eax
    jnz 8f
    mov %eax, %edx
    .ifc \kind, read
    GOLDILOCKS_KNOWN 34f, 32f
    jb 32f
    test %rax, %rax
    js 6f
    or $0x140000, %ebx
    jmp 4f
34:
    test %rax, %rax
    js 6f
    or $0xc0000, %ebx
    .else
    GOLDILOCKS_KNOWN 4f, 8f
    jb 8f
    .endif
# What the new one says is not said twice, and what comes after it comes after this.
4:
    bts %r15, %r12
    mov %r9d, %ecx
    not %ecx
    test %cl, %al
    jnz 6f
5:
    mov %r15, %r14
    dec %r15
    jns 2b
    jmp 10f
6:
    bts $16, %ebx
    dec %r15
    jns 2b
    jmp 10f
    .ifc \kind, read
# A read of a part of a half stays beside it. Those of more may be a set, or the thread's own.
32:
    test %rax, %rax
    js 8f
    mov %r9d, %ecx
    not %ecx
    test $0x0f, %cl
    jz 8f
    test $0xf0, %cl
    jz 8f
    bts $17, %ebx
    jmp 6b
    .endif
7:
    mov %r15, %r13
    dec %r15
    jns 2b
10:
    .ifc \kind, read
# One that comes back beside others may be the thread's own from now on, while it may have such.
    mov %ebx, %eax
    and $0x60000, %eax
    cmp $0x60000, %eax
    je 35f
# So may one of all that have come back in turns.
    mov %ebx, %eax
    and $0x180000, %eax
    cmp $0x180000, %eax
    jne 33f
35:
    cmpl ${most_of_readers}, {of_readers}(%r8)
    jne 8f
33:
    .endif
    test %r13, %r13
    cmovns %r13, %r14
    test %r14, %r14
    js 8f
# Not what is made already, nor what is all that is left.
    mov %ebx, %eax
    .ifc \kind, read
    or %bh, %al
    .endif
    not %eax
    test %al, %r9b
    jz 8f
    btl $16, %ebx
    jnc 8f
# Under the line's lock, if nobody was there since.
    mov (%rsp), %eax
    mov %eax, %ecx
    bts $31, %ecx
    lock cmpxchg %ecx, (%rbp)
    jne 8f
    GOLDILOCKS_NUMBER rcx
    mov 4(%rsp), %edx
    cmp %edx, (%rcx)
    jne 13f
    movzbl %r9b, %edx
    not %rdx
    test %r12, %r12
    jz 12f
11:
    bsf %r12, %rcx
    btr %rcx, %r12
    mov (%rsi,%rcx,8), %rax
    and %rdx, %rax
    test %al, %al
    jnz 14f
    xor %eax, %eax
14:
    mov %rax, (%rsi,%rcx,8)
    test %r12, %r12
    jnz 11b
12:
    mov %r9d, %eax
    test %r13, %r13
    js 15f
    or (%rsi,%r13,8), %al
15:
    mov %r10d, %edx
    shl $32, %rdx
    or %rdx, %rax
    mov %rax, (%rsi,%r14,8)
# The cell says what the thread has accessed in this epoch.
    mov %r9d, %eax
    .ifc \kind, write
    or %al, %bl
    .else
    or %al, %bh
    .endif
    mov %r9d, %edx
    xor %dl, %dl
    movzbl %bl, %eax
    or %bl, %bh
    test %eax, %eax
    jz 16f
    or %edx, %eax
16:
    movzbl %bh, %ecx
    or %edx, %ecx
    shl $32, %rcx
    or %rcx, %rax
    GOLDILOCKS_SHADOW
    mov 0x10444(%rcx), %edx
    mov %rax, 0x10440(%rcx)
    mov (%rsp), %eax
    inc %eax
    and $0x1fffffff, %eax
    bts $30, %eax
    mov %eax, (%rbp)
    decl {until}(%r8)
    incq {quick}(%r8)
    movb $0, {recheck}(%r8)
# Where it was another thread's, it will not say this for long.
    shr $13, %edx
    mov {tables}+{granules}(%rip), %rcx
    mov (%rcx,%rdx,8), %rdx
    shr $48, %rdx
    cmp {slot}(%r8), %dx
    je 17f
    GOLDILOCKS_NOTE_MADE \kind
17:
    mov $1, %eax
    add $8, %rsp
    .cfi_adjust_cfa_offset -8
18:
    GOLDILOCKS_GET_BACK r15
    GOLDILOCKS_GET_BACK r14
    GOLDILOCKS_GET_BACK r13
    GOLDILOCKS_GET_BACK r12
    GOLDILOCKS_GET_BACK r11
    GOLDILOCKS_GET_BACK rbp
    GOLDILOCKS_GET_BACK rbx
    ret
    .cfi_adjust_cfa_offset 64
    .cfi_rel_offset %rbx, 56
    .cfi_rel_offset %rbp, 48
    .cfi_rel_offset %r11, 40
    .cfi_rel_offset %r12, 32
    .cfi_rel_offset %r13, 24
    .cfi_rel_offset %r14, 16
    .cfi_rel_offset %r15, 8
13:
    mov (%rsp), %eax
    mov %eax, (%rbp)
8:
    add $8, %rsp
    .cfi_adjust_cfa_offset -8
9:
    xor %eax, %eax
    jmp 18b
    .cfi_endproc
    .size goldilocks_record_\kind, . - goldilocks_record_\kind
.endm
# As `TlsBlock::note_made`: r9d is the tag, rdi the address. Uses rax, rcx, rdx, rsi and r10.
.macro GOLDILOCKS_NOTE_MADE kind
    mov __goldilocks_tls@GOTTPOFF(%rip), %rcx
    mov %fs:112(%rcx), %rdx
    test %rdx, %rdx
    jz 44f
    mov %rdi, %rax
    shr $3, %rax
    mov %eax, %esi
    and %fs:128(%rcx), %esi
    shl $4, %rsi
    add %rsi, %rdx
    or %fs:120(%rcx), %rax
    mov 8(%rdx), %rsi
    cmp %rax, (%rdx)
    je 41f
# Another word of the same epoch loses its place.
    mov %rsi, %r10
    shr $32, %r10
    xor %r9d, %r10d
    shr $9, %r10d
    jnz 40f
    incl %fs:132(%rcx)
40:
    mov %rax, (%rdx)
    xor %esi, %esi
41:
    mov %rsi, %rax
    shr $32, %rax
    mov %r9d, %r10d
    xor %eax, %r10d
    cmp $0xff, %r10d
    jbe 42f
    xor %eax, %eax
42:
    or %r9d, %eax
    .ifc \kind, write
    mov %r9d, %r10d
    xor %esi, %r10d
    cmp $0xff, %r10d
    jbe 43f
    xor %esi, %esi
43:
    or %r9d, %esi
    .endif
    mov %esi, 8(%rdx)
    mov %eax, 12(%rdx)
    mov %r9d, %eax
    or $0xff, %eax
    mov %eax, %fs:148(%rcx)
44:
.endm
    GOLDILOCKS_RECORD read
    GOLDILOCKS_RECORD write
