# Into the runtime, when neither the exact check nor the lane was enough; and the entries themselves.

    .text
# The call into the runtime: address in rdi, size and kind in esi, position in rdx, frame pointer in rcx. The stack holds
# rsi, rdx, rcx, rax, rdi as pushed above.
    .p2align 4
    .type goldilocks_enter_slow, @function
goldilocks_enter_slow:
    .cfi_startproc
    .cfi_def_cfa %rsp, 48
    mov %rbp, %rcx
    push %r8
    .cfi_adjust_cfa_offset 8
    push %r9
    .cfi_adjust_cfa_offset 8
    push %r10
    .cfi_adjust_cfa_offset 8
    push %r11
    .cfi_adjust_cfa_offset 8
# The short way, which uses no vector register; it needs the stack aligned.
    GOLDILOCKS_FRAME 0
    push %rdi
    push %rsi
    push %rdx
    push %rcx
    GOLDILOCKS_PROBE
    cld
    call goldilocks_quick_entry
    pop %rcx
    pop %rdx
    pop %rsi
    pop %rdi
    test %eax, %eax
    jnz 8f
    sub $256, %rsp
    movaps %xmm0, (%rsp)
    movaps %xmm1, 16(%rsp)
    movaps %xmm2, 32(%rsp)
    movaps %xmm3, 48(%rsp)
    movaps %xmm4, 64(%rsp)
    movaps %xmm5, 80(%rsp)
    movaps %xmm6, 96(%rsp)
    movaps %xmm7, 112(%rsp)
    movaps %xmm8, 128(%rsp)
    movaps %xmm9, 144(%rsp)
    movaps %xmm10, 160(%rsp)
    movaps %xmm11, 176(%rsp)
    movaps %xmm12, 192(%rsp)
    movaps %xmm13, 208(%rsp)
    movaps %xmm14, 224(%rsp)
    movaps %xmm15, 240(%rsp)
    call goldilocks_slow_access
    movaps (%rsp), %xmm0
    movaps 16(%rsp), %xmm1
    movaps 32(%rsp), %xmm2
    movaps 48(%rsp), %xmm3
    movaps 64(%rsp), %xmm4
    movaps 80(%rsp), %xmm5
    movaps 96(%rsp), %xmm6
    movaps 112(%rsp), %xmm7
    movaps 128(%rsp), %xmm8
    movaps 144(%rsp), %xmm9
    movaps 160(%rsp), %xmm10
    movaps 176(%rsp), %xmm11
    movaps 192(%rsp), %xmm12
    movaps 208(%rsp), %xmm13
    movaps 224(%rsp), %xmm14
    movaps 240(%rsp), %xmm15
8:
    GOLDILOCKS_FRAME_END 0
    pop %r11
    .cfi_adjust_cfa_offset -8
    pop %r10
    .cfi_adjust_cfa_offset -8
    pop %r9
    .cfi_adjust_cfa_offset -8
    pop %r8
    .cfi_adjust_cfa_offset -8
    GOLDILOCKS_MADE
    .cfi_endproc
# In place of what may not be called where it uses vector registers (`quick`).
    .weak goldilocks_quick_entry
    .type goldilocks_quick_entry, @function
goldilocks_quick_entry:
    .cfi_startproc
    xor %eax, %eax
    ret
    .cfi_endproc
    .size goldilocks_quick_entry, . - goldilocks_quick_entry
    .weak goldilocks_rest_entry
    .type goldilocks_rest_entry, @function
goldilocks_rest_entry:
    .cfi_startproc
    xor %eax, %eax
    ret
    .cfi_endproc
    .size goldilocks_rest_entry, . - goldilocks_rest_entry
    .weak goldilocks_epoch_entry
    .type goldilocks_epoch_entry, @function
goldilocks_epoch_entry:
    .cfi_startproc
    xor %eax, %eax
    ret
    .cfi_endproc
    .size goldilocks_epoch_entry, . - goldilocks_epoch_entry
    GOLDILOCKS_WORDS read
    GOLDILOCKS_WORDS write
# The last operand is what `goldilocks_slow_access` gets: size, and bit 8 for a write. Bit 9 means that it has to be called.
    GOLDILOCKS_REGISTERS read, 1, 0x1, 0x10444, 1
    GOLDILOCKS_REGISTERS read, 2, 0x3, 0x10444, 2
    GOLDILOCKS_REGISTERS read, 4, 0xf, 0x10444, 4
    GOLDILOCKS_REGISTERS read, 8, 0xff, 0x10444, 8
    GOLDILOCKS_REGISTERS read, 16, 0xffff, 0x10444, 16
    GOLDILOCKS_REGISTERS write, 1, 0x1, 0x10440, 257
    GOLDILOCKS_REGISTERS write, 2, 0x3, 0x10440, 258
    GOLDILOCKS_REGISTERS write, 4, 0xf, 0x10440, 260
    GOLDILOCKS_REGISTERS write, 8, 0xff, 0x10440, 264
    GOLDILOCKS_REGISTERS write, 16, 0xffff, 0x10440, 272
