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
# Five vector registers, to be used meanwhile.
.macro GOLDILOCKS_PUT_VECTORS
    movups %xmm1, (%rsp)
    movups %xmm3, 16(%rsp)
    movups %xmm4, 32(%rsp)
    movups %xmm5, 48(%rsp)
    movups %xmm6, 64(%rsp)
.endm
.macro GOLDILOCKS_GET_VECTORS
    movups (%rsp), %xmm1
    movups 16(%rsp), %xmm3
    movups 32(%rsp), %xmm4
    movups 48(%rsp), %xmm5
    movups 64(%rsp), %xmm6
.endm
# The questions of `goldilocks_record_\kind` about the four entries at rsi.
.macro GOLDILOCKS_ASK kind
    movzbl %r9b, %ecx
    movd %ecx, %xmm1
    pshufd $0, %xmm1, %xmm1
    movups (%rsi), %xmm3
    movups 16(%rsi), %xmm5
    movaps %xmm3, %xmm4
    shufps $0x88, %xmm5, %xmm3
    shufps $0xdd, %xmm5, %xmm4
    pxor %xmm6, %xmm6
    movaps %xmm3, %xmm5
    pcmpeqd %xmm6, %xmm5
    movmskps %xmm5, %r14d
    movaps %xmm3, %xmm5
    pand %xmm1, %xmm5
    pcmpeqd %xmm6, %xmm5
    movmskps %xmm5, %edx
    pandn %xmm3, %xmm1
    pslld $24, %xmm1
    pcmpeqd %xmm6, %xmm1
    movmskps %xmm1, %r15d
    movaps %xmm3, %xmm5
    pslld $23, %xmm5
    movmskps %xmm5, %r13d
    movd %r10d, %xmm5
    pshufd $0, %xmm5, %xmm5
    pcmpeqd %xmm4, %xmm5
    movmskps %xmm5, %ebx
    movaps %xmm4, %xmm5
    pslld $3, %xmm5
    movmskps %xmm5, %r12d
    movd %r9d, %xmm5
    pshufd $0, %xmm5, %xmm5
    pxor %xmm3, %xmm5
    psrld $8, %xmm5
    pcmpeqd %xmm6, %xmm5
    movmskps %xmm5, %eax
    .ifc \kind, read
    movmskps %xmm4, %r11d
    .endif
    pslld $24, %xmm3
    psrld $24, %xmm3
    pand %xmm5, %xmm3
    psrad $31, %xmm4
    movaps %xmm4, %xmm5
    pand %xmm3, %xmm5
    pandn %xmm3, %xmm4
    pslld $8, %xmm4
    por %xmm5, %xmm4
    pshufd $0x4e, %xmm4, %xmm5
    por %xmm5, %xmm4
    pshufd $0xb1, %xmm4, %xmm5
    por %xmm5, %xmm4
    movd %xmm4, %ecx
.endm
# The entry in rax is not known to be ordered before: a read of a part of a half stays beside it, if it is one as well, and else goes to `no`. Readers of more may be a set, or
# keep it to themselves.
.macro GOLDILOCKS_BESIDE no
    test %rax, %rax
    js \no
    mov %r9d, %ecx
    not %ecx
    test $0x0f, %cl
    jz \no
    test $0xf0, %cl
    jz \no
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
# rsi is where its entries are, below what is on the stack: where the line's word is, and then nothing yet.
    push %rbp
    .cfi_adjust_cfa_offset 8
    mov %eax, %esi
    and $0x1fffffff, %esi
    shl $5, %rsi
    add {tables}+{records}(%rip), %rsi
    push $0
    .cfi_adjust_cfa_offset 8
    prefetchw (%rsi)
    GOLDILOCKS_SHADOW
    prefetchw 0x10440(%rcx)
# r10d is the upper half of the access' entry.
    mov %r11d, %r10d
    .ifc \kind, write
    bts $31, %r10d
    .endif
    test %eax, %eax
    js 60f
