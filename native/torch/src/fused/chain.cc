// Runs fused elementwise chains block by block: all ops on one block, which stays in the nearest cache, then the next one.
#include "fused/chain.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <torch/library.h>

#include <algorithm>
#include <cstring>
#include <memory>

namespace keras {

namespace {

constexpr int64_t longestBlock = 1024;
constexpr int64_t shortestBlock = 64;
// Words of a block's buffers, somewhat less than the nearest cache has.
constexpr int64_t cacheWords = 6144;
// Elements that are worth a thread, divided by the number of ops.
constexpr int64_t grain = 1 << 16;
// Sums are taken in this many parts whatever the number of threads, so that the result does not depend on it.
constexpr int64_t mostParts = 64;

int64_t roundUp(int64_t value, int64_t to) { return (value + to - 1) / to * to; }

// Tensors and layout of one run.
struct Run {
  const Chain& chain;
  std::vector<at::Tensor> inputs;
  std::vector<at::Tensor> results;
  // By result: the input whose memory it takes over, else -1.
  std::vector<int64_t> replaces;
  int64_t block = 0;
  // Elements of a buffer.
  int64_t stride = 0;
  int64_t buffers = 0;
  // By value: the buffer it lives in, -1 for an input that is read where it lies and a result written where it will lie.
  std::vector<int64_t> bufferOf;
  // By result: whether steps write it to its place.
  std::vector<bool> written;
  // Doubles that one part needs for its sums, and where each result's begin.
  int64_t sumsPerPart = 0;
  std::vector<int64_t> sumsAt;
};

void copyStrided(const Chain& chain, const ChainInput& input, const int32_t* from, int64_t start, int64_t count,
                 int32_t* to) {
  const size_t rank = chain.shape.size();
  int64_t index[16];
  int64_t rest = start, offset = 0;
  for (size_t k = rank; k-- > 0;) {
    index[k] = rest % chain.shape[k];
    rest /= chain.shape[k];
    offset += index[k] * input.strides[k];
  }
  const int64_t width = chain.shape[rank - 1], step = input.strides[rank - 1];
  while (count > 0) {
    const int64_t run = std::min(count, width - index[rank - 1]);
    if (step == 1) std::memcpy(to, from + offset, static_cast<size_t>(run) * 4);
    else if (step == 0) std::fill(to, to + run, from[offset]);
    else
      for (int64_t i = 0; i < run; i++) to[i] = from[offset + i * step];
    to += run;
    count -= run;
    if (count == 0) break;
    offset -= index[rank - 1] * step;
    index[rank - 1] = 0;
    for (size_t k = rank - 1; k-- > 0;) {
      offset += input.strides[k];
      if (++index[k] < chain.shape[k]) break;
      offset -= index[k] * input.strides[k];
      index[k] = 0;
    }
  }
}

// An input that can be read as it lies. Bools become words block by block, or, where they are not read one after the
// other, which is rare, at once.
at::Tensor prepared(const at::Tensor& tensor, const ChainInput& input) {
  const int64_t extent = input.extent;
  TORCH_CHECK(tensor.device().is_cpu(), "keras::chain: tensors must be on the CPU");
  TORCH_CHECK(tensor.numel() >= extent, "keras::chain: a tensor of ", tensor.numel(), " elements where ", extent,
              " are read");
  const at::ScalarType type = tensor.scalar_type();
  TORCH_CHECK(type == at::kFloat || type == at::kInt || type == at::kBool,
              "keras::chain: tensors must be float32, int32 or bool, got ", c10::toString(type));
  const bool widen = type == at::kBool && input.access != ChainAccess::Whole;
  return widen ? tensor.contiguous().to(at::kInt) : tensor.contiguous();
}

// Whether the memory of an input may become that of a result: nobody else holds it.
bool isFree(const at::Tensor& tensor) {
  return tensor.use_count() == 1 && tensor.has_storage() && tensor.storage().use_count() == 1 &&
         tensor.storage_offset() == 0 && tensor.is_contiguous() &&
         tensor.storage().nbytes() == static_cast<size_t>(tensor.numel()) * tensor.element_size();
}

void makeResults(Run& run) {
  const Chain& chain = run.chain;
  std::vector<bool> taken(run.inputs.size(), false);
  // Results are stored one after another: one must not overwrite what another is still read from.
  for (const ChainResult& result : chain.results)
    if (result.value < static_cast<int64_t>(taken.size())) taken[result.value] = true;
  for (const ChainResult& result : chain.results) {
    int64_t from = -1;
    if (result.store == ChainStore::Elements && result.type != at::kBool) {
      for (size_t i = 0; i < run.inputs.size() && from < 0; i++)
        if (!taken[i] && chain.inputs[i].access == ChainAccess::Whole && run.inputs[i].numel() == chain.size &&
            run.inputs[i].scalar_type() == result.type && isFree(run.inputs[i]))
          from = static_cast<int64_t>(i);
    }
    run.replaces.push_back(from);
    if (from >= 0) {
      taken[from] = true;
      run.results.push_back(run.inputs[from].view(result.shape));
    } else {
      run.results.push_back(at::empty(result.shape, at::TensorOptions().dtype(result.type)));
    }
  }
}

void layOut(Run& run) {
  const Chain& chain = run.chain;
  const int64_t values = chain.firstRegister() + chain.registers;
  run.bufferOf.assign(static_cast<size_t>(values), -1);
  std::vector<bool> placed(static_cast<size_t>(values), false);
  for (size_t k = 0; k < chain.results.size(); k++) {
    const ChainResult& result = chain.results[k];
    // Memory of an input is written only when a block has been computed; registers that are needed for other things before are no matter.
    run.written.push_back(result.store == ChainStore::Elements && result.type != at::kBool && run.replaces[k] < 0 &&
                          result.value >= chain.firstRegister() && !placed[result.value]);
    if (run.written.back()) placed[result.value] = true;
  }
  for (int64_t v = 0; v < values; v++) {
    if (placed[v]) continue;
    const bool input = v < static_cast<int64_t>(chain.inputs.size());
    const bool inPlace = input && chain.inputs[v].access == ChainAccess::Whole && run.inputs[v].scalar_type() != at::kBool;
    if (!inPlace) run.bufferOf[v] = run.buffers++;
  }
  int64_t block = std::clamp(cacheWords / std::max<int64_t>(run.buffers, 1), shortestBlock, longestBlock);
  block = std::max<int64_t>(block / 64 * 64, shortestBlock);
  // Blocks hold whole rows, so that rows that repeat are written into their buffers only once.
  const int64_t width = chain.width();
  if (width <= longestBlock) block = block < width ? width : block / width * width;
  run.block = std::min(block, std::max<int64_t>(chain.size, 1));
  run.stride = roundUp(run.block, 16);
  for (const ChainResult& result : chain.results) {
    run.sumsAt.push_back(run.sumsPerPart);
    if (result.store == ChainStore::RowSums) run.sumsPerPart += width;
    else if (result.store == ChainStore::Sum) run.sumsPerPart += 1;
  }
}

const int32_t* wordsOf(const at::Tensor& tensor) { return static_cast<const int32_t*>(tensor.data_ptr()); }

// Buffers that hold the same for every block: constants, single elements, rows.
void fillOnce(const Run& run, int32_t* buffers) {
  const Chain& chain = run.chain;
  const int64_t width = chain.width();
  for (size_t i = 0; i < chain.inputs.size(); i++) {
    int32_t* to = buffers + run.bufferOf[i] * run.stride;
    const int32_t* from = wordsOf(run.inputs[i]);
    if (chain.inputs[i].access == ChainAccess::Single) std::fill(to, to + run.block, from[0]);
    else if (chain.inputs[i].access == ChainAccess::Row && width <= run.block)
      for (int64_t k = 0; k < run.block; k += width)
        std::memcpy(to + k, from, static_cast<size_t>(std::min(width, run.block - k)) * 4);
  }
  for (size_t i = 0; i < chain.constants.size(); i++) {
    int32_t* to = buffers + run.bufferOf[chain.inputs.size() + i] * run.stride;
    std::fill(to, to + run.block, chain.constants[i]);
  }
}

void addSums(const Run& run, const float* values, const ChainResult& result, int64_t start, int64_t count,
             float* scratch, double* sums) {
  const int64_t width = run.chain.width();
  if (result.store == ChainStore::Sum) {
    *sums += static_cast<double>(sumOf(values, count));
  } else if (width <= run.block) {
    addRows(values, count / width, width, scratch, sums);
  } else {
    for (int64_t done = 0; done < count;) {
      const int64_t column = (start + done) % width;
      const int64_t part = std::min(width - column, count - done);
      for (int64_t i = 0; i < part; i++) sums[column + i] += static_cast<double>(values[done + i]);
      done += part;
    }
  }
}

void runBlocks(const Run& run, int64_t begin, int64_t end, double* sums, int32_t* buffers, float* scratch,
               void** values) {
  const Chain& chain = run.chain;
  const int64_t inputs = static_cast<int64_t>(chain.inputs.size());
  for (int64_t start = begin; start < end; start += run.block) {
    const int64_t count = std::min(run.block, end - start);
    for (int64_t i = 0; i < inputs; i++) {
      const ChainInput& input = chain.inputs[i];
      const int32_t* from = wordsOf(run.inputs[i]);
      if (input.access == ChainAccess::Whole && run.bufferOf[i] < 0) values[i] = const_cast<int32_t*>(from + start);
      else if (input.access == ChainAccess::Whole)
        wordsOfBools(static_cast<const uint8_t*>(run.inputs[i].data_ptr()) + start, count,
                     static_cast<int32_t*>(values[i]));
      else if (input.access == ChainAccess::Strided || (input.access == ChainAccess::Row && chain.width() > run.block))
        copyStrided(chain, input, from, start, count, buffers + run.bufferOf[i] * run.stride);
    }
    for (size_t k = 0; k < chain.results.size(); k++)
      if (run.written[k])
        values[chain.results[k].value] = static_cast<int32_t*>(run.results[k].data_ptr()) + start;
    runChain(chain.steps.data(), static_cast<int64_t>(chain.steps.size()), values, count);
    for (size_t k = 0; k < chain.results.size(); k++) {
      const ChainResult& result = chain.results[k];
      const auto* from = static_cast<const int32_t*>(values[result.value]);
      if (run.written[k]) continue;
      if (result.store != ChainStore::Elements) {
        addSums(run, reinterpret_cast<const float*>(from), result, start, count, scratch, sums + run.sumsAt[k]);
      } else if (result.type == at::kBool) {
        boolsOfWords(from, count, static_cast<uint8_t*>(run.results[k].data_ptr()) + start);
      } else {
        std::memcpy(static_cast<int32_t*>(run.results[k].data_ptr()) + start, from, static_cast<size_t>(count) * 4);
      }
    }
  }
}

void runPart(const Run& run, int64_t begin, int64_t end, double* sums) {
  const int64_t values = static_cast<int64_t>(run.bufferOf.size());
  const int64_t words = run.buffers * run.stride;
  const int64_t scratch = std::max<int64_t>(128, 2 * run.chain.width());
  // Aligned to lines of the cache.
  std::unique_ptr<int32_t[]> memory(new int32_t[static_cast<size_t>(words + (run.sumsPerPart ? scratch : 0) + 16)]);
  auto* buffers = reinterpret_cast<int32_t*>(roundUp(reinterpret_cast<int64_t>(memory.get()), 64));
  std::vector<void*> pointers(static_cast<size_t>(values), nullptr);
  for (int64_t v = 0; v < values; v++)
    if (run.bufferOf[v] >= 0) pointers[v] = buffers + run.bufferOf[v] * run.stride;
  fillOnce(run, buffers);
  runBlocks(run, begin, end, sums, buffers, reinterpret_cast<float*>(buffers + words), pointers.data());
}

void finishSums(const Run& run, const std::vector<double>& sums, int64_t parts) {
  for (size_t k = 0; k < run.chain.results.size(); k++) {
    const ChainResult& result = run.chain.results[k];
    if (result.store == ChainStore::Elements) continue;
    auto* to = static_cast<float*>(run.results[k].data_ptr());
    const int64_t count = result.store == ChainStore::Sum ? 1 : run.chain.width();
    for (int64_t i = 0; i < count; i++) {
      double sum = 0;
      for (int64_t part = 0; part < parts; part++) sum += sums[part * run.sumsPerPart + run.sumsAt[k] + i];
      to[i] = static_cast<float>(sum);
    }
  }
}

std::vector<at::Tensor> chainOf(std::vector<at::Tensor> tensors, at::IntArrayRef code) {
  const Chain chain = readChain(code, tensors.size());
  Run run{chain, {}, {}, {}, 0, 0, 0, {}, {}, 0, {}};
  for (size_t i = 0; i < tensors.size(); i++) {
    run.inputs.push_back(prepared(tensors[i], chain.inputs[i]));
    tensors[i].reset();
  }
  makeResults(run);
  layOut(run);
  const int64_t blocks = (chain.size + run.block - 1) / run.block;
  const int64_t work = std::max<int64_t>(1, grain / std::max<int64_t>(1, run.block * static_cast<int64_t>(chain.steps.size() + 2)));
  if (run.sumsPerPart == 0) {
    at::parallel_for(0, blocks, work, [&](int64_t begin, int64_t end) {
      runPart(run, begin * run.block, std::min(end * run.block, chain.size), nullptr);
    });
    return run.results;
  }
  const int64_t perPart = std::max(work, (blocks + mostParts - 1) / mostParts);
  const int64_t parts = (blocks + perPart - 1) / perPart;
  std::vector<double> sums(static_cast<size_t>(std::max<int64_t>(parts, 1) * run.sumsPerPart), 0.0);
  at::parallel_for(0, parts, 1, [&](int64_t begin, int64_t end) {
    for (int64_t part = begin; part < end; part++)
      runPart(run, part * perPart * run.block, std::min((part + 1) * perPart * run.block, chain.size),
              sums.data() + part * run.sumsPerPart);
  });
  finishSums(run, sums, parts);
  return run.results;
}

// A boxed kernel, to be the only holder of tensors that end here.
void chainKernel(const c10::OperatorHandle&, c10::DispatchKeySet, torch::jit::Stack* stack) {
  std::vector<int64_t> code = torch::jit::pop(*stack).toIntVector();
  std::vector<at::Tensor> tensors;
  {
    c10::IValue list = torch::jit::pop(*stack);
    tensors = std::move(list).toTensorVector();
  }
  c10::List<at::Tensor> results;
  for (at::Tensor& result : chainOf(std::move(tensors), code)) results.push_back(std::move(result));
  torch::jit::push(*stack, std::move(results));
}

}  // namespace

}  // namespace keras

TORCH_LIBRARY_FRAGMENT(keras, library) { library.def("chain(Tensor[] tensors, int[] code) -> Tensor[]"); }

TORCH_LIBRARY_IMPL(keras, CompositeExplicitAutograd, library) {
  library.impl("chain", torch::CppFunction::makeFromBoxedFunction<&keras::chainKernel>());
}
