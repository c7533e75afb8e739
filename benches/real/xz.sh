# xz packs and unpacks a text with two threads: blocks, and a queue of their output.
# SOURCES: xz-utils
# MEGABYTES: 6

. "$TESTS/real/xz.sh"

# In each round of a thread's loop: the thread that hands out the blocks often orders their beginnings.
seed() {
    sed -i '/^worker_encode(/,/^}/{s/^{/{\n\tstatic int seeded_;/
        s/^\t\tret = thr->block_encoder.code(/\t\tseeded_++;\n&/}' \
        "$SRC/xz-utils/src/liblzma/common/stream_encoder_mt.c"
}

use() {
    "$SRC/xz-utils/src/xz/xz" -1 -T2 --block-size=1MiB -c -k "$INPUT" > packed.xz
    "$SRC/xz-utils/src/xz/xz" -T2 -d -c -k packed.xz > unpacked
    cmp "$INPUT" unpacked
    cksum < packed.xz
}
