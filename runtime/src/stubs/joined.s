# What the lane decides about a word without a record where its cell and its number both change: functions of all sizes, for the same reason as `record.s`.

# The number of the sites of a word where the access, from another site, joins what the thread has accessed there in its epoch (`Known::wanted`), if it is known by
# heart (`NumberMemo`). eax is the number, r9d the tag with the mask and above it what the new tags say beyond these bytes, first of the read tag and then of the write
# tag; r10 is the cell, r11d the site, r8 the thread's state. If it is known, r11d becomes the new number and r9 the new cell; if not, the carry flag is set, and neither
# r9, r10 nor r11d has changed. Uses rcx; rax stays the number.
.macro GOLDILOCKS_JOINS kind
    .p2align 4
    .type goldilocks_joins_\kind, @function
goldilocks_joins_\kind:
    .cfi_startproc
    push %rdx
    .cfi_adjust_cfa_offset 8
# r11 becomes the key, but for its lowest bit.
    shl $32, %rax
    mov %r9, %rcx
    shr $32, %rcx
    .ifc \kind, write
    lea 2(,%r11,4), %r11d
    or %rax, %r11
    movzbl %r9b, %eax
    test %ch, %ch
    jz 3f
# Bytes that join a write: alone, if what was read is written then.
    mov %eax, %edx
    or %ch, %dl
    not %edx
    test %dl, %cl
    jnz 1f
    or $1, %r11
1:
    movzbl %ch, %ecx
    .else
    lea (,%r11,4), %r11d
    or %rax, %r11
    movzbl %r9b, %eax
# What is read beyond what the thread has written in this epoch; of the access' own bytes this may say anything, as they are taken out below.
    mov %r10d, %edx
    xor %r9d, %edx
    cmp $0xff, %edx
    ja 1f
    not %edx
    and %edx, %ecx
1:
# Nothing more than now: it is a read beside a write.
    or %eax, %ecx
    cmp %eax, %ecx
    je 3f
    test %r10d, %r10d
    jnz 2f
    or $1, %r11
2:
    .endif
    bts $63, %r11
# The bytes that are joined and not accessed now, above those that are.
    or %eax, %ecx
    xor %eax, %ecx
    shl $16, %ecx
    or %eax, %ecx
    mov %rcx, %rdx
    shl $32, %rdx
    xor %r11, %rdx
    GOLDILOCKS_NOTED rdx, edx
    cmp %ecx, 12(%rdx)
    jne 5f
    jmp 4f
3:
    or $1, %r11
    mov %r11, %rdx
    GOLDILOCKS_NOTED rdx, edx
4:
    cmp %r11, (%rdx)
    jne 5f
    mov %r11, %rax
    shr $32, %rax
    btr $31, %eax
    mov 8(%rdx), %r11d
    mov %r9d, %edx
    mov %r9, %rcx
    shr $32, %rcx
    or %cl, %r9b
    shl $32, %r9
    .ifc \kind, write
    or %ch, %dl
    or %rdx, %r9
    .else
    mov %r10d, %edx
    or %rdx, %r9
    .endif
    pop %rdx
    .cfi_adjust_cfa_offset -8
    clc
    ret
    .cfi_adjust_cfa_offset 8
5:
    mov %r11, %rax
    shr $32, %rax
    btr $31, %eax
    mov %r11d, %r11d
    shr $2, %r11d
    pop %rdx
    .cfi_adjust_cfa_offset -8
    stc
    ret
    .cfi_endproc
    .size goldilocks_joins_\kind, . - goldilocks_joins_\kind
.endm
# Goes to 1 unless nothing can race any more with the tag in edx (`EpochTable::is_settled`). Uses rcx and r11.
.macro GOLDILOCKS_SETTLED
    mov {tables}+{granules}(%rip), %r11
    mov %edx, %ecx
    shr $13, %ecx
    mov (%r11,%rcx,8), %r11
    mov %r11, %rcx
    shr $48, %rcx
# Not a read set, whose owner is no slot.
    cmp {tables}+{slots}(%rip), %rcx
    jae 1f
    shr $9, %edx
    and $15, %edx
    shl $16, %r11
    shr $16, %r11
    add %rdx, %r11
    mov {tables}+{settled}(%rip), %rdx
    cmp %r11, (%rdx,%rcx,8)
    jb 1f
.endm
# Whether nothing can race any more with what the cell in r10 says (`EpochTable::unsettled`), which is neither parted nor of a read set: the carry flag, if not. Uses rcx.
    .p2align 4
    .type goldilocks_all_settled, @function
goldilocks_all_settled:
    .cfi_startproc
    push %rdx
    .cfi_adjust_cfa_offset 8
    push %r11
    .cfi_adjust_cfa_offset 8
    mov %r10, %rdx
    shr $32, %rdx
    test %dl, %dl
    jz 1f
    test %r10b, %r10b
    jnz 2f
    test %r10d, %r10d
    jnz 1f
2:
    GOLDILOCKS_SETTLED
    mov %r10, %rdx
    shr $32, %rdx
    xor %r10d, %edx
    cmp $0xff, %edx
    jbe 3f
    mov %r10d, %edx
    test %edx, %edx
    jz 3f
    GOLDILOCKS_SETTLED
3:
    clc
    jmp 4f
1:
    stc
4:
    pop %r11
    .cfi_adjust_cfa_offset -8
    pop %rdx
    .cfi_adjust_cfa_offset -8
    ret
    .cfi_endproc
    .size goldilocks_all_settled, . - goldilocks_all_settled
    GOLDILOCKS_JOINS read
    GOLDILOCKS_JOINS write
