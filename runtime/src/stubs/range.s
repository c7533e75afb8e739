# Ranges of few bytes, as short loops have them: the lane of `few`, without anything before it that is worth it for long ones only.

# By the C convention: address in rdi, bytes in rsi. What the lane does not make goes on in the hook proper (`hooks`), with what the
# lane has given.
.macro GOLDILOCKS_RANGE kind
    .p2align 4
    .globl __goldilocks_\kind\()_range
    .type __goldilocks_\kind\()_range, @function
__goldilocks_\kind\()_range:
    .cfi_startproc
    lea -1(%rsi), %rax
    cmp $({few} - 1), %rax
    ja 9f
# A thread that is alone has no tag.
    mov __goldilocks_tls@GOTTPOFF(%rip), %rcx
    cmpl $0, %fs:(%rcx)
    je 9f
# As `compiled_context`; 0 is none.
    mov %fs:24(%rcx), %r8
    add 8(%rbp), %r8
    jz 9f
# As `Shape::of`.
    mov %esi, %edx
    test %eax, %esi
    jnz 1f
    test %eax, %edi
    jz 2f
1:
    mov %edi, %edx
    and $63, %edx
    shl $8, %edx
    or %esi, %edx
    or $128, %edx
2:
    mov (%rsp), %rcx
    push %rdi
    .cfi_adjust_cfa_offset 8
    push %rsi
    .cfi_adjust_cfa_offset 8
    .ifc \kind, write
    or $256, %esi
    .endif
    call goldilocks_few_\kind
    pop %rsi
    .cfi_adjust_cfa_offset -8
    pop %rdi
    .cfi_adjust_cfa_offset -8
    cmp ${made}, %eax
    jne 3f
    ret
9:
    mov ${not_tried}, %eax
3:
    mov %eax, %edx
    jmp goldilocks_\kind\()_range
    .cfi_endproc
    .size __goldilocks_\kind\()_range, . - __goldilocks_\kind\()_range
.endm
    GOLDILOCKS_RANGE read
    GOLDILOCKS_RANGE write
