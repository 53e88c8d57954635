#include "loops/threefry-loops.h"

#include "targets.h"

namespace keras {

namespace {

inline uint32_t rotate(uint32_t value, int by) { return (value << by) | (value >> (32 - by)); }

inline void fourRounds(uint32_t& a, uint32_t& b, int r0, int r1, int r2, int r3) {
  a += b;
  b = rotate(b, r0) ^ a;
  a += b;
  b = rotate(b, r1) ^ a;
  a += b;
  b = rotate(b, r2) ^ a;
  a += b;
  b = rotate(b, r3) ^ a;
}

}  // namespace

KERAS_TARGETS void threefryWords(const uint32_t* key, uint64_t from, int64_t count, uint32_t* first, uint32_t* second) {
  const uint32_t k0 = key[0], k1 = key[1], k2 = k0 ^ k1 ^ 0x1bd11bdau;
  for (int64_t i = 0; i < count; i++) {
    const uint64_t counter = from + static_cast<uint64_t>(i);
    uint32_t a = static_cast<uint32_t>(counter >> 32) + k0;
    uint32_t b = static_cast<uint32_t>(counter) + k1;
    fourRounds(a, b, 13, 15, 26, 6);
    a += k1;
    b += k2 + 1;
    fourRounds(a, b, 17, 29, 16, 24);
    a += k2;
    b += k0 + 2;
    fourRounds(a, b, 13, 15, 26, 6);
    a += k0;
    b += k1 + 3;
    fourRounds(a, b, 17, 29, 16, 24);
    a += k1;
    b += k2 + 4;
    fourRounds(a, b, 13, 15, 26, 6);
    a += k2;
    b += k0 + 5;
    if (second) {
      first[i] = a;
      second[i] = b;
    } else {
      first[i] = a ^ b;
    }
  }
}

}  // namespace keras
