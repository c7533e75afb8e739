# The lane: what a thread does by itself with the word that it accesses, when the exact check has failed.

# Faults if the stack has no room for a stay in the runtime (`stack_probe`). Uses rax.
.macro GOLDILOCKS_PROBE
    mov __goldilocks_tls@GOTTPOFF(%rip), %rax
    movslq %fs:40(%rax), %rax
    testb $0, (%rsp,%rax)
    testb $0, (%rsp,%rax,2)
.endm
# Whose the lane that follows is: that of hooks (`few`), which say by arguments where the program is, or of a thread that is inside the runtime, or else of the check
# stubs. In functions, which the first two are, these registers may change.
    .set goldilocks_is_hook, 0
    .set goldilocks_is_inside, 0
# The registers of a lane, beside those of the check.
.macro GOLDILOCKS_SAVE
    .if goldilocks_is_hook || goldilocks_is_inside
    sub $32, %rsp
    .cfi_adjust_cfa_offset 32
    .else
    push %r8
    .cfi_adjust_cfa_offset 8
    push %r9
    .cfi_adjust_cfa_offset 8
    push %r10
    .cfi_adjust_cfa_offset 8
    push %r11
    .cfi_adjust_cfa_offset 8
    .endif
.endm
.macro GOLDILOCKS_RESTORE
    .if goldilocks_is_hook || goldilocks_is_inside
    add $32, %rsp
    .cfi_adjust_cfa_offset -32
    .else
    pop %r11
    .cfi_adjust_cfa_offset -8
    pop %r10
    .cfi_adjust_cfa_offset -8
    pop %r9
    .cfi_adjust_cfa_offset -8
    pop %r8
    .cfi_adjust_cfa_offset -8
    .endif
.endm
# Enters the runtime as `pipeline::enter` does: r8 is the thread's state, r9d its tag. Goes to `out` if it cannot, and to `leave` if it has to leave again. rcx is
# the thread's block.
.macro GOLDILOCKS_ENTER out, leave
    mov __goldilocks_tls@GOTTPOFF(%rip), %rcx
    mov %fs:32(%rcx), %r8
    test %r8, %r8
    jz \out
    cmpl $0, %fs:4(%rcx)
    jne \out
    mov %fs:(%rcx), %r9d
    test %r9d, %r9d
    jz \out
    movl $1, %fs:4(%rcx)
    cmpl $0, {freeze}(%rip)
    jne \leave
    cmpl $0, {obstacles}(%rip)
    jne \leave
.endm
# A frame for a call out of the lane, or the slow path, where so many bytes more than the registers are on the stack.
.macro GOLDILOCKS_FRAME extra
    push %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_offset %rbp, -88-\extra
    mov %rsp, %rbp
    .cfi_def_cfa_register %rbp
    and $-16, %rsp
.endm
.macro GOLDILOCKS_FRAME_END extra
    mov %rbp, %rsp
    pop %rbp
    .cfi_def_cfa %rsp, 80+\extra
    .cfi_restore %rbp
.endm
# SC1 and SC2 of the tag in edx, by the granule of the epoch's id (`EpochTable::known_before`): goes to `own` if it is the thread's own, and to `no` if nobody's whom
# the thread knows; otherwise it is not known to be done if the flags say "below". Uses rcx, rdx and r11.
.macro GOLDILOCKS_KNOWN own, no
    mov {tables}+{granules}(%rip), %r11
    mov %edx, %ecx
    shr $13, %ecx
    mov (%r11,%rcx,8), %r11
    mov %r11, %rcx
    shr $48, %rcx
    cmp {slot}(%r8), %cx
    je \own
    cmp {known}+8(%r8), %rcx
    jae \no
    shr $9, %edx
    and $15, %edx
    shl $16, %r11
    shr $16, %r11
    add %rdx, %r11
    mov {known}(%r8), %rdx
    cmp %r11, (%rdx,%rcx,8)
.endm
# Where what is noted by heart of a key has its place (`NumberMemo`), in the register in which the key is; `low` is its lower half. r8 is the thread's state.
.macro GOLDILOCKS_NOTED place, low
    imul goldilocks_mix(%rip), %\place
    shr ${by_heart_shift}, %\place
    and {by_heart_mask}(%r8), %\low
    shl $4, %\place
    add {by_heart}(%r8), %\place
