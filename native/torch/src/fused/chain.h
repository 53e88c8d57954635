// A fused elementwise chain: what its code says, read and checked.
#pragma once
#include <ATen/core/Tensor.h>

#include <vector>

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

struct ChainResult {
  ChainStore store;
  int32_t value;
  at::ScalarType type;
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
  std::vector<int64_t> strides;
  ChainAccess access;
  // How many elements the strides reach.
  int64_t extent;
};

// Values are numbered: inputs first, then constants, then registers.
struct Chain {
  std::vector<int64_t> shape;
  int64_t size = 1;
  std::vector<ChainInput> inputs;
  std::vector<int32_t> constants;
  int64_t registers = 0;
  std::vector<ChainStep> steps;
  std::vector<ChainResult> results;

  int64_t width() const { return shape.empty() ? 1 : shape.back(); }
  int64_t firstRegister() const { return static_cast<int64_t>(inputs.size() + constants.size()); }
};

// Reads the code
//   rank, sizes..., inputs, (strides...)*, constants, (bits)*, registers, steps, (op, result, a, b, c)*,
//   results, (store, value, scalar type, rank, sizes...)*
// Throws for anything that would read or write outside of what it names.
Chain readChain(at::IntArrayRef code, size_t inputs);

}  // namespace keras
