# The exact check (SC0) of the cells of an access, with an entry for each register that may have the address.

# One entry per register: the address goes to rdi, which the common part restores.
.macro GOLDILOCKS_ENTRY kind, size, register
    .globl __goldilocks_\kind\size\()_\register
    .type __goldilocks_\kind\size\()_\register, @function
    .p2align 4
__goldilocks_\kind\size\()_\register:
    .cfi_startproc
    push %rdi
    .cfi_adjust_cfa_offset 8
    .ifnc \register, rdi
    mov %\register, %rdi
    .endif
    jmp goldilocks_check_\kind\size
    .cfi_endproc
    .size __goldilocks_\kind\size\()_\register, . - __goldilocks_\kind\size\()_\register
.endm
# One cell of the check: rax is its shadow, ecx the thread's tag, the low byte of esi the mask. edx is scratch.
.macro GOLDILOCKS_CELL offset
    mov %ecx, %edx
    xor \offset(%rax), %edx
    cmp $0xff, %edx
    ja 6f
    test %dl, %sil
    jnz 6f
.endm
# The same of the read tag, with the set that the thread has met where that has its place (`TlsBlock::meet_set`). ecx is scratch as well.
.macro GOLDILOCKS_SET_CELL offset
    mov \offset(%rax), %edx
    shr $9, %edx
    and $15, %edx
    mov __goldilocks_tls@GOTTPOFF(%rip), %rcx
    mov %fs:48(%rcx,%rdx,4), %edx
    xor \offset(%rax), %edx
    cmp $0xff, %edx
    ja 6f
    test %dl, %sil
    jnz 6f
.endm
# All cells of an access, by the macro `cell`. Falls through when that fails.
.macro GOLDILOCKS_COMPARE cell, size, mask, offset
    mov %edi, %ecx
    and $7, %ecx
    mov $\mask, %esi
    shl %cl, %esi
    .ifc \cell, GOLDILOCKS_CELL
    mov __goldilocks_tls@GOTTPOFF(%rip), %rcx
    mov %fs:(%rcx), %ecx
    .endif
    \cell \offset
    .if \size > 1
    shr $8, %esi
    jz 7f
    \cell \offset+8
    .endif
    .if \size > 8
    shr $8, %esi
    jz 7f
    \cell \offset+16
    .endif
    jmp 7f
6:
.endm
# What the thread has accessed where the cell says what others have (`thread::made`), of an access that is aligned to its size. Goes to 7 when it is there.
# Uses rcx and edx; rax and esi stay what they are for aligned ones.
.macro GOLDILOCKS_OWN_CELL kind, size
    mov __goldilocks_tls@GOTTPOFF(%rip), %rcx
    mov %fs:(%rcx), %edx
    cmp %edx, %fs:148(%rcx)
    jne 50f
    mov %fs:112(%rcx), %rdx
    .if \size > 1
    test $(\size - 1), %dil
    jnz 50f
    .endif
    push %rdi
    .cfi_adjust_cfa_offset 8
    shr $3, %rdi
    push %rdi
    .cfi_adjust_cfa_offset 8
    and %fs:128(%rcx), %edi
    shl $4, %edi
    add %rdi, %rdx
    pop %rdi
    .cfi_adjust_cfa_offset -8
    or %fs:120(%rcx), %rdi
# The epoch before the word, as a signal handler may come in between.
    mov %fs:(%rcx), %ecx
    .ifc \kind, write
    xor 8(%rdx), %ecx
    .else
    xor 12(%rdx), %ecx
    .endif
    cmp %rdi, (%rdx)
    pop %rdi
    .cfi_adjust_cfa_offset -8
    jne 50f
    cmp $0xff, %ecx
    ja 50f
    test %cl, %sil
    jz 7f
50:
.endm
# What is asked of an access before its lane, in the same order, if it is to a whole word: pointers and what threads read again that others read, too. Goes to 54 if it is
# none of these, and falls through if it is not aligned.
.macro GOLDILOCKS_WHOLE kind, offset
    test $7, %dil
    jnz 51f
    mov %rdi, %rax
    btc $46, %rax
    mov __goldilocks_tls@GOTTPOFF(%rip), %rcx
    mov %fs:(%rcx), %edx
    cmp \offset(%rax), %edx
    je 7f
    test %edx, %edx
    jz 28f
    .ifc \kind, read
    cmpl $-1, %fs:20(%rcx)
    je 52f
    mov \offset(%rax), %esi
    mov %esi, %edx
    shr $9, %edx
    and $15, %edx
    cmp %fs:48(%rcx,%rdx,4), %esi
    je 7f