.endm
# A half of a word, in the lane: halves that have been accessed in different epochs are a parted cell (`goldilocks_core::transition`). Begins with one that is of
# accesses of this kind and does not say this one, and at 76 and 77 with a cell that may become parted. edx becomes the tag that is to be known, and r9 the cell
# that is to be, the new tag above.
.macro GOLDILOCKS_HALF kind, size, extra
    mov %r10d, %ecx
    .ifc \kind, read
    xor $0x100, %ecx
    .endif
    cmp %sil, %dl
    jne 81f
# The newer access' bytes, beside the earlier one.
    mov %r10d, %r11d
    shl $32, %r9
    or %r11, %r9
    jmp 83f
81:
    mov %ecx, %r11d
    xor %r9d, %r11d
    cmp $0xff, %r11d
    jbe 8b
    mov %edx, %r11d
    xor %r9d, %r11d
    cmp $0xff, %r11d
    jbe 82f
# The earlier one's, beside the newer one.
    xor %dl, %dl
    .ifc \kind, read
    xor $0x100, %edx
    .endif
    shl $32, %r9
    or %rdx, %r9
    mov %ecx, %edx
    jmp 83f
# The other half in the same epoch: all of the word.
82:
    mov $0xff, %r9b
    .ifc \kind, write
    mov %r9d, %r11d
    shl $32, %r9
    or %r11, %r9
    .else
    shl $32, %r9
    .endif
    mov %ecx, %edx
    jmp 83f
    .ifc \kind, write
# A half of what was written as a whole, of which the thread has read at most the same half since.
77:
    cmp %sil, %dl
    jne 29f
    jmp 91f
76:
    cmp %edx, %r10d
    jne 29f
91:
    cmp $0xff, %r10b
    jne 29f
    test $0x100, %r10d
    jnz 29f
    mov %r10d, %edx
    mov %r10d, %r11d
    xor %r11b, %r11b
    shl $32, %r9
    or %r11, %r9
    .else
# A half of what was read as a whole.
76:
    test %r10d, %r10d
    jnz 29f
    cmp $0xff, %dl
    jne 29f
    test $0x100, %edx
    jnz 29f
    xor %dl, %dl
    or $0x100, %edx
    shl $32, %r9
    or %rdx, %r9
    .endif
83:
    prefetchw 0x10440(%rax)
    GOLDILOCKS_KNOWN 78f, 84f
    jae 78f
84:
    shr $32, %r9
    mov %sil, %r9b
    jmp 29f
78:
    GOLDILOCKS_SITE \size, 11f, \extra
    GOLDILOCKS_LINE
    mov %esi, %eax
    test $0xc0000000, %esi
    jz 85f
    js 11f
    GOLDILOCKS_NUMBER rax
    mov (%rax), %eax
85:
    cmp %r11d, %eax
    je 86f
    test $0xc0000000, %eax
    jnz 89f
# By heart (`NumberMemo`): which of two sites stays beside the new one, or what both are together.
    mov %rax, %rcx
    shl $32, %rcx
    lea (,%r11,4), %r11d
    or %r11, %rcx
    .ifc \kind, write
    test %r9b, %r9b
    jnz 87f
    test %r10b, %r10b
    jnz 75f
    .else
    test %r9d, %r9d
    jz 87f
    test %r10d, %r10d
    jz 74f
    .endif
# The second one if the new access is not to the newer one's bytes.
    mov %r10, %r11
    xor %r9, %r11
    bt $32, %r11
    jnc 75f
74:
    or $1, %rcx
75:
    bts $62, %rcx
    mov %rcx, %r11
    GOLDILOCKS_NOTED r11, r11d
    cmp %rcx, (%r11)
    jne 73f
72:
    mov 8(%r11), %r11d
    cmp %eax, %r11d
    jne 79f
86:
    mov %eax, %r11d
    mov %r10, %rax
    mov %r9, %r10
    jmp 71b
87:
    or $1, %rcx
    bts $63, %rcx
    bt $32, %r10
    jnc 88f
    GOLDILOCKS_JOINED 0x000f00f0
88:
    GOLDILOCKS_JOINED 0x00f0000f
# Not by heart: the site, and the access' own tag again.
73:
    mov %ecx, %r11d
    shr $2, %r11d
89:
    mov %r10, %rcx
    shr $32, %rcx
    shr $32, %r9
    cmp $0xff, %r9b
    jne 30f
    not %ecx
    mov %cl, %r9b
    jmp 30f
