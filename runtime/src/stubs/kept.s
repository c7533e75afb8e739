# What the thread keeps to itself of what all read (`goldilocks_core::kept`).

# Moves `place` from where the table is to the place of the byte whose address is in `at`, with its lower half `low` (`Kept::hash`). rcx becomes where the thread's
# block is; `at` is used. `size` is that of an aligned read.
.macro GOLDILOCKS_KEPT_PLACE place, at, low, size
    mov %\low, %ecx
    ror $8, %ecx
    and $0x7ffffff, %ecx
    imul $0xc15c3a83, %ecx, %ecx
    shr $20, %ecx
    shl $5, %ecx
    shr $3, %\low
    and $31, %\low
    or %ecx, %\low
    .if \size == 1
    xor $(1 << 5), %\low
    .elseif \size == 2
    xor $(2 << 5), %\low
    .elseif \size == 4
    xor $(3 << 5), %\low
    .endif
    mov __goldilocks_tls@GOTTPOFF(%rip), %rcx
    and %fs:144(%rcx), %\low
    shl $4, %\at
    add %\at, %\place
.endm
# The key of a read of the bytes of the mask in `mask`, of the word whose address with bit 46 flipped is rax.
.macro GOLDILOCKS_KEPT_KEY at, byte, mask
    lea 0x10440(%rax), %\at
    shl $8, %\at
    mov \mask, %\byte
.endm
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
    GOLDILOCKS_KEPT_PLACE rdx, rdi, edi, \size
    GOLDILOCKS_KEPT_KEY rdi, dil, %sil
# The epoch before the key: what a signal handler puts there in between was made in this epoch, whichever it is.
    mov %fs:(%rcx), %ecx
    xor 8(%rdx), %ecx
    cmp %rdi, (%rdx)
    pop %rdi
    .cfi_adjust_cfa_offset -8
    jne 60f
    cmp $0xff, %ecx
    ja 61f
    jmp 7f
60:
.endm
# The same of a read of one whole word, with rdx where the table is, rcx where the thread's block is: of its address no bits are lost by a shift that a rotation would keep.
# rax stays what it is.
.macro GOLDILOCKS_KEPT_WORD
    mov %edi, %esi
    shr $8, %esi
    imul $0xc15c3a83, %esi, %esi
    shr $20, %esi
    shl $5, %esi
    movzbl %dil, %eax
    shr $3, %eax
    or %eax, %esi
    and %fs:144(%rcx), %esi
    shl $4, %rsi
    add %rsi, %rdx
    mov %rdi, %rax
    btc $46, %rax
    lea 0x10440(%rax), %rsi
    shl $8, %rsi
    or $0xff, %rsi
# The epoch first, as above.
    mov %fs:(%rcx), %ecx
    xor 8(%rdx), %ecx
    cmp %rsi, (%rdx)
    jne 53f
    cmp $0xff, %ecx
    jbe 7f
    mov $0xff, %esi
    jmp 61f
.endm
# The same of a read of two whole words: goes to 7 if both were made in this epoch, and to 61 if both are kept. Of those that are in two groups of places, nothing is
# found. Uses rcx, rdx and rsi.
.macro GOLDILOCKS_KEPT_PAIR
    mov __goldilocks_tls@GOTTPOFF(%rip), %rcx
    mov %fs:136(%rcx), %rdx
    test %rdx, %rdx
    jz 60f
    test $7, %dil
    jnz 60f
    cmp $0xf8, %dil
    je 60f
    mov %edi, %esi
    GOLDILOCKS_KEPT_PLACE rdx, rsi, esi, 8
    mov %fs:(%rcx), %ecx
    mov %ecx, %esi
    xor 8(%rdx), %ecx
    xor 24(%rdx), %esi
    or %esi, %ecx
    GOLDILOCKS_KEPT_KEY rsi, sil, $0xff
    cmp %rsi, (%rdx)
    jne 60f
    add $0x800, %rsi
    cmp %rsi, 16(%rdx)
    jne 60f
    cmp $0xff, %ecx
    ja 61f
    jmp 7f