52:
    mov %fs:136(%rcx), %rdx
    test %rdx, %rdx
    jz 53f
    GOLDILOCKS_KEPT_WORD
53:
    .endif
    mov $0xff, %esi
    jmp 54f
51:
.endm
# The access is made.
.macro GOLDILOCKS_MADE
7:
# At every instruction: a thread that is canceled asynchronously is unwound from wherever it is.
    pop %rsi
    .cfi_adjust_cfa_offset -8
    pop %rdx
    .cfi_adjust_cfa_offset -8
    pop %rcx
    .cfi_adjust_cfa_offset -8
    pop %rax
    .cfi_adjust_cfa_offset -8
    pop %rdi
    .cfi_adjust_cfa_offset -8
    ret
    .cfi_adjust_cfa_offset 40
.endm
# Each begins with a cache line: by where else the linker puts one, a ray tracer took up to 1.2 times its time.
.macro GOLDILOCKS_CHECK kind, size, mask, offset, info
    .p2align 6
    .type goldilocks_check_\kind\size, @function
goldilocks_check_\kind\size:
    .cfi_startproc
    .cfi_adjust_cfa_offset 8
    push %rax
    .cfi_adjust_cfa_offset 8
    push %rcx
    .cfi_adjust_cfa_offset 8
    push %rdx
    .cfi_adjust_cfa_offset 8
    push %rsi
    .cfi_adjust_cfa_offset 8
    .if \size == 8
    GOLDILOCKS_WHOLE \kind, \offset
    .endif
    mov %rdi, %rax
    and $-8, %rax
    btc $46, %rax
    GOLDILOCKS_COMPARE GOLDILOCKS_CELL, \size, \mask, \offset
# A thread that is alone again has no tag, and nothing to say of what it finds (`phases`).
    test %ecx, %ecx
    jz 28f
# Data that others read, too: the tag is that of a read set that the thread has met.
    .ifc \kind, read
    mov __goldilocks_tls@GOTTPOFF(%rip), %rcx
    cmpl $-1, %fs:20(%rcx)
    je 9f
    GOLDILOCKS_COMPARE GOLDILOCKS_SET_CELL, \size, \mask, \offset
9:
    .endif
    .if \size <= 8
    .ifc \kind, read
    GOLDILOCKS_KEPT \size
    .endif
54:
    GOLDILOCKS_OWN_CELL \kind, \size
    GOLDILOCKS_LANE \kind, \size, \info
    .else
    .ifc \kind, read
    GOLDILOCKS_KEPT_PAIR
    .endif
    mov $\info, %esi
    jmp goldilocks_words_\kind
    .endif
    mov 40(%rsp), %rdx
    jmp goldilocks_enter_slow
    GOLDILOCKS_MADE
28:
    decl {patience}(%rip)
    jle 31f
# Neither a side record nor freed.
    cmpb $0, 0x10444(%rax)
    jne 7b
31:
    mov $\info, %esi
    mov 40(%rsp), %rdx
    jmp goldilocks_enter_slow
    .ifc \kind, read
    GOLDILOCKS_KEPT_LANE \size, \mask, \info
    .endif
    .cfi_endproc
.endm
# What is left of an access of several words, or one that is not aligned: as `goldilocks_enter_slow`, where it goes if it cannot be made.
.macro GOLDILOCKS_WORDS kind
    .p2align 6
    .type goldilocks_words_\kind, @function
goldilocks_words_\kind:
    .cfi_startproc
    .cfi_def_cfa %rsp, 48
    mov %rdi, %rax
    and $-8, %rax
    btc $46, %rax
    GOLDILOCKS_LANE \kind, 16, 0, 40
    mov 40(%rsp), %rdx
    jmp goldilocks_enter_slow
    GOLDILOCKS_MADE
    .cfi_endproc
    .size goldilocks_words_\kind, . - goldilocks_words_\kind
.endm
.macro GOLDILOCKS_REGISTERS kind, size, mask, offset, info
    GOLDILOCKS_CHECK \kind, \size, \mask, \offset, \info
    .irp register, rax, rbx, rcx, rdx, rsi, rdi, rbp, r8, r9, r10, r11, r12, r13, r14, r15
    GOLDILOCKS_ENTRY \kind, \size, \register
    .endr
.endm