.endm
# Looks for the number of two sites, of these bytes and of those that they join. rcx is the key.
.macro GOLDILOCKS_JOINED bytes
    mov $\bytes, %r11d
    shl $32, %r11
    xor %rcx, %r11
    GOLDILOCKS_NOTED r11, r11d
    cmpl $\bytes, 12(%r11)
    jne 73f
    cmp %rcx, (%r11)
    je 72b
    jmp 73f
.endm
# Goes to 11 unless the word whose address with bit 46 flipped is rax, and with `extra` all that is accessed from there on, is where the program's memory can be. Uses rdx
# and r11.
.macro GOLDILOCKS_REGION extra
    mov %rax, %r11
    shr $44, %r11
    and $7, %r11d
    shl $4, %r11
    add {tables}+{cells}(%rip), %r11
    cmp (%r11), %rax
    jb 11f
    .if \extra
    movzbl 8(%rsp), %edx
    add 16(%rsp), %rdx
    dec %rdx
    btc $46, %rdx
    cmp 8(%r11), %rdx
    .else
    cmp 8(%r11), %rax
    .endif
    jae 11f
.endm
# The lane (`lane`): what the word remembers is known to be done, or nothing. rax is the word's address with bit 46 flipped,
# esi the mask (within the word, if the access is aligned), rdi the address. Goes to 7 when the access is made, and falls through
# when it is not, with `info` in esi. With `extra` it goes through the bytes of an access of any size and alignment, word by word: esi is
# `info` then, and so many bytes below the registers are what it begins with and what is found once for all words. By offset from rsp: the bytes that are left (0),
# `info` (8), the address (16), the site (24), whether what is asked once only has been (28), and the tag that was found to be known last (32), each 0 as long as it is not.
.macro GOLDILOCKS_LANE kind, size, info, extra=0
    .if \size > 1 && !\extra
    test $(\size - 1), %dil
    jnz 13f
    .endif
    GOLDILOCKS_SAVE
    .if \extra
    push $0
    .cfi_adjust_cfa_offset 8
    push $0
    .cfi_adjust_cfa_offset 8
    push %rdi
    .cfi_adjust_cfa_offset 8
    push %rsi
    .cfi_adjust_cfa_offset 8
# The bytes that are still to be accessed, by the word.
    mov %esi, %ecx
    mov $1, %esi
    shl %cl, %rsi
    dec %rsi
    mov %edi, %ecx
    and $7, %ecx
    shl %cl, %rsi
    push %rsi
    .cfi_adjust_cfa_offset 8
    movzbl %sil, %esi
    .endif
    .if goldilocks_is_inside
    mov 64+\extra(%rsp), %r8
    mov 56+\extra(%rsp), %r9d
    .else
    GOLDILOCKS_ENTER 12f, 11f
    .endif
    .if \extra
# Compiled code has looked at the cells before it comes here, and hooks have not: where there are none, that would be a fault inside of the runtime.
    .if goldilocks_is_hook
    GOLDILOCKS_REGION \extra
    .endif
# The exact check, of this word.
36:
    mov %r9d, %edx
    .ifc \kind, write
    xor 0x10440(%rax), %edx
    .else
    xor 0x10444(%rax), %edx
    .endif
    cmp $0xff, %edx
    ja 38f
    test %dl, %sil
    jz 8f
38:
# The sets that the thread has met are those of the epoch outside.
    .if !goldilocks_is_inside
    .ifc \kind, read
    mov %fs:20(%rcx), %edx
    xor 0x10444(%rax), %edx
    cmp $0xff, %edx
    ja 39f
    test %dl, %sil
    jz 8f
39:
    .endif
    .endif
    .endif
# Only words of the program (`ShadowMemory::is_application_word`): what seems to be the cell of another could be memory of the program's.
    .if \extra
    cmpl $0, 28(%rsp)
    jne 34f
    movl $1, 28(%rsp)
    .endif
    .if !\extra || !goldilocks_is_hook
    GOLDILOCKS_REGION \extra
    .endif
# And where the stack was accessed before (`Worker::is_news`).
    cmp {lowest}(%r8), %rdi
    jae 20f
    cmp {low}(%r8), %rdi
    jae 11f
20:
    cmp $-1, %r9d
    je 35f
34:
    .if \extra
    GOLDILOCKS_AGAIN \kind, \extra
    .endif
