# The lane of hooks: what libc does with a few bytes for compiled code, and copies of small objects.

# By the C convention: address in rdi, size (1 to 24) and kind in esi as the check stubs have it, shape in edx, position in rcx, calling context in r8. 1 if the access is
# made, 0 if it is to be made in another way.
.macro GOLDILOCKS_FEW kind
    .p2align 4
    .globl goldilocks_few_\kind
    .hidden goldilocks_few_\kind
    .type goldilocks_few_\kind, @function
goldilocks_few_\kind:
    .cfi_startproc
# As deep as the check stubs are: `GOLDILOCKS_SITE` looks for these here.
    push %r8
    .cfi_adjust_cfa_offset 8
    push %rcx
    .cfi_adjust_cfa_offset 8
    push %rdx
    .cfi_adjust_cfa_offset 8
    sub $16, %rsp
    .cfi_adjust_cfa_offset 16
    mov %rdi, %rax
    and $-8, %rax
    btc $46, %rax
    .set goldilocks_is_hook, 1
    GOLDILOCKS_LANE \kind, 16, 0, 24
    .set goldilocks_is_hook, 0
    xor %eax, %eax
    add $40, %rsp
    .cfi_adjust_cfa_offset -40
    ret
    .cfi_adjust_cfa_offset 40
7:
    mov $1, %eax
    add $40, %rsp
    .cfi_adjust_cfa_offset -40
    ret
    .cfi_endproc
    .size goldilocks_few_\kind, . - goldilocks_few_\kind
.endm
    GOLDILOCKS_FEW read
    GOLDILOCKS_FEW write