# Which entry is what cannot be foreseen, and a branch for each of these questions would be wrong half of the time. So all are asked of four entries at once, without one, and of eight in two goes; the
# registers for that are the program's. A bit for each entry: r14d that it is none, edx that it has none of the access' bytes, r15d that it has no others,
# r13d that it is atomic, ebx that it has the same site and kind, r11d that it is a write, r12d that its thread keeps it to itself, eax that it is of this epoch. ecx has the bytes that
# the thread has written in this epoch, and above these those that it has read. Whoever changes the record meanwhile changes the line's word as well, so that none of this counts then.
    sub $80, %rsp
    .cfi_adjust_cfa_offset 80
    GOLDILOCKS_PUT_VECTORS
    GOLDILOCKS_ASK \kind
    GOLDILOCKS_GET_VECTORS
    add $80, %rsp
    .cfi_adjust_cfa_offset -80
    mov $0xf, %ebp
# ebp has a bit for each entry.
64:
    mov %ecx, (%rsp)
# ebx is the entry that the access joins, edx those that share bytes with it, and r12d those of them that have to be ordered before.
    and %eax, %ebx
    or %ebx, %edx
    not %edx
    and %ebp, %edx
    test %edx, %r12d
    jnz 8f
    mov %eax, %r12d
    not %r12d
    and %edx, %r12d
    test %r12d, %r13d
    jnz 8f
# r13d are those that lose bytes: what the new one says is not said twice, and what comes after it comes after these.
    mov %edx, %r13d
    .ifc \kind, read
    not %r11d
    and %r11d, %r13d
    .endif
    test %r12d, %r12d
    jz 4f
3:
    bsf %r12d, %eax
    mov (%rsi,%rax,8), %rax
    mov %eax, %edx
    .ifc \kind, read
    GOLDILOCKS_KNOWN 34f, 32f
    jb 32f
    test %rax, %rax
    js 31f
# On the stack, above the bytes: 18 says that a read of an earlier epoch loses bytes, 19 that the thread's own does, 20 that another one's, and 17 that others' reads stay that are not
# ordered before.
    orl $0x140000, (%rsp)
    jmp 31f
34:
    test %rax, %rax
    js 31f
    orl $0xc0000, (%rsp)
    .else
    GOLDILOCKS_KNOWN 31f, 8f
    jb 8f
    .endif
31:
    lea -1(%r12), %eax
    and %eax, %r12d
    jnz 3b
    jmp 4f
    .ifc \kind, read
32:
    GOLDILOCKS_BESIDE 8f
    bsf %r12d, %eax
    btr %eax, %r13d
    orl $0x20000, (%rsp)
    jmp 31b
    .endif
4:
# r14d are those that are free, or will be; where the access goes, which ebx says if it is not 0. Not to what is all that is left.
    and %r13d, %r15d
    or %r15d, %r14d
    mov %r14d, %eax
    or %ebx, %eax
    cmp %ebp, %eax
    je 8f
    test %ebx, %ebx
    cmovnz %ebx, %r14d
    bsf %r14d, %r14d
    jz 8f
    mov (%rsp), %r12d
# r12d is what the access has of this epoch, and what is to be known of others. Not what is made already.
62:
    mov %r12d, %eax
    .ifc \kind, read
    mov %r12d, %ecx
    shr $8, %ecx
    or %ecx, %eax
    .endif
    not %eax
    test %al, %r9b
    jz 8f
    .ifc \kind, read
# One that comes back beside others may be the thread's own from now on, while it may have such.
    mov %r12d, %eax
    and $0x60000, %eax
    cmp $0x60000, %eax
    je 35f
# So may one of all that have come back in turns.
    mov %r12d, %eax
    and $0x180000, %eax
    cmp $0x180000, %eax
    jne 33f
35:
    cmpl ${most_of_readers}, {of_readers}(%r8)
    jne 8f
33:
    .endif
    mov 8(%rsp), %rbp
