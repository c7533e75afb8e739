# xz: threads for blocks, and a queue of their output.
# SOURCES: xz-utils

build() {
    cd "$SRC/xz-utils"
    CFLAGS="-O2 -g" ./configure --quiet --disable-shared --disable-nls --disable-doc
    make -s
}

use() {
    "$SRC/xz-utils/src/xz/xz" -1 -T4 --block-size=1MiB -c -k "$INPUT" > packed.xz
    "$SRC/xz-utils/src/xz/xz" -T4 -d -c -k packed.xz > unpacked
    cmp "$INPUT" unpacked
    sha256sum < packed.xz
}