# A word with a record, as many have that are accessed in parts: its cell says nothing that is of use here.
    .if \size != 8
    GOLDILOCKS_OWN_NUMBER 49f
    mov (%r11), %r11d
    btr $30, %r11d
    jnc 49f
    mov %sil, %r9b
    GOLDILOCKS_COMES_NEAR r11d, r11
    GOLDILOCKS_SITE \size, 11f, \extra
    jmp 31f
49:
    .endif
# r10 is the cell, edx its read tag, r9d the new tag. Neither a side record nor freed.
    mov 0x10440(%rax), %r10
    mov %sil, %r9b
    mov %r10, %rdx
    shr $32, %rdx
    test %dl, %dl
    jz 17f
    test %r10b, %r10b
    jz 47f
48:
    .ifc \kind, write
    .if \size != 8
    mov %r10d, %r11d
    or %edx, %r11d
    or %esi, %r11d
    cmp %sil, %r11b
    jne 41f
    .endif
# A plain write of bytes that were read after it: what comes after the read comes after both.
    cmp %edx, %r10d
    je 2f
    .else
    mov %r10d, %r11d
    xor %r9d, %r11d
    cmp $0xff, %r11d
    jbe 43f
    mov %r10d, %r11d
    xor %edx, %r11d
    cmp $0xff, %r11d
    ja 1f
# One epoch: there is no read, and the tag says the write's bytes again, or there is one of bytes that are read now.
    mov %r10d, %r11d
    or %esi, %r11d
    mov %edx, %ecx
    or %r11d, %ecx
    cmp %r11b, %cl
    jne 29f
    jmp 2f
1:
    .if \size != 8
    mov %edx, %r11d
    or %esi, %r11d
    cmp %sil, %r11b
    jne 44f
    .endif
    .endif
    test $0x100, %r10d
    jnz 29f
    mov %r10d, %r11d
    .ifc \kind, read
    and %esi, %r11d
    .endif
    or %edx, %r11d
    cmp %dl, %r11b
    jne 29f
2:
# It is about to be written, and mostly another processor's by now if it is not this one's.
    prefetchw 0x10440(%rax)
    .if \extra
    cmp %edx, 32(%rsp)
    je 18f
    mov %edx, 32(%rsp)
    GOLDILOCKS_KNOWN 18f, 92f
    jae 18f
92:
    movl $0, 32(%rsp)
    jmp 29f
    .else
    GOLDILOCKS_KNOWN 18f, 29f
    jb 29f
    .endif
18:
    GOLDILOCKS_SITE \size, 11f, \extra
# rdx is where the line's word is, esi that, eax the number of the word's sites.
    GOLDILOCKS_LINE
    mov %esi, %eax
    test $0xc0000000, %esi
    jz 3f
    js 11f
    GOLDILOCKS_NUMBER rax
    mov (%rax), %eax
3:
    cmp %r11d, %eax
    je 4f
    mov %eax, %ecx
    shr $29, %ecx
    cmp $1, %ecx
    jne 19f
    mov %eax, %ecx
    and $0x1fffffff, %ecx
    shl $3, %rcx
    add {tables}+{site_words}(%rip), %rcx
    mov 8(%rcx), %rcx
    .ifc \kind, write
    shr $32, %rcx
    .endif
    cmp %r11d, %ecx
    jne 19f
4:
    mov %eax, %r11d
# The exchange, and the look back (`goldilocks_core::refresh`).
    mov %r10, %rax
    .ifc \kind, write
    mov %r9d, %r10d
    .else
    mov %r10d, %r10d
    .endif
    mov %r9, %rcx
    shr $32, %rcx
    jnz 45f
46:
    shl $32, %r9
    or %r9, %r10
71:
    GOLDILOCKS_SHADOW
    lock cmpxchg %r10, 0x10440(%rcx)
    jne 11f
    cmp %esi, (%rdx)
    jne 9f
    cmp %r10, 0x10440(%rcx)
    jne 9f
    test $0x40000000, %esi
    jz 5f
    GOLDILOCKS_NUMBER rax
    cmp %r11d, (%rax)
    jne 9f
5:
    incq {renewed}(%r8)
8:
    .if \extra
    shrq $8, (%rsp)
    jz 37f
    and $-8, %rdi
    add $8, %rdi
    mov %rdi, %rax
    btc $46, %rax
    movzbl (%rsp), %esi
    .if goldilocks_is_inside
    mov 56+\extra(%rsp), %r9d
    .else
    mov __goldilocks_tls@GOTTPOFF(%rip), %rcx
    mov %fs:(%rcx), %r9d
    .endif
    jmp 36b
