// Runs fused elementwise chains block by block, on several threads.
#include "parallel/chain.h"

#include "parallel/threads.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace keras {

namespace {

// Words of a block's buffers, somewhat less than the nearest cache has, and limits of blocks.
constexpr int64_t cacheWords = 6144, shortestBlock = 64, longestBlock = 2048;
// Where there are no buffers, blocks are only there to be counted.
constexpr int64_t plainBlock = 1 << 13;
// Elements that are worth a thread: of compiled chains, and of one step op by op.
constexpr int64_t compiledGrain = 1 << 14, stepGrain = 1 << 16;
// Sums are taken in this many parts whatever the number of threads, so that the result does not depend on it.
constexpr int64_t mostParts = 64;
// Blocks that are summed in single precision.
constexpr int64_t mostSingle = 64;

int64_t divideUp(int64_t value, int64_t by) { return (value + by - 1) / by; }
int64_t bytesOf(ChainType type) { return type == ChainType::Bool ? 1 : 4; }

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

void compile(Chain& chain) {
  ChainSource source{{}, chain.constants, chain.steps, {}};
  for (const ChainInput& input : chain.inputs)
    source.inputs.push_back(input.access == ChainAccess::Single                              ? ChainRead::Single
                            : input.access == ChainAccess::Whole && input.type == ChainType::Bool ? ChainRead::Bools
                                                                                            : ChainRead::Words);
  for (const ChainResult& result : chain.results)
    source.outputs.push_back({result.value, result.store != ChainStore::Elements ? ChainWrite::Sums
                                            : result.type == ChainType::Bool           ? ChainWrite::Bools
                                                                                 : ChainWrite::Words});
  chain.compiled = CompiledChain::of(source);
}

// One thread's memory for a chain, and its work.
class ChainThread {
 public:
  ChainThread(const Chain& chain, const std::vector<const void*>& data, const std::vector<void*>& results)
      : chain_(chain), layout_(chain.layout), data_(data), results_(results) {
    const size_t inputs = chain.inputs.size(), outputs = chain.results.size();
    const int64_t frame = chain.compiled ? chain.compiled->frameWords() + static_cast<int64_t>(inputs + outputs) * 8 : 0;
    memory_.reset(new int32_t[static_cast<size_t>(frame + layout_.buffers * layout_.bufferWords + 16)]);
    // Aligned to lines of the cache.
    frame_ = reinterpret_cast<int32_t*>(divideUp(reinterpret_cast<int64_t>(memory_.get()), 64) * 64);
    buffers_ = frame_ + divideUp(frame, 16) * 16;
    pointers_.resize(layout_.bufferOf.size(), nullptr);
    for (size_t value = 0; value < layout_.bufferOf.size(); value++)
      if (layout_.bufferOf[value] >= 0) pointers_[value] = buffers_ + layout_.bufferOf[value] * layout_.bufferWords;
    fillOnce();
  }

  void run(int64_t begin, int64_t end, double* sums) {
    int64_t single = 0;
    clearSums();
    for (int64_t block = begin; block < end; block++) {
      const int64_t row = layout_.perRow ? block / layout_.perRow : 0;
      const int64_t column = layout_.perRow ? block % layout_.perRow * layout_.block : 0;
      const int64_t start = layout_.perRow ? row * chain_.width() + column : block * layout_.block;
      const int64_t limit = layout_.perRow ? chain_.width() - column : chain_.size - start;
      runBlock(start, column, std::min(layout_.block, limit));
      if (++single < mostSingle) continue;
      addSums(sums);
      clearSums();
      single = 0;
    }
    addSums(sums);
  }

 private:
  bool isSum(size_t result) const { return chain_.results[result].store != ChainStore::Elements; }
  float* sumAt(size_t result) {
    return reinterpret_cast<float*>(buffers_ + layout_.bufferOf[chain_.sumOf(result)] * layout_.bufferWords);
  }

  // What is the same for every block: constants, single elements, rows.
  void fillOnce() {
    const int64_t width = chain_.width(), block = layout_.block;
    std::vector<const int32_t*> singles;
    for (size_t i = 0; i < chain_.inputs.size(); i++) {
      const auto* from = static_cast<const int32_t*>(data_[i]);
      singles.push_back(from);
      if (layout_.bufferOf[i] < 0) continue;
      auto* to = static_cast<int32_t*>(pointers_[i]);
      if (chain_.inputs[i].access == ChainAccess::Single) std::fill_n(to, block, from[0]);
      else if (chain_.inputs[i].access == ChainAccess::Row)
        for (int64_t k = 0; k < block; k += width) std::memcpy(to + k, from, static_cast<size_t>(width) * 4);
    }
    if (chain_.compiled) return chain_.compiled->fillFrame(frame_, singles.data());
    for (size_t i = 0; i < chain_.constants.size(); i++)
      std::fill_n(static_cast<int32_t*>(pointers_[chain_.inputs.size() + i]), block, chain_.constants[i]);
  }

