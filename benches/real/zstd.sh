# zstd packs a text with two threads and unpacks it: a pool of jobs, and memory handed over between them.
# SOURCES: libzstd
# MEGABYTES: 12

. "$TESTS/real/zstd.sh"

# The first that two threads of the pool do: a job's work is often ordered after that of the one before, by the thread that posts both.
seed() {
    sed -i '/^static void\* POOL_thread(void\* opaque)/i static int seeded_;
        s/^    POOL_ctx\* const ctx = (POOL_ctx\*)opaque;/&\n    seeded_++;/' \
        "$SRC/libzstd/lib/common/pool.c"
}

use() {
    "$SRC/libzstd/programs/zstd" -q -T2 -B1MB -5 -f "$INPUT" -o packed.zst
    "$SRC/libzstd/programs/zstd" -q -d -f packed.zst -o unpacked
    cmp "$INPUT" unpacked
    cksum < packed.zst
}
