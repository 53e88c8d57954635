// Random bits: Threefry-2x32 with 20 rounds (Salmon et al., 2011), the same bits as JAX's partitionable layout.
#pragma once
#include <cstdint>

namespace keras {

// The words of the `count` counters from `from` on, or their exclusive or in `first` when `second` is null.
void threefryWords(const uint32_t* key, uint64_t from, int64_t count, uint32_t* first, uint32_t* second);

}  // namespace keras