37:
    .endif
    .if !goldilocks_is_inside
    mov __goldilocks_tls@GOTTPOFF(%rip), %rcx
    movl $0, %fs:4(%rcx)
    testl $1, %fs:16(%rcx)
# A signal that came meanwhile is delivered by the long way, which finds nothing else to do.
    jnz 10f
    .endif
    .if \extra
    add $\extra, %rsp
    .cfi_adjust_cfa_offset -\extra
    .endif
    GOLDILOCKS_RESTORE
    jmp 7f
    .cfi_adjust_cfa_offset 32+\extra
# The first access of an epoch.
35:
    GOLDILOCKS_FRAME \extra
    push %rdi
    push %rsi
    push %rax
    push %r8
    mov %r8, %rdi
    GOLDILOCKS_PROBE
    cld
    call goldilocks_epoch_entry
    mov %eax, %r9d
    pop %r8
    pop %rax
    pop %rsi
    pop %rdi
    GOLDILOCKS_FRAME_END \extra
    test %r9d, %r9d
    jnz 34b
    jmp 11f
# Nothing is remembered, or a side record. On a page that is not written yet, the runtime looks ahead (`shadow_ahead`).
17:
    test %r10, %r10
    .ifc \kind, read
    jnz 97f
    .else
    jnz 11f
    .endif
    lea 0x10440(%rax), %r11
    shr $12, %r11
    add {tables}+{written}(%rip), %r11
    cmpb $0, (%r11)
    jne 18b
    jmp 11f
# Reads alone, or a parted cell: bytes of its newer access were accessed already, if that is one of this epoch and not a read before a write. Compiled code has
# found that of a read.
47:
    test %r10d, %r10d
    jz 48b
    .ifc \kind, write
    test $0x100, %r10d
    .if \size < 8
    jnz 29f
    .else
    jnz 90f
    .endif
    mov %edx, %r11d
    xor %r9d, %r11d
    cmp $0xff, %r11d
    ja 90f
    test %r11b, %sil
    jz 8b
    .else
    test $0x100, %r10d
    jz 29f
    .endif
90:
    .if \size == 4
    GOLDILOCKS_HALF \kind, \size, \extra
    .else
    .ifc \kind, write
    .if \size >= 8
# All of a parted word is written.
    cmp $0xff, %sil
    jne 29f
    prefetchw 0x10440(%rax)
    GOLDILOCKS_KNOWN 94f, 29f
    jb 29f
94:
    mov %r10d, %edx
    GOLDILOCKS_KNOWN 18b, 29f
    jae 18b
    .endif
    .endif
    jmp 29f
    .endif
    .ifc \kind, write
# Bytes that join what the thread has read in this epoch, or written: what the new tags say beyond these bytes goes above r9d, first of the
# read tag and then of the write tag.
    .if \size != 8
41:
    mov %edx, %r11d
    xor %r9d, %r11d
    cmp $0xff, %r11d
    .if \size == 4
    ja 76b
    .else
    ja 29f
    .endif
    mov %r10d, %r11d
    xor %r9d, %r11d
    cmp $0xff, %r11d
    ja 42f
    mov %r10d, %r11d
    or %edx, %r11d
    movzbl %r11b, %r11d
    movzbl %r10b, %ecx
    shl $8, %ecx
    or %r11d, %ecx
    shl $32, %rcx
    or %rcx, %r9
    jmp 18b
42:
    mov %r10d, %r11d
    or %esi, %r11d
    cmp %sil, %r11b
    .if \size == 4
    jne 77b
    .else
    jne 29f
    .endif
    movzbl %dl, %ecx
    shl $32, %rcx
    or %rcx, %r9
    test %r10d, %r10d
    jz 18b
    test $0x100, %r10d
    jnz 29f
    mov %r10d, %edx
    jmp 2b
    .endif
    .else
43:
    mov %edx, %r11d
    xor %r9d, %r11d
    cmp $0xff, %r11d
    ja 29f
    movzbl %dl, %ecx
    shl $32, %rcx
    or %rcx, %r9
    jmp 18b
    .if \size != 8