# Under the line's lock, if nobody was there since.
    mov 16(%rsp), %eax
    mov %eax, %ecx
    bts $31, %ecx
    lock cmpxchg %ecx, (%rbp)
    jne 8f
    GOLDILOCKS_NUMBER rcx
    mov 20(%rsp), %edx
    cmp %edx, (%rcx)
    jne 13f
    movzbl %r9b, %edx
    not %rdx
# r15 has the turns of what goes (`goldilocks_core::records`).
    xor %r15d, %r15d
    test %r13d, %r13d
    jz 12f
11:
    bsf %r13d, %ecx
    lea -1(%r13), %eax
    and %eax, %r13d
    mov (%rsi,%rcx,8), %rax
    .ifc \kind, read
    or %rax, %r15
    .endif
    xor %r11d, %r11d
    and %rdx, %rax
    test %al, %al
    cmovz %r11, %rax
    mov %rax, (%rsi,%rcx,8)
    test %r13d, %r13d
    jnz 11b
12:
    mov %r9d, %eax
    test %ebx, %ebx
    jz 15f
    or (%rsi,%r14,8), %al
    .ifc \kind, read
    or (%rsi,%r14,8), %r15
    .endif
15:
    mov %r10d, %edx
    shl $32, %rdx
    or %rdx, %rax
    .ifc \kind, read
    shr ${turns_shift}, %r15
    and $3, %r15d
    shl ${turns_shift}, %r15
    or %r15, %rax
    .endif
    mov %rax, (%rsi,%r14,8)
# The cell says what the thread has accessed in this epoch.
    mov %r9d, %edx
    xor %dl, %dl
    movzbl %r12b, %eax
    movzwl %r12w, %ecx
    shr $8, %ecx
    .ifc \kind, write
    or %r9d, %eax
    .else
    or %r9d, %ecx
    mov %eax, %ebx
    or %edx, %ebx
    test %eax, %eax
    cmovnz %ebx, %eax
    .endif
    or %eax, %ecx
    or %edx, %ecx
    shl $32, %rcx
    or %rcx, %rax
    GOLDILOCKS_SHADOW
    mov 0x10444(%rcx), %edx
    mov %rax, 0x10440(%rcx)
    mov 16(%rsp), %eax
    inc %eax
    and $0x1fffffff, %eax
    bts $30, %eax
    mov %eax, (%rbp)
    decl {until}(%r8)
    incq {quick}(%r8)
    movb $0, {recheck}(%r8)
# Where another thread is there meanwhile, it will not say this for long.
    GOLDILOCKS_KNOWN 17f, 36f
    jae 17f
36:
    GOLDILOCKS_NOTE_MADE \kind
17:
    mov $1, %eax
7:
    add $24, %rsp
    .cfi_adjust_cfa_offset -24
18:
    GOLDILOCKS_GET_BACK r15
    GOLDILOCKS_GET_BACK r14
    GOLDILOCKS_GET_BACK r13
    GOLDILOCKS_GET_BACK r12
    GOLDILOCKS_GET_BACK r11
    GOLDILOCKS_GET_BACK rbp
    GOLDILOCKS_GET_BACK rbx
    ret
    .cfi_adjust_cfa_offset 80
    .cfi_rel_offset %rbx, 72
    .cfi_rel_offset %rbp, 64
    .cfi_rel_offset %r11, 56
    .cfi_rel_offset %r12, 48
    .cfi_rel_offset %r13, 40
    .cfi_rel_offset %r14, 32
    .cfi_rel_offset %r15, 24
