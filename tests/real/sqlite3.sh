# SQLite: connections to one database in a thread each, and one connection that all threads share.
# SOURCES: sqlite3

build() {
    cd "$SRC/sqlite3"
    ./configure --quiet --disable-tcl --disable-shared --enable-threadsafe
    make -s sqlite3.c sqlite3.h
    "$CC" -O1 -g -I. -DSQLITE_THREADSAFE=1 -DSQLITE_OMIT_LOAD_EXTENSION "${RECIPE%/*}/sqlite3_client.c" sqlite3.c \
        -o client -lpthread -lm
}

use() {
    "$SRC/sqlite3/client" delete
    "$SRC/sqlite3/client" wal
}
