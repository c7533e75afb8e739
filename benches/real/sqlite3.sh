# SQLite in two threads: a database in memory for each, and one connection that both share.
# SOURCES: sqlite3

build() {
    cd "$SRC/sqlite3"
    ./configure --quiet --disable-tcl --disable-shared --enable-threadsafe
    make -s sqlite3.c sqlite3.h
    "$CC" -O1 -g -I. -DSQLITE_THREADSAFE=1 -DSQLITE_OMIT_LOAD_EXTENSION ${SEEDED:+-DSEED_RACE} \
        "$RECIPES/sqlite3_load.c" sqlite3.c -o load -lpthread -lm
}

# The seeded race is in the program that uses the library.
seed() {
    SEEDED=1
}

use() {
    "$SRC/sqlite3/load" 15000
}