# Eight entries: the answers of the last four, and those of the first.
60:
    test $1, %al
    jnz 61f
    sub $128, %rsp
    .cfi_adjust_cfa_offset 128
    GOLDILOCKS_PUT_VECTORS
    add $32, %rsi
    GOLDILOCKS_ASK \kind
    sub $32, %rsi
    .irp answer, r14d, edx, r15d, r13d, ebx, r12d, eax
    shl $4, %\answer
    .endr
    mov %r14d, 80(%rsp)
    mov %edx, 84(%rsp)
    mov %r15d, 88(%rsp)
    mov %r13d, 92(%rsp)
    mov %ebx, 96(%rsp)
    mov %r12d, 100(%rsp)
    mov %eax, 104(%rsp)
    .ifc \kind, read
    shl $4, %r11d
    mov %r11d, 108(%rsp)
    .endif
    mov %ecx, 112(%rsp)
    GOLDILOCKS_ASK \kind
    or 80(%rsp), %r14d
    or 84(%rsp), %edx
    or 88(%rsp), %r15d
    or 92(%rsp), %r13d
    or 96(%rsp), %ebx
    or 100(%rsp), %r12d
    or 104(%rsp), %eax
    .ifc \kind, read
    or 108(%rsp), %r11d
    .endif
    or 112(%rsp), %ecx
    GOLDILOCKS_GET_VECTORS
    add $128, %rsp
    .cfi_adjust_cfa_offset -128
    mov $0xff, %ebp
    jmp 64b
# Sixteen, r15 being the number of one: of a word that needs as many, most are the same time and again.
# bl has the bytes that the thread has written in this epoch, and bh those that it has read; the bits above are as those on the stack, and 16 says that
# something else stays. r12 has a bit for each entry that loses bytes, r13 is the one that the access joins, and r14 one that is free, or will be; none is -1.
61:
    mov $15, %r15d
    sub $32, %rsi
    prefetchw 64(%rsi)
    xor %ebx, %ebx
    xor %r12d, %r12d
    mov $-1, %r13
    mov $-1, %r14
70:
    mov (%rsi,%r15,8), %rax
    test %rax, %rax
    jz 73f
    mov %eax, %edx
    xor %r9d, %edx
    cmp $0xff, %edx
    ja 71f
    test %rax, %rax
    js 76f
    or %al, %bh
    jmp 77f
76:
    or %al, %bl
77:
    mov %rax, %rcx
    shr $32, %rcx
    cmp %r10d, %ecx
    je 75f
    test %al, %r9b
    jz 74f
# Nor what its thread keeps to itself.
    bt $60, %rax
    jc 8f
    .ifc \kind, read
    test %rax, %rax
    js 74f
    .endif
    jmp 72f
71:
    test %al, %r9b
    jz 74f
    bt $60, %rax
    jc 8f
    test $0x100, %eax
    jnz 8f
    mov %eax, %edx
    .ifc \kind, read
    GOLDILOCKS_KNOWN 79f, 78f
    jb 78f
    test %rax, %rax
    js 74f
    or $0x140000, %ebx
    jmp 72f
79:
    test %rax, %rax
    js 74f
    or $0xc0000, %ebx
    .else
    GOLDILOCKS_KNOWN 72f, 8f
    jb 8f
    .endif
# What the new one says is not said twice, and what comes after it comes after this.
72:
    bts %r15, %r12
    mov %r9d, %ecx
    not %ecx
    test %cl, %al
    jnz 74f
73:
    mov %r15, %r14
    dec %r15
    jns 70b
    jmp 80f
74:
    bts $16, %ebx
    dec %r15
    jns 70b
    jmp 80f
    .ifc \kind, read
78:
    GOLDILOCKS_BESIDE 8f
    bts $17, %ebx
    jmp 74b
    .endif
75:
    mov %r15, %r13
    dec %r15
    jns 70b
80:
    btl $16, %ebx
    jnc 8f
    mov %ebx, %eax
    xor %ebx, %ebx
    test %r13, %r13
    js 81f
    mov %r13, %r14
    inc %ebx
81:
    test %r14, %r14
    js 8f
    mov %r12d, %r13d
    mov %eax, %r12d
    jmp 62b
13:
    mov 16(%rsp), %eax
    mov %eax, (%rbp)
8:
    xor %eax, %eax
    jmp 7b
    .cfi_adjust_cfa_offset -24
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
