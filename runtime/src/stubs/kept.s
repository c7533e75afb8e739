# What the thread keeps to itself of what all read (`goldilocks_core::kept`).

# Of a read that is aligned to its size: goes to 7 if it was made in this epoch, and to 61 if it was before, with its place in rdx.
# Uses rcx and rdx; rax and esi stay what they are for aligned ones.
.macro GOLDILOCKS_KEPT size
    mov __goldilocks_tls@GOTTPOFF(%rip), %rcx
    mov %fs:136(%rcx), %rdx
    test %rdx, %rdx
    jz 60f
    .if \size > 1
    test $(\size - 1), %dil
    jnz 60f
    .endif
    push %rdi
    .cfi_adjust_cfa_offset 8
    add $0x10440, %edi
    imul $0x9e3779b1, %edi, %edi
    shr $16, %edi
    mov __goldilocks_tls@GOTTPOFF(%rip), %rcx
    and %fs:144(%rcx), %edi
    shl $4, %rdi
    add %rdi, %rdx
    lea 0x10440(%rax), %rdi
    shl $8, %rdi
    mov %sil, %dil
    cmp %rdi, (%rdx)
    pop %rdi
    .cfi_adjust_cfa_offset -8
    jne 60f
    mov %fs:(%rcx), %ecx
    xor 8(%rdx), %ecx
    cmp $0xff, %ecx
    ja 61f
    jmp 7f
60:
.endm
# The lane of these: once more, in a new epoch. Goes to 7 when it is made, and back to 60 if another thread has taken it, or there is more to do.
.macro GOLDILOCKS_KEPT_LANE size, mask, info
61:
    GOLDILOCKS_SAVE
    mov %rdx, %r10
    GOLDILOCKS_ENTER 63f, 62f
# Where the stack was accessed before (`Worker::is_news`).
    cmp {lowest}(%r8), %rdi
    jae 64f
    cmp {low}(%r8), %rdi
    jae 62f
64:
    cmp $-1, %r9d
    je 66f
65:
    mov %sil, %r9b
    GOLDILOCKS_SITE \size, 62f, 0
    mov 8(%r10), %rax
    test %rax, %rax
    jz 62f
    shl $32, %r11
    or %r9, %r11
    lock cmpxchg %r11, 8(%r10)
    jne 62f
    incq {kept}(%r8)
    mov __goldilocks_tls@GOTTPOFF(%rip), %rcx
    movl $0, %fs:4(%rcx)
    testl $1, %fs:16(%rcx)
# As in the other lane.
    jnz 67f
    GOLDILOCKS_RESTORE
    jmp 7b
    .cfi_adjust_cfa_offset 32
# The first access of an epoch.
66:
    GOLDILOCKS_FRAME 0
    push %rdi
    push %rsi
    push %r8
    push %r10
    mov %r8, %rdi
    GOLDILOCKS_PROBE
    cld
    call goldilocks_epoch_entry
    mov %eax, %r9d
    pop %r10
    pop %r8
    pop %rsi
    pop %rdi
    GOLDILOCKS_FRAME_END 0
    test %r9d, %r9d
    jnz 65b
62:
    mov __goldilocks_tls@GOTTPOFF(%rip), %rcx
    movl $0, %fs:4(%rcx)
63:
    GOLDILOCKS_RESTORE
    mov %rdi, %rax
    and $-8, %rax
    btc $46, %rax
    mov %edi, %ecx
    and $7, %ecx
    mov $\mask, %esi
    shl %cl, %esi
    jmp 60b
    .cfi_adjust_cfa_offset 32
67:
    GOLDILOCKS_RESTORE
    mov $(\info + 512), %esi
    mov 40(%rsp), %rdx
    jmp goldilocks_enter_slow
.endm