  void runBlock(int64_t start, int64_t column, int64_t count) {
    for (size_t i = 0; i < chain_.inputs.size(); i++) {
      const ChainInput& input = chain_.inputs[i];
      const auto* from = static_cast<const int32_t*>(data_[i]);
      const bool buffered = layout_.bufferOf[i] >= 0;
      if (input.access == ChainAccess::Whole) {
        const auto* at = static_cast<const uint8_t*>(data_[i]) + start * bytesOf(input.type);
        if (buffered) wordsOfBools(at, count, static_cast<int32_t*>(pointers_[i]));
        else pointers_[i] = const_cast<uint8_t*>(at);
      } else if (input.access == ChainAccess::Row && !buffered) {
        pointers_[i] = const_cast<int32_t*>(from + column);
      } else if (input.access == ChainAccess::Strided) {
        copyStrided(chain_, input, from, start, count, static_cast<int32_t*>(pointers_[i]));
      }
    }
    if (chain_.compiled) runCompiled(start, column, count);
    else runSteps(start, column, count);
  }

  void* resultAt(size_t k, int64_t start) const {
    return static_cast<uint8_t*>(results_[k]) + start * bytesOf(chain_.results[k].type);
  }

  // Op by op; results that no step writes to their place are copied there.
  void runSteps(int64_t start, int64_t column, int64_t count) {
    for (size_t k = 0; k < chain_.results.size(); k++) {
      const int32_t value = chain_.results[k].value;
      if (isSum(k)) pointers_[chain_.sumOf(k)] = sumAt(k) + column;
      else if (layout_.bufferOf[value] < 0 && value >= chain_.firstRegister()) pointers_[value] = resultAt(k, start);
    }
    keras::runChain(chain_.steps.data(), static_cast<int64_t>(chain_.steps.size()), pointers_.data(), count);
    for (size_t k = 0; k < chain_.results.size(); k++) {
      const ChainResult& result = chain_.results[k];
      void* to = resultAt(k, start);
      const void* from = pointers_[result.value];
      if (isSum(k) || from == to) continue;
      if (result.type == ChainType::Bool) boolsOfWords(static_cast<const int32_t*>(from), count, static_cast<uint8_t*>(to));
      else std::memcpy(to, from, static_cast<size_t>(count) * 4);
    }
  }

  // Compiled code takes eight elements at a time; the rest goes through small buffers.
  void runCompiled(int64_t start, int64_t column, int64_t count) {
    const size_t inputs = chain_.inputs.size(), all = inputs + chain_.results.size();
    places_.assign(pointers_.begin(), pointers_.begin() + static_cast<int64_t>(inputs));
    for (size_t k = 0; k < chain_.results.size(); k++) places_.push_back(isSum(k) ? sumAt(k) + column : resultAt(k, start));
    const int64_t whole = count / 8 * 8, rest = count - whole;
    if (whole > 0) chain_.compiled->run(places_.data(), frame_, whole);
    if (rest == 0) return;
    int32_t* spare = frame_ + chain_.compiled->frameWords();
    ends_.resize(all);
    for (size_t i = 0; i < all; i++) {
      ends_[i] = spare + i * 8;
      if (places_[i] && (i < inputs || isSum(i - inputs))) std::memcpy(ends_[i], at(i, whole), bytes(i, rest));
    }
    chain_.compiled->run(ends_.data(), frame_, 8);
    for (size_t i = inputs; i < all; i++) std::memcpy(at(i, whole), ends_[i], bytes(i, rest));
  }
  // Element of an input or result, and the size of some.
  ChainType typeOf(size_t i) const {
    const size_t inputs = chain_.inputs.size();
    if (i >= inputs) return chain_.results[i - inputs].type;
    // Other bools have become words.
    return chain_.inputs[i].access == ChainAccess::Whole ? chain_.inputs[i].type : ChainType::Int;
  }
  void* at(size_t i, int64_t element) const { return static_cast<uint8_t*>(places_[i]) + element * bytesOf(typeOf(i)); }
  size_t bytes(size_t i, int64_t count) const { return static_cast<size_t>(count * bytesOf(typeOf(i))); }

  int64_t sumSize() const { return layout_.perRow ? chain_.width() : layout_.block; }
  void clearSums() {
    for (size_t k = 0; k < chain_.results.size(); k++)
      if (isSum(k)) std::fill_n(sumAt(k), sumSize(), 0.f);
  }
  void addSums(double* sums) {
    for (size_t k = 0; k < chain_.results.size(); k++) {
      if (!isSum(k)) continue;
      const float* from = sumAt(k);
      const int64_t width = chain_.results[k].store == ChainStore::Sum ? 1 : chain_.width();
      for (int64_t start = 0; start < sumSize(); start += width)
        for (int64_t i = 0; i < width; i++) sums[i] += static_cast<double>(from[start + i]);
      sums += width;
    }
  }

