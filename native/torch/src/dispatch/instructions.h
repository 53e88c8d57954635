// What a program consists of once it is decoded.
#pragma once
#include <utility>

#include "dispatch/ops.h"
#include "program.h"

namespace keras {

// A tensor argument to put on the stack before a call.
struct TensorUse {
  int32_t argument;
  int32_t reg;
  // The register's last use: its tensor is handed over, so that the op may be the only one to hold it.
  bool last;
};

// A list of tensors, all read; -1 is an absent one.
struct ListUse {
  int32_t argument;
  bool optional;
  std::vector<int32_t> registers;
};

// A generator begins anew at each run.
struct SeedUse {
  int32_t argument;
  double seed;
};

struct Instruction {
  const Op* op;
  // Arguments with everything in place but tensors.
  std::vector<c10::IValue> arguments;
  std::vector<TensorUse> tensors;
  std::vector<ListUse> lists;
  std::vector<SeedUse> seeds;
  // Where results go; -1 drops one.
  std::vector<int32_t> results;
  // Registers that nothing reads after this instruction and that were not handed over.
  std::vector<int32_t> dead;
};

struct Program {
  std::vector<Instruction> instructions;
  std::vector<int32_t> inputs;
  std::vector<int32_t> outputs;
  std::vector<std::pair<int32_t, at::Tensor>> constants;
  int32_t registers = 0;
};

}  // namespace keras
