// A fused elementwise chain: what its code says, read and checked.
#pragma once
#include <memory>
#include <vector>

#include "machine/chain-compile.h"
#include "loops/chain-loops.h"

namespace keras {

// How a result leaves the chain.
enum class ChainStore : int64_t {
  // Every element.
  Elements,
  // Sums over all axes but the last.
  RowSums,
  // The sum of everything.
  Sum,
};

// What inputs and results consist of, by libtorch's numbers.
enum class ChainType : int64_t { Int = 3, Float = 6, Bool = 11 };

struct ChainResult {
  ChainStore store;
  int32_t value;
  ChainType type;
  std::vector<int64_t> shape;
};

// Where an input's elements lie for the elements of the chain.
enum class ChainAccess {
  // One after the other.
  Whole,
  // All the same.
  Single,
  // The last axis, again for each row.
  Row,
  Strided,
};

struct ChainInput {
  ChainType type;
  std::vector<int64_t> strides;
  ChainAccess access;
  // How many elements the strides reach.
  int64_t extent;
};

// How a chain is cut into blocks, whose buffers fit the nearest cache.
struct ChainLayout {
  int64_t block = 1, blocks = 0;
  // How many blocks a row has; 0 where blocks hold whole rows instead.
  int64_t perRow = 0;
  int64_t buffers = 0, bufferWords = 0;
  // By value, then by result: the buffer it lives in, -1 for what is read or written where it lies.
  std::vector<int32_t> bufferOf;
  // Floats of the sums of one part.
  int64_t sums = 0;
};

// Values are numbered: inputs first, then constants, then registers, then the sums of results that are sums.
struct Chain {
  // Whether to compile it where that is possible.
  bool compiles = true;
  std::vector<int64_t> shape;
  int64_t size = 1;
  std::vector<ChainInput> inputs;
  std::vector<int32_t> constants;
  int64_t registers = 0;
  std::vector<ChainStep> steps;
  std::vector<ChainResult> results;
  // Null where chains are not compiled; `steps` then end with those that add to sums.
  std::unique_ptr<const CompiledChain> compiled;
  ChainLayout layout;

  int64_t width() const { return shape.empty() ? 1 : shape.back(); }
  int64_t firstRegister() const { return static_cast<int64_t>(inputs.size() + constants.size()); }
  int64_t sumOf(size_t result) const { return firstRegister() + registers + static_cast<int64_t>(result); }
};

// Reads the code
//   compiles, rank, sizes..., inputs, (scalar type, strides...)*, constants, (bits)*, registers, steps, (op, result, a, b, c)*,
//   results, (store, value, scalar type, rank, sizes...)*
// and makes ready to run it. Throws for anything that would read or write outside of what it names.
Chain readChain(const std::vector<int64_t>& code);
// The same, but each code is read only once.
std::shared_ptr<const Chain> knownChain(const std::vector<int64_t>& code);

// Compiles the chain where that is possible, and lays it out.
void prepare(Chain& chain);
// Runs the chain on tensors that have been checked; `data` are the places of its inputs, `results` those of its results.
void runChain(const Chain& chain, const std::vector<const void*>& data, const std::vector<void*>& results);

}  // namespace keras
