# memcached with libevent, under clients at once. It has races of its own, all on words that it reads without the lock under
# which they are written: the clock, counters of the statistics, and flags of an item that is looked at before it is locked.
# SOURCES: memcached libevent
# KNOWN: data race on `(current_time|stats_state\.curr_items|event_debug_mode_too_late)`
# KNOWN: data race on `[^`]*->(time|it_flags|refcount)`
# KNOWN: #0 (do_item_\w+|fill_item_stats_automove|lru_\w+) .*#0 (do_item_\w+|fill_item_stats_automove|lru_\w+)

build() {
    (cd "$SRC/libevent" && CFLAGS="-O2 -g" ./configure --quiet --disable-shared --disable-openssl --disable-samples \
        --disable-libevent-regress --prefix="$SRC/installed" && make -s install)
    cd "$SRC/memcached"
    ./configure --quiet --with-libevent="$SRC/installed"
    make -s memcached
    "$CC" -O2 -g -pthread "${RECIPE%/*}/memcached_client.c" -o "$SRC/client"
}

use() {
    "$SRC/memcached/memcached" -u root -t 4 -m 64 -s "$PWD/socket" &
    server=$!
    for try in 1 2 3 4 5 6 7 8 9 10; do [ -S socket ] && break; sleep 1; done
    "$SRC/client" "$PWD/socket"
    kill -INT $server
    wait $server
}
