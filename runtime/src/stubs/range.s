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
    mov __goldilocks_tls@GOTTPOFF(%rip), %r9
    mov %fs:(%r9), %r10d
    test %r10d, %r10d
    jz 9f
# What the thread has accessed in this epoch (SC0), which loops come back to, before anything is asked about the place: rax is the word's address with bit 46 flipped, r11
# has the bytes that are still to be found, by the word.
    mov $1, %r11d
    mov %esi, %ecx
    shl %cl, %r11
    dec %r11
    mov %edi, %ecx
    and $7, %ecx
    shl %cl, %r11
    mov %rdi, %rax
    and $-8, %rax
    btc $46, %rax
# Only where there are cells, as in the lane.
    mov %rax, %rdx
    shr $44, %rdx
    and $7, %edx
    shl $4, %edx
    add {tables}+{cells}(%rip), %rdx
    cmp (%rdx), %rax
    jb 5f
    lea {few}(%rax), %rcx
    cmp 8(%rdx), %rcx
    jae 5f
3:
    mov %r10d, %edx
    .ifc \kind, write
    xor 0x10440(%rax), %edx
    .else
    xor 0x10444(%rax), %edx
    .endif
    cmp $0xff, %edx
    ja 4f
    test %dl, %r11b
    jnz 4f
6:
    add $8, %rax
    shr $8, %r11
    jnz 3b
    ret
4:
    .ifc \kind, read
# Or the set that the thread was found in last.
    mov %fs:20(%r9), %edx
    xor 0x10444(%rax), %edx
    cmp $0xff, %edx
    ja 5f
    test %dl, %r11b
    jz 6b
    .endif
5:
# As `compiled_context`; 0 is none.
    mov %fs:24(%r9), %r8
    add 8(%rbp), %r8
    jz 9f
    lea -1(%rsi), %eax
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
    jne 8f
    ret
9:
    mov ${not_tried}, %eax
8:
    mov %eax, %edx
    jmp goldilocks_\kind\()_range
    .cfi_endproc
    .size __goldilocks_\kind\()_range, . - __goldilocks_\kind\()_range
.endm
    GOLDILOCKS_RANGE read
    GOLDILOCKS_RANGE write
