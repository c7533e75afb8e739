# pbzip2 with the lock of its output buffer released too early: whoever adds a block races with whoever writes the blocks out.
# SOURCES: pbzip2 bzip2
# QUICK
# REPORTED: outputBufferAdd \S*pbzip2\.cpp:2922.*fileWriter \S*pbzip2\.cpp:1687|fileWriter \S*pbzip2\.cpp:1687.*outputBufferAdd \S*pbzip2\.cpp:2922
# KNOWN: outputBufferAdd

. "${RECIPE%/*}/pbzip2.sh"
eval "build_intact() $(declare -f build | tail -n +2)"

build() {
    # Unlocks before the element is added and not after, without changing the numbers of the lines.
    sed -i -e '/^outBuff \* outputBufferAdd/,/^}/{
        s/^\t\/\/ calculate output buffer position.*/\tsafe_mutex_unlock(OutMutex);/
        t
        s/^\tsafe_mutex_unlock(OutMutex);/\t;/
    }' "$SRC/pbzip2/pbzip2.cpp"
    build_intact
}