  const Chain& chain_;
  const ChainLayout& layout_;
  const std::vector<const void*>& data_;
  const std::vector<void*>& results_;
  std::unique_ptr<int32_t[]> memory_;
  int32_t* frame_;
  int32_t* buffers_;
  // By value; where code is compiled, those of inputs count, and `places_` has inputs and results.
  std::vector<void*> pointers_, places_, ends_;
};

void layOut(Chain& chain) {
  ChainLayout& layout = chain.layout;
  const int64_t width = chain.width();
  const auto values = static_cast<size_t>(chain.sumOf(0));
  layout.bufferOf.assign(values + chain.results.size(), -1);
  bool rows = false, rowSums = false;
  std::vector<size_t> buffered;
  for (size_t i = 0; i < chain.inputs.size(); i++) {
    const ChainInput& input = chain.inputs[i];
    const bool isRow = input.access == ChainAccess::Row;
    rows = rows || isRow;
    if (isRow ? width <= longestBlock
        : input.access == ChainAccess::Whole  ? !chain.compiled && input.type == ChainType::Bool
        : input.access == ChainAccess::Single ? !chain.compiled
                                              : true)
      buffered.push_back(i);
  }
  if (!chain.compiled) {
    std::vector<bool> placed(values, false);
    // A value may be two results: it is written to the place of the first.
    for (const ChainResult& result : chain.results)
      if (result.store == ChainStore::Elements && result.type != ChainType::Bool) placed[result.value] = true;
    for (size_t i = chain.inputs.size(); i < values; i++)
      if (!placed[i] || static_cast<int64_t>(i) < chain.firstRegister()) buffered.push_back(i);
  }
  for (size_t k = 0; k < chain.results.size(); k++) {
    if (chain.results[k].store == ChainStore::Elements) continue;
    buffered.push_back(static_cast<size_t>(chain.sumOf(k)));
    rowSums = rowSums || chain.results[k].store == ChainStore::RowSums;
    layout.sums += chain.results[k].store == ChainStore::Sum ? 1 : width;
  }
  for (size_t value : buffered) layout.bufferOf[value] = static_cast<int32_t>(layout.buffers++);

  int64_t block = plainBlock;
  if (layout.buffers > 0) block = std::clamp(cacheWords / layout.buffers / 64 * 64, shortestBlock, longestBlock);
  if (rows || rowSums) {
    if (width > longestBlock) layout.perRow = divideUp(width, block);
    else {
      // Blocks hold whole rows, and whole vectors where they can.
      const int64_t unit = std::lcm(width, int64_t{8}) <= block ? std::lcm(width, int64_t{8}) : width;
      block = std::max(block / unit, int64_t{1}) * unit;
    }
  }
  if (!layout.perRow) block = std::min(block, std::max<int64_t>(chain.size, 1));
  layout.block = block;
  layout.blocks = layout.perRow ? chain.size / std::max<int64_t>(width, 1) * layout.perRow : divideUp(chain.size, block);
  // Lines of different buffers are not to meet in the same place of the cache.
  layout.bufferWords = divideUp(layout.sums > 0 && layout.perRow ? width : block, 16) * 16 + 16;
}

}  // namespace

void prepare(Chain& chain) {
  if (chain.compiles) compile(chain);
  layOut(chain);
  if (chain.compiled) return;
  for (size_t k = 0; k < chain.results.size(); k++) {
    if (chain.results[k].store == ChainStore::Elements) continue;
    const auto sum = static_cast<int32_t>(chain.sumOf(k));
    chain.steps.push_back({ChainOp::Add, sum, sum, chain.results[k].value, sum});
  }
}

void runChain(const Chain& chain, const std::vector<const void*>& data, const std::vector<void*>& results) {
  const ChainLayout& layout = chain.layout;
  const int64_t grain = chain.compiled ? compiledGrain : stepGrain / static_cast<int64_t>(chain.steps.size() + 2);
  const int64_t least = std::max<int64_t>(1, grain / layout.block);
  if (layout.sums == 0) {
    parallelFor(0, layout.blocks, least, [&](int64_t begin, int64_t end) {
      ChainThread(chain, data, results).run(begin, end, nullptr);
    });
    return;
  }
  // Parts are to be worth the memory for their sums.
  const int64_t most = std::clamp<int64_t>(chain.size / (8 * std::max<int64_t>(layout.sums, 1)), 1, mostParts);
  const int64_t perPart = std::max(least, divideUp(layout.blocks, most));
  const int64_t parts = divideUp(layout.blocks, perPart);
  std::vector<double> sums(static_cast<size_t>(std::max<int64_t>(parts, 1) * layout.sums), 0.0);
  parallelFor(0, parts, 1, [&](int64_t begin, int64_t end) {
    ChainThread thread(chain, data, results);
    for (int64_t part = begin; part < end; part++)
      thread.run(part * perPart, std::min((part + 1) * perPart, layout.blocks), sums.data() + part * layout.sums);
  });
  for (int64_t part = 1; part < parts; part++)
    for (int64_t i = 0; i < layout.sums; i++) sums[i] += sums[part * layout.sums + i];
  const double* from = sums.data();
  for (size_t k = 0; k < chain.results.size(); k++) {
    if (chain.results[k].store == ChainStore::Elements) continue;
    const int64_t count = chain.results[k].store == ChainStore::Sum ? 1 : chain.width();
    auto* to = static_cast<float*>(results[k]);
    for (int64_t i = 0; i < count; i++) to[i] = static_cast<float>(*from++);
  }
}

}  // namespace keras
