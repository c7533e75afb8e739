# Compares what a program expects of its bytes' last accesses ("must ADDRESS KIND_...": one of these places is to be found for each kind; "may": one can be) with its
# reports, and says how many bytes agree.
FNR == NR {
    bytes[$2]
    split($3, part, "_")
    can[$2, $3]
    if ($1 == "must") must[$2, part[1]]
    next
}
/^  Write of size 1 at / { address = $6 }
/^  Earlier (read|write) of size / { kind = $2; earlier = 1 }
earlier && /^    #0 / {
    earlier = 0
    if (address in bytes && !((address, $2) in can)) wrong[address]
    found[address, kind]
}
END {
    for (address in bytes) {
        all++
        if ((address, "read") in must && !((address, "read") in found)) wrong[address]
        if ((address, "write") in must && !((address, "write") in found)) wrong[address]
        if (address in wrong) print "disagrees: " address
        else agree++
    }
    print "bytes agree: " agree " of " all
}
