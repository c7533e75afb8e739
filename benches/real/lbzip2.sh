# lbzip2 packs and unpacks a text with two threads: priority queues of tasks under one lock, and blocks sorted by suffixes.
# SOURCES: lbzip2
# MEGABYTES: 6

build() {
    cd "$SRC/lbzip2"
    # Its copy of gnulib knows glibc by names that newer ones do not have.
    CFLAGS="-O2 -g -D_IO_ftrylockfile -D_IO_IN_BACKUP=0x100" ./configure --quiet
    make -s
}

# Before a worker takes its first lock, so that nothing can order it.
seed() {
    sed -i 's/^  (void)id;/&\n  static volatile int seeded_;\n  seeded_++;/' "$SRC/lbzip2/src/process.c"
}

use() {
    "$SRC/lbzip2/src/lbzip2" -n 2 -3 -k -c "$INPUT" > packed.bz2
    "$SRC/lbzip2/src/lbzip2" -n 2 -d -k -c packed.bz2 > unpacked
    cmp "$INPUT" unpacked
    cksum < packed.bz2
}
