# SQLite's own stress test: threads with connections to one shared cache, by mutexes and atomics.
# SOURCES: sqlite3

build() {
    cd "$SRC/sqlite3"
    ./configure --quiet --disable-tcl --disable-shared --enable-threadsafe
    make -s sqlite3.c sqlite3.h
    "$CC" -O1 -g -I. -DSQLITE_THREADSAFE=1 -DSQLITE_OMIT_LOAD_EXTENSION test/threadtest4.c sqlite3.c -o threadtest4 -lpthread -lm
}

use() {
    for mode in --multithread --serialized "--serialized --wal"; do
        # Which thread ends first differs from run to run.
        "$SRC/sqlite3/threadtest4" $mode 3 > log
        grep -E '^(Joined|Total)' log | sort
    done
}
