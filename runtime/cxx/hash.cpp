// What std::hash of strings is made by, which libstdc++ has in its shared library (CXXABI_1.3.5), where it would not be seen to read the string.

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace std {

// MurmurHash64A (Austin Appleby, public domain), as the library's: where both are used in one program, they have to agree.
size_t _Hash_bytes(const void *bytes, size_t count, size_t seed) {
    const uint64_t factor = 0xc6a4a7935bd1e995;
    const auto mixed = [](uint64_t value) { return value ^ value >> 47; };
    const char *at = static_cast<const char *>(bytes);
    uint64_t hash = seed ^ count * factor;
    for (const char *const end = at + (count & ~size_t{7}); at != end; at += 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        hash = (hash ^ mixed(word * factor) * factor) * factor;
    }
    if (count & 7) {
        uint64_t rest = 0;
        for (size_t i = count & 7; i--;) rest = rest << 8 | static_cast<unsigned char>(at[i]);
        hash = (hash ^ rest) * factor;
    }
    return mixed(mixed(hash) * factor);
}

} // namespace std
