# zstd packs a text with two threads and unpacks it: a pool of jobs, and memory handed over between them.
# SOURCES: libzstd
# MEGABYTES: 12

. "$TESTS/real/zstd.sh"

seed() {
    sed -i '/^static void ZSTDMT_compressionJob(/i static int seeded_;
        s/^    ZSTDMT_jobDescription\* const job = (ZSTDMT_jobDescription\*)jobDescription;/&\n    seeded_++;/' \
        "$SRC/libzstd/lib/compress/zstdmt_compress.c"
}

use() {
    "$SRC/libzstd/programs/zstd" -q -T2 -B1MB -5 -f "$INPUT" -o packed.zst
    "$SRC/libzstd/programs/zstd" -q -d -f packed.zst -o unpacked
    cmp "$INPUT" unpacked
    cksum < packed.zst
}
