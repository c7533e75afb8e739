# memcached with libevent, under clients at once. It has races of its own, all on words that it reads without the lock under
# which they are written: the clock, counters of the statistics, and flags of an item that is looked at before it is locked.
# SOURCES: memcached libevent
# KNOWN: data race on `(current_time|process_started)`
# KNOWN: data race on `\S*(stats_state|stats|settings)\.\S+`
# KNOWN: data race on `\S*it->(it_flags|time|refcount|exptime|h_next|next|prev)`
# KNOWN: data race on `event_debug_mode_too_late`

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
