# The lanes of a few bytes, as functions: what libc does for compiled code, and copies of small objects.

# By the C convention: address in rdi, size (1 to 56) and kind in esi as the check stubs have it. Of hooks: shape in edx, position in rcx, calling context in r8. Of a
# thread that is inside the runtime: its tag in edx, the site in ecx, its state in r8. 1 if the access is made, 0 if it is to be made in another way, 2 if that has to be
# the long one.
.macro GOLDILOCKS_FEW name, whose, third, fourth, kind
    .p2align 4
    .globl goldilocks_\name\()_\kind
    .hidden goldilocks_\name\()_\kind
    .type goldilocks_\name\()_\kind, @function
goldilocks_\name\()_\kind:
    .cfi_startproc
# As deep as the check stubs are: the lane looks for these here.
    push %r8
    .cfi_adjust_cfa_offset 8
    push %\third
    .cfi_adjust_cfa_offset 8
    push %\fourth
    .cfi_adjust_cfa_offset 8
    sub $16, %rsp
    .cfi_adjust_cfa_offset 16
    mov %rdi, %rax
    and $-8, %rax
    btc $46, %rax
    .set goldilocks_is_\whose, 1
    GOLDILOCKS_LANE \kind, 16, 0, 40
    .set goldilocks_is_\whose, 0
    shr $8, %esi
    and $2, %esi
    mov %esi, %eax
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
    .size goldilocks_\name\()_\kind, . - goldilocks_\name\()_\kind
.endm
    GOLDILOCKS_FEW few, hook, rcx, rdx, read
    GOLDILOCKS_FEW few, hook, rcx, rdx, write
    GOLDILOCKS_FEW inside, inside, rdx, rcx, read
    GOLDILOCKS_FEW inside, inside, rdx, rcx, write
