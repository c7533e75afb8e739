# lbzip2 packs and unpacks a text with two threads: priority queues of tasks under one lock, and blocks sorted by suffixes.
# SOURCES: lbzip2
# MEGABYTES: 6

build() {
    cd "$SRC/lbzip2"
    # Its copy of gnulib knows glibc by names that newer ones do not have.
    CFLAGS="-O2 -g -D_IO_ftrylockfile -D_IO_IN_BACKUP=0x100" ./configure --quiet
    make -s
}

seed() {
    sed -i '/^do_transmit(void)/,/^{/s/^{/{\n  static int seeded_;/
        s/^  transmit(wblk->enc, wblk->buffer);/  seeded_++;\n&/' "$SRC/lbzip2/src/compress.c"
}

use() {
    "$SRC/lbzip2/src/lbzip2" -n 2 -3 -k -c "$INPUT" > packed.bz2
    "$SRC/lbzip2/src/lbzip2" -n 2 -d -k -c packed.bz2 > unpacked
    cmp "$INPUT" unpacked
    cksum < packed.bz2
}