60:
.endm
# The lane of these: once more, in a new epoch. Goes to 7 when it is made, and back to 60 if another thread has taken it, or there is more to do. Of two words, that may
# be when the first one is made.
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
# A handler may have put another one there since; none comes now.
    .if \size > 8
    GOLDILOCKS_KEPT_KEY rcx, cl, $0xff
    cmp %rcx, (%r10)
    jne 62f
    add $0x800, %rcx
    cmp %rcx, 16(%r10)
    .else
    GOLDILOCKS_KEPT_KEY rcx, cl, %sil
    cmp %rcx, (%r10)
    .endif
    jne 62f
    cmp $-1, %r9d
    je 66f
65:
    .if \size > 8
    mov $0xff, %r9b
    .else
    mov %sil, %r9b
    .endif
    GOLDILOCKS_SITE \size, 62f, 0
    mov 8(%r10), %rax
    test %rax, %rax
    jz 62f
    shl $32, %r11
    or %r9, %r11
    lock cmpxchg %r11, 8(%r10)
    jne 62f
    .if \size > 8
    mov 24(%r10), %rax
    test %rax, %rax
    jz 62f
    lock cmpxchg %r11, 24(%r10)
    jne 62f
    incq {kept}(%r8)
    .endif
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
# A word of an access of any size: what the thread keeps to itself, or has accessed where the cell says what others have. Goes to 8 when it is made, and falls through
# when it is not. rax is the word's address with bit 46 flipped, esi the mask, rdi the address, r9d the tag, r8 the thread's state, all of which stay; uses rcx, rdx,
# r10 and r11.
.macro GOLDILOCKS_AGAIN kind, extra
    .ifc \kind, read
# Parts of words are in other places.
    cmp $0xff, %sil
    jne 55f
    mov __goldilocks_tls@GOTTPOFF(%rip), %rcx
    mov %fs:136(%rcx), %r10
    test %r10, %r10
    jz 55f
# Nothing is kept of a word without a record.
    GOLDILOCKS_OWN_NUMBER 55f
    testl $0x40000000, (%r11)
    jz 55f
    mov %edi, %r11d
    GOLDILOCKS_KEPT_PLACE r10, r11, r11d, 8
    GOLDILOCKS_KEPT_KEY r11, r11b, %sil
    cmp %r11, (%r10)
    jne 55f
    mov %r9d, %r11d
    xor 8(%r10), %r11d
    cmp $0xff, %r11d
    jbe 8f
    mov %sil, %r9b
    GOLDILOCKS_SITE 16, 11f, \extra
    mov 8(%r10), %rax
    test %rax, %rax
    jz 56f
    shl $32, %r11
    mov %r9d, %ecx
    or %rcx, %r11
    lock cmpxchg %r11, 8(%r10)
    jne 56f
    incq {kept}(%r8)
    jmp 8f
# Another thread has taken it.
56:
    movzbl %r9b, %esi
    mov $0xff, %r9b
    mov %rdi, %rax
    and $-8, %rax
    btc $46, %rax
55:
    .endif
    mov __goldilocks_tls@GOTTPOFF(%rip), %rcx
    cmp %r9d, %fs:148(%rcx)
    jne 58f
    mov %fs:112(%rcx), %rdx
    mov %rdi, %r10
    shr $3, %r10
    mov %r10d, %r11d
    and %fs:128(%rcx), %r11d
    shl $4, %r11
    add %r11, %rdx
    or %fs:120(%rcx), %r10
    cmp %r10, (%rdx)
    jne 58f
    mov %r9d, %r10d
    .ifc \kind, write
    xor 8(%rdx), %r10d
    .else
    xor 12(%rdx), %r10d
    .endif
    cmp $0xff, %r10d
    ja 58f
    test %r10b, %sil
    jz 8f
58:
.endm