44:
    mov %edx, %r11d
    xor %r9d, %r11d
    cmp $0xff, %r11d
    .if \size == 4
    ja 76b
    .else
    ja 29f
    .endif
    movzbl %dl, %ecx
    shl $32, %rcx
    or %rcx, %r9
    test %r10b, %sil
    jz 18b
    test $0x100, %r10d
    jnz 29f
    mov %r10d, %edx
    jmp 2b
    .endif
    .endif
45:
    or %cl, %r9b
    .ifc \kind, write
    shr $8, %ecx
    or %cl, %r10b
    .endif
    jmp 46b
# Another site than the word's, whose number in eax becomes r11d, under the line's lock (`quick::renumber`).
19:
    test $0xc0000000, %eax
    jnz 31f
    .if \size != 8
# Where bytes join others, whose site is another one: what the thread knows by heart.
    mov %r9, %rcx
    shr $32, %rcx
    jz 93f
    call goldilocks_joins_\kind
    jc 30f
    cmp %eax, %r11d
    je 56f
    jmp 79f
93:
    .else
    mov %r9, %rcx
    shr $32, %rcx
    jnz 30f
    .endif
# r9 is the cell that is to be.
    .ifc \kind, write
    mov %r9d, %ecx
    .else
    mov %r10d, %ecx
    .endif
    shl $32, %r9
    or %rcx, %r9
    .ifc \kind, read
# Beside a write: what the thread knows by heart (`NumberMemo`).
    test %r10d, %r10d
    jz 21f
    mov %rax, %rcx
    shl $32, %rcx
    lea 1(,%r11,4), %r11d
    or %r11, %rcx
    mov %rcx, %r11
    GOLDILOCKS_NOTED r11, r11d
    cmp %rcx, (%r11)
    jne 32f
    mov 8(%r11), %r11d
21:
    .endif
79:
# What the word was is not read afterwards: a load of what a locked instruction has just stored takes as long as the instruction.
    push %rax
    .cfi_adjust_cfa_offset 8
    mov %esi, %eax
    mov %esi, %ecx
    bts $31, %ecx
    lock cmpxchg %ecx, (%rdx)
    pop %rax
    .cfi_adjust_cfa_offset -8
    jne 11f
    GOLDILOCKS_SHADOW
    cmp %r10, 0x10440(%rcx)
    jne 22f
    test %esi, %esi
    jz 24f
    test $0x40000000, %esi
    jz 25f
    GOLDILOCKS_NUMBER rcx
    cmp %eax, (%rcx)
    jne 22f
    mov %r11d, (%rcx)
26:
    GOLDILOCKS_SHADOW
27:
    mov %r9, 0x10440(%rcx)
    mov %esi, (%rdx)
    incq {quick}(%r8)
    jmp 8b
# The first one of the line.
24:
    mov %r11d, %esi
    jmp 27b
# From now on each word has its own.
25:
    mov %rdi, %rcx
    shr $6, %rcx
    btr $40, %rcx
    shl $5, %rcx
    add {tables}+{numbers}(%rip), %rcx
    .irp number, 0, 4, 8, 12, 16, 20, 24, 28
    mov %esi, \number\()(%rcx)
    .endr
    GOLDILOCKS_NUMBER rcx
    mov %r11d, (%rcx)
    mov $0x40000000, %esi
    jmp 26b
22:
    mov %esi, (%rdx)
    jmp 11f
# The cell is not one of these. Its word may have a record.
29:
    GOLDILOCKS_LINE
    btl $30, %esi
    jnc 33f
    GOLDILOCKS_NUMBER rax
    mov (%rax), %eax
    btl $30, %eax
    jnc 33f
    GOLDILOCKS_COMES_NEAR eax, rax
    GOLDILOCKS_SITE \size, 11f, \extra
    jmp 31f
33:
    GOLDILOCKS_SITE \size, 11f, \extra
    jmp 30f
# Not known by heart: rcx is what was looked for there, r9 the cell that was to be.
32:
    mov %ecx, %r11d
    shr $2, %r11d
    shr $32, %r9
# A step of the cell in r10 that the thread knows by heart (`goldilocks_core::steps`): r11d is the site, r9d the tag.
30:
    GOLDILOCKS_LINE
    mov %esi, %eax
    test $0xc0000000, %esi
    jz 51f
    js 57f
    GOLDILOCKS_NUMBER rax
    mov (%rax), %eax
    btl $30, %eax
    jc 31f
