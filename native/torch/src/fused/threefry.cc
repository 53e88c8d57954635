// Random bits as tensors. uint32 travels as int32 of the same bits, since older versions of libtorch have no uint32.
#include "loops/threefry-loops.h"
#include "own-op.h"
#include "parallel/threads.h"

namespace keras {

namespace {

// Bits for each key of `keys` [..., 2]; the second result is defined only when both words are asked for.
std::pair<at::Tensor, at::Tensor> generate(const at::Tensor& keys, at::IntArrayRef shape, bool both) {
  require(keys.scalar_type() == at::kInt, "keys must be int32 (the bits of uint32)");
  require(keys.dim() >= 1 && keys.size(-1) == 2, "keys must have the shape [..., 2]");
  at::Tensor key = keys.cpu().contiguous();
  std::vector<int64_t> sizes(key.sizes().begin(), key.sizes().end() - 1);
  sizes.insert(sizes.end(), shape.begin(), shape.end());
  at::Tensor first = emptyOf(sizes, at::kInt);
  at::Tensor second = both ? emptyOf(sizes, at::kInt) : at::Tensor();
  int64_t batch = key.numel() / 2;
  int64_t count = batch == 0 ? 0 : first.numel() / batch;
  auto* words = reinterpret_cast<const uint32_t*>(key.data_ptr<int32_t>());
  auto* firstData = reinterpret_cast<uint32_t*>(first.data_ptr<int32_t>());
  auto* secondData = both ? reinterpret_cast<uint32_t*>(second.data_ptr<int32_t>()) : nullptr;
  constexpr int64_t grain = 1 << 14;
  for (int64_t k = 0; k < batch; k++) {
    parallelFor(0, count, grain, [&](int64_t begin, int64_t end) {
      int64_t at = k * count + begin;
      threefryWords(words + 2 * k, static_cast<uint64_t>(begin), end - begin, firstData + at,
                    both ? secondData + at : nullptr);
    });
  }
  if (keys.is_cpu()) return {first, second};
  return {first.to(keys.device()), both ? second.to(keys.device()) : second};
}

void threefry(OwnCall& call) {
  auto words = generate(call.tensor(0), call.integers(1), true);
  call.give(std::move(words.first));
  call.give(std::move(words.second));
}

void randomBits(OwnCall& call) { call.give(generate(call.tensor(0), call.integers(1), false).first); }

}  // namespace

std::vector<OwnOp> randomOps() {
  return {{"threefry2x32(Tensor keys, int[] shape) -> (Tensor, Tensor)", threefry},
          {"random_bits(Tensor keys, int[] shape) -> Tensor", randomBits}};
}

}  // namespace keras
