// Random bits: Threefry-2x32 with 20 rounds (Salmon et al., 2011), the same bits as JAX's partitionable layout.
// uint32 travels as int32 of the same bits, since older versions of libtorch have no uint32.
#include <ATen/EmptyTensor.h>
#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>

#include <vector>

#include "boxed.h"
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

// The words of the counters from `from` on, or their exclusive or in `first` when `second` is null.
KERAS_TARGETS void cipher(uint32_t k0, uint32_t k1, uint64_t from, int64_t count, uint32_t* first, uint32_t* second) {
  const uint32_t k2 = k0 ^ k1 ^ 0x1bd11bdau;
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

// Bits for each key of `keys` [..., 2]; the second result is defined only when both words are asked for.
std::pair<at::Tensor, at::Tensor> generate(const at::Tensor& keys, at::IntArrayRef shape, bool both) {
  TORCH_CHECK(keys.scalar_type() == at::kInt, "keys must be int32 (the bits of uint32)");
  TORCH_CHECK(keys.dim() >= 1 && keys.size(-1) == 2, "keys must have the shape [..., 2]");
  at::Tensor key = keys.cpu().contiguous();
  std::vector<int64_t> sizes(key.sizes().begin(), key.sizes().end() - 1);
  sizes.insert(sizes.end(), shape.begin(), shape.end());
  at::Tensor first = at::detail::empty_cpu(sizes, at::kInt);
  at::Tensor second = both ? at::Tensor(at::detail::empty_cpu(sizes, at::kInt)) : at::Tensor();
  int64_t batch = key.numel() / 2;
  int64_t count = batch == 0 ? 0 : first.numel() / batch;
  auto* words = reinterpret_cast<const uint32_t*>(key.data_ptr<int32_t>());
  auto* firstData = reinterpret_cast<uint32_t*>(first.data_ptr<int32_t>());
  auto* secondData = both ? reinterpret_cast<uint32_t*>(second.data_ptr<int32_t>()) : nullptr;
  constexpr int64_t grain = 1 << 14;
  for (int64_t k = 0; k < batch; k++) {
    at::parallel_for(0, count, grain, [&](int64_t begin, int64_t end) {
      int64_t at = k * count + begin;
      cipher(words[2 * k], words[2 * k + 1], static_cast<uint64_t>(begin), end - begin, firstData + at,
             both ? secondData + at : nullptr);
    });
  }
  if (keys.is_cpu()) return {first, second};
  return {first.to(keys.device()), both ? second.to(keys.device()) : second};
}

void threefry(torch::jit::Stack& stack) {
  std::vector<int64_t> shape = popIntegers(stack);
  auto words = generate(popTensor(stack), shape, true);
  torch::jit::push(stack, std::move(words.first), std::move(words.second));
}

void randomBits(torch::jit::Stack& stack) {
  std::vector<int64_t> shape = popIntegers(stack);
  torch::jit::push(stack, generate(popTensor(stack), shape, false).first);
}

}  // namespace

}  // namespace keras

TORCH_LIBRARY_FRAGMENT(keras, library) {
  library.def("threefry2x32(Tensor keys, int[] shape) -> (Tensor, Tensor)");
  library.def("random_bits(Tensor keys, int[] shape) -> Tensor");
}

TORCH_LIBRARY_IMPL(keras, CompositeExplicitAutograd, library) {
  library.impl("threefry2x32", keras::boxed<keras::threefry>());
  library.impl("random_bits", keras::boxed<keras::randomBits>());
}
