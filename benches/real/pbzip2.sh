# pbzip2 packs and unpacks a text: a pipeline of threads with queues, in C++ and C.
# SOURCES: pbzip2 bzip2
# MEGABYTES: 6

. "$TESTS/real/pbzip2.sh"

seed() {
    sed -i '/^#include "pbzip2.h"/a static int seeded_;
        s/^\t\tret = BZ2_bzBuffToBuffCompress(/\t\tseeded_++;\n&/' "$SRC/pbzip2/pbzip2.cpp"
}

use() {
    "$SRC/pbzip2/pbzip2" -p2 -b3 -c -k "$INPUT" > packed
    "$SRC/pbzip2/pbzip2" -p2 -d -c -k packed > unpacked
    cmp "$INPUT" unpacked
    cksum < packed
}
