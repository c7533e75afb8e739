# pbzip2 with its libbz2: a pipeline of threads with queues, mutexes and condition variables, in C++ and C.
# SOURCES: pbzip2 bzip2
# QUICK

build() {
    make -C "$SRC/bzip2" libbz2.a CC="$CC"
    # Clang has made an error of what this source does with string literals.
    make -C "$SRC/pbzip2" CXX="$CXX -Wno-reserved-user-defined-literal" CPATH="$SRC/bzip2" \
        LDFLAGS="-L$SRC/bzip2" CXXFLAGS="-O2 -g -I$SRC/bzip2 -pthread -D_POSIX_PTHREAD_SEMANTICS -DUSE_STACKSIZE_CUSTOMIZATION"
}

use() {
    "$SRC/pbzip2/pbzip2" -p4 -b1 -c -k "$INPUT" > packed
    "$SRC/pbzip2/pbzip2" -p4 -d -c -k packed > unpacked
    cmp "$INPUT" unpacked
    sha256sum < packed
}
