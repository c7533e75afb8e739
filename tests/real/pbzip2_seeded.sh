# pbzip2 with the lock of its output buffer released too early: whoever adds a block races with whoever writes the blocks out.
# SOURCES: pbzip2 bzip2
# QUICK
# One pair is told once, in the order in which it came first: the writer that looks for a block before one is there is the earlier one.
# REPORTED: #0 fileWriter +\S*pbzip2\.cpp:1[67][0-9][0-9].*Earlier write .*#0 outputBufferAdd +\S*pbzip2\.cpp:2922|#0 outputBufferAdd +\S*pbzip2\.cpp:2922.*Earlier read .*#0 fileWriter +\S*pbzip2\.cpp:1[67][0-9][0-9]
# KNOWN: #0 outputBufferAdd +\S*pbzip2\.cpp:29[0-9][0-9]

. "${RECIPE%/*}/pbzip2.sh"
eval "build_intact() $(declare -f build | tail -n +2)"

build() {
    # Unlocks before the element is stored and not after, without changing the numbers of the lines.
    sed -i -e '/^outBuff \* outputBufferAdd/,/^}/{
        s/^\t\(OutputBuffer\[outBuffPos\] = element;\)/\tsafe_mutex_unlock(OutMutex); \1/
        t
        s/^\tsafe_mutex_unlock(OutMutex);/\t;/
    }' "$SRC/pbzip2/pbzip2.cpp"
    build_intact
}

use() {
    "$SRC/pbzip2/pbzip2" -p4 -b1 -c -k "$INPUT" > packed || [ $? = 66 ]
}