51:
# The word has no other site.
    xor %ecx, %ecx
    cmp %r11d, %eax
    je 55f
    mov %rax, %rcx
    shl $32, %rcx
    or %r11, %rcx
55:
    .ifc \kind, write
    bts $63, %rcx
    .endif
    mov %rcx, %r11
    xor %r10, %r11
    imul goldilocks_mix(%rip), %r11
    shr ${steps_shift}, %r11
    shl $5, %r11
    add {steps}(%r8), %r11
    cmp %r10, (%r11)
    jne 53f
    cmp %rcx, 8(%r11)
    jne 53f
    cmp %r9d, 28(%r11)
    jne 53f
    mov 16(%r11), %r9
    mov 28(%r11), %ecx
    mov 24(%r11), %r11d
    incq {stepped}(%r8)
    test %r11d, %r11d
    js 54f
52:
    test %r11d, %r11d
    jz 56f
    cmp %eax, %r11d
    jne 79b
56:
    mov %eax, %r11d
    mov %r10, %rax
    mov %r9, %r10
    jmp 71b
# The thread is in the read set that the word has then (`TlsBlock::meet_set`), with the access' bytes alone if that says so.
54:
    btr $31, %r11d
    mov %r9, %r8
    shr $32, %r8
    mov %cl, %r8b
    btr $30, %r11d
    jc 58f
    mov $0xff, %r8b
58:
    mov __goldilocks_tls@GOTTPOFF(%rip), %rcx
    mov %r8d, %fs:20(%rcx)
    shr $9, %r8d
    and $15, %r8d
    lea (%rcx,%r8,4), %r8
    mov %fs:20(%rcx), %ecx
    mov %ecx, %fs:48(%r8)
    .if goldilocks_is_inside
    mov 64+\extra(%rsp), %r8
    .else
    mov __goldilocks_tls@GOTTPOFF(%rip), %rcx
    mov %fs:32(%rcx), %r8
    .endif
    jmp 52b
53:
    mov %ecx, %r11d
    add %rcx, %rcx
    cmovz %eax, %r11d
# Where nothing can race any more with what the cell says, it says nothing.
    call goldilocks_all_settled
    jc 57f
    .ifc \kind, write
    mov %r9d, %ecx
    shl $32, %r9
    or %rcx, %r9
    .else
    shl $32, %r9
    .endif
    cmp %eax, %r11d
    jne 79b
    jmp 56b
    .ifc \kind, read
97:
    GOLDILOCKS_SITE \size, 11f, \extra
    jmp 57f
    .endif
# The word has a record.
31:
    call goldilocks_record_\kind
    test %eax, %eax
    jnz 8b
# What else can be done without the long way (`quick`): r11d is the site, r9d the tag.
57:
    GOLDILOCKS_FRAME \extra
    push %rdi
    push %r8
    mov %r9d, %edx
    .if \extra
    mov 16(%rbp), %esi
    .else
    mov $\info, %esi
    .endif
    mov %r11d, %ecx
    GOLDILOCKS_PROBE
    cld
    call goldilocks_rest_entry
    pop %r8
    pop %rdi
    GOLDILOCKS_FRAME_END \extra
    test %eax, %eax
    jnz 8b
    jmp 10f
# Somebody else was at the line: see `Refreshed::Unsure`.
9:
    movb $1, {recheck}(%r8)
10:
    .if \extra
    orl $512, 8(%rsp)
    .else
    mov $(\info + 512), %esi
    .endif
    jmp 14f
11:
    .if !\extra
    mov $\info, %esi
    .endif
14:
    .if !goldilocks_is_inside
    mov __goldilocks_tls@GOTTPOFF(%rip), %rcx
    movl $0, %fs:4(%rcx)
    .endif
    .if !\extra
    jmp 15f
    .endif
12:
    .if \extra
    pop %rsi
    .cfi_adjust_cfa_offset -8
    pop %rsi
    .cfi_adjust_cfa_offset -8
    pop %rdi
    .cfi_adjust_cfa_offset -8
    add $16, %rsp
    .cfi_adjust_cfa_offset -16
    .else
    mov $\info, %esi
15:
    .endif
    GOLDILOCKS_RESTORE
    .if !\extra
    jmp 16f
13:
    mov $\info, %esi
    jmp goldilocks_words_\kind
16:
    .endif
