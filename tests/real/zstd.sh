# zstd: a pool of threads, jobs, and memory handed over between them.
# SOURCES: libzstd

build() {
    make -s -C "$SRC/libzstd/programs" zstd-release CC="$CC"
}

use() {
    "$SRC/libzstd/programs/zstd" -q -T4 -B1MB -5 -f "$INPUT" -o packed.zst
    "$SRC/libzstd/programs/zstd" -q -d -f packed.zst -o unpacked
    cmp "$INPUT" unpacked
    sha256sum < packed.zst
}
