// The ops of fused elementwise chains, on blocks of 32-bit words: floats, integers, and bools as 0 and 1.
#pragma once
#include <cstdint>

namespace keras {

// Numbers that the TypeScript side writes into a chain's code (src/backend/torch/fuse/ops.ts): only append.
enum class ChainOp : int64_t {
  Copy,
  Add,
  Subtract,
  Multiply,
  Divide,
  Maximum,
  Minimum,
  Negative,
  Abs,
  Sign,
  Floor,
  Ceil,
  Round,
  Sqrt,
  Rsqrt,
  Exp,
  Log,
  Sigmoid,
  Tanh,
  Equal,
  NotEqual,
  Less,
  LessEqual,
  IsFinite,
  Select,
  IntAdd,
  IntSubtract,
  IntMultiply,
  IntMaximum,
  IntMinimum,
  IntNegative,
  IntEqual,
  IntNotEqual,
  IntLess,
  IntLessEqual,
  And,
  Or,
  Xor,
  Not,
  LogicalNot,
  ShiftLeft,
  ShiftRight,
  ShiftRightUnsigned,
  FloatOfInt,
  IntOfFloat,
  Count,
};

// How many of `a`, `b` and `c` an op reads; 0 for a number that is no op.
int operandsOf(ChainOp op);

// One op of a chain; operands and result are indices into the pointers that the loops are given.
struct ChainStep {
  ChainOp op;
  int32_t result, a, b, c;
};

// Runs the steps in order on `count` elements of each value.
void runChain(const ChainStep* steps, int64_t stepCount, void* const* values, int64_t count);
void wordsOfBools(const uint8_t* bools, int64_t count, int32_t* words);
void boolsOfWords(const int32_t* words, int64_t count, uint8_t* bools);

}  // namespace keras