.endm
# r11d: the site, as `ThreadState::site_hash` and `CachedSite` have it; r8 is the thread's state. Goes to `no` if it is not found. Uses rcx, rdx
# and rsi.
.macro GOLDILOCKS_SITE size, no, extra
    .if goldilocks_is_inside
    mov 48+\extra(%rsp), %r11d
    .else
    .if \extra
    mov 24(%rsp), %r11d
    test %r11d, %r11d
    jnz 96f
    .endif
    .if goldilocks_is_hook
    mov 64+\extra(%rsp), %rdx
    .else
    mov __goldilocks_tls@GOTTPOFF(%rip), %rcx
    mov %fs:24(%rcx), %rdx
    add 8(%rbp), %rdx
    .endif
    mov {recent}(%r8), %rsi
# In a recursion, the list of calls that are above counts (`thread::folded`).
    mov {recent_above}(%rsi), %r11
    test %r11, %r11
    jz 95f
    mov %rdx, %rcx
    imul goldilocks_mix(%rip), %rcx
    shr ${above_shift}, %rcx
    and {above_mask}(%rsi), %ecx
    shl $4, %rcx
    cmp %rdx, (%r11,%rcx)
    jne 95f
    mov 8(%r11,%rcx), %rdx
95:
    rol $23, %rdx
    .if goldilocks_is_hook
    xor 56+\extra(%rsp), %rdx
    .else
    xor 72+\extra(%rsp), %rdx
    .endif
    imul goldilocks_mix(%rip), %rdx
    rol $23, %rdx
    xor {held}(%r8), %rdx
    .if goldilocks_is_hook
    movzwl 48+\extra(%rsp), %esi
    xor %rsi, %rdx
    .elseif \extra
# As `Shape::of`.
    movzbl 8(%rsp), %esi
    mov 16(%rsp), %ecx
    lea -1(%rsi), %r11d
    test %ecx, %r11d
    jz 40f
    and $63, %ecx
    shl $8, %ecx
    or %ecx, %esi
    or $128, %esi
40:
    xor %rsi, %rdx
    .elseif \size > 8
# The same, of two whole words.
    mov $16, %esi
    test $15, %dil
    jz 40f
    mov %edi, %esi
    and $63, %esi
    shl $8, %esi
    or $144, %esi
40:
    xor %rsi, %rdx
    .else
    xor $\size, %rdx
    .endif
    imul goldilocks_mix(%rip), %rdx
    mov {recent}(%r8), %rsi
    movzbl {recent_shift}(%rsi), %ecx
    mov {recent_sites}(%rsi), %rsi
    mov %rdx, %r11
    shr %cl, %r11
    shl $9, %rdx
    mov (%rsi,%r11,8), %r11
    xor %r11, %rdx
    shr $29, %rdx
    jnz \no
    and $0x1fffffff, %r11d
    jz \no
    .if \extra
    mov %r11d, 24(%rsp)
96:
    .endif
    .endif
.endm
# rdx: where the line's word is, esi: that.
.macro GOLDILOCKS_LINE
    mov %rdi, %rdx
    shr $6, %rdx
    btr $40, %rdx
    shl $2, %rdx
    add {tables}+{line_words}(%rip), %rdx
    mov (%rdx), %esi
.endm
# Where the number of the word of rdi is.
.macro GOLDILOCKS_NUMBER register
    mov %rdi, %\register
    shr $3, %\register
    btr $43, %\register
    shl $2, %\register
    add {tables}+{numbers}(%rip), %\register
.endm
# r11: the same, if its line does not have one for all, and else goes to `no`.
.macro GOLDILOCKS_OWN_NUMBER no
    mov %rdi, %r11
    shr $6, %r11
    btr $40, %r11
    shl $2, %r11
    add {tables}+{line_words}(%rip), %r11
    testl $0x40000000, (%r11)
    jz \no
    GOLDILOCKS_NUMBER r11
.endm
# The record of a word with this number, which is far away more often than not, comes near while something else is done.
.macro GOLDILOCKS_COMES_NEAR number, place
    and $0x1fffffff, %\number
    shl $5, %\place
    add {tables}+{records}(%rip), %\place
    prefetcht0 (%\place)
.endm
# rcx: where its cell is, but for the offset.
.macro GOLDILOCKS_SHADOW
    mov %rdi, %rcx
    and $-8, %rcx
    btc $46, %rcx
.endm
    .pushsection .rodata.cst8,"aM",@progbits,8
    .balign 8
goldilocks_mix:
    .quad {mix}
    .popsection
