# memcached with libevent and two threads, under clients on the loopback that store, read and count.
# SOURCES: memcached libevent
# RACY

. "$TESTS/real/memcached.sh"
eval "build_with_client() $(declare -f build | tail -n +2)"

# The clients are built natively whatever builds the server: they are not measured.
build() {
    RECIPE="$TESTS/real/memcached.sh"
    build_with_client
    "$NATIVE_CC" -O2 -g -pthread "$RECIPES/memcached_load.c" -o "$SRC/load"
}

use() {
    port=$((20000 + $$ % 20000))
    # Nobody waits for what is left behind here, so that its time is not counted. It ends the server.
    ("$SRC/load" $port $$ &)
    exec "$SRC/memcached/memcached" -u root -t 2 -m 64 -l 127.0.0.1 -p $port -U 0
}
