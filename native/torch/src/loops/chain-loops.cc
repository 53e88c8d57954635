// The loops of fused chains: one for each op, over a block that lies in the nearest cache.
#include "loops/chain-loops.h"

// Square roots set no errno and comparisons no flags here, which lets the loops be vectorized.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("O3", "no-math-errno", "no-trapping-math")
#define KERAS_INDEPENDENT _Pragma("GCC ivdep")
#else
#define KERAS_INDEPENDENT
#endif

#include "loops/chain-math.h"
#include "targets.h"

namespace keras {

int operandsOf(ChainOp op) {
  switch (op) {
    case ChainOp::Copy:
    case ChainOp::Negative:
    case ChainOp::Abs:
    case ChainOp::Sign:
    case ChainOp::Floor:
    case ChainOp::Ceil:
    case ChainOp::Round:
    case ChainOp::Sqrt:
    case ChainOp::Rsqrt:
    case ChainOp::Exp:
    case ChainOp::Log:
    case ChainOp::Sigmoid:
    case ChainOp::Tanh:
    case ChainOp::IsFinite:
    case ChainOp::IntNegative:
    case ChainOp::Not:
    case ChainOp::LogicalNot:
    case ChainOp::FloatOfInt:
    case ChainOp::IntOfFloat:
      return 1;
    case ChainOp::Select:
      return 3;
    default:
      return op >= ChainOp::Copy && op < ChainOp::Count ? 2 : 0;
  }
}

#define LOOP(OP, RESULT, A, B, EXPRESSION)                        \
  case ChainOp::OP: {                                             \
    auto* result = static_cast<RESULT*>(values[step.result]);     \
    auto* left = static_cast<const A*>(values[step.a]);           \
    auto* right = static_cast<const B*>(values[step.b]);          \
    KERAS_INDEPENDENT for (int64_t i = 0; i < count; i++) {       \
      const A a = left[i];                                        \
      const B b = right[i];                                       \
      (void)a;                                                    \
      (void)b;                                                    \
      result[i] = EXPRESSION;                                     \
    }                                                             \
    break;                                                        \
  }
#define FLOATS(OP, EXPRESSION) LOOP(OP, float, float, float, EXPRESSION)
#define TEST(OP, EXPRESSION) LOOP(OP, int32_t, float, float, EXPRESSION)
#define INTS(OP, EXPRESSION) LOOP(OP, int32_t, int32_t, int32_t, EXPRESSION)
#define WORDS(OP, EXPRESSION) LOOP(OP, uint32_t, uint32_t, uint32_t, EXPRESSION)

// Ops of one operand are given it as `b` too, so that one form serves all. Compiled once, for every processor: those with
// more lanes run machine code for whole chains instead.
void runChain(const ChainStep* steps, int64_t stepCount, void* const* values, int64_t count) {
  for (int64_t s = 0; s < stepCount; s++) {
    const ChainStep& step = steps[s];
    switch (step.op) {
      WORDS(Copy, a)
      FLOATS(Add, a + b)
      FLOATS(Subtract, a - b)
      FLOATS(Multiply, a * b)
      FLOATS(Divide, a / b)
      FLOATS(Maximum, (a > b) | (a != a) ? a : b)
      FLOATS(Minimum, (a < b) | (a != a) ? a : b)
      FLOATS(Negative, -a)
      FLOATS(Abs, __builtin_fabsf(a))
      FLOATS(Sign, a > 0.f ? 1.f : (a < 0.f ? -1.f : a))
      FLOATS(Floor, __builtin_floorf(a))
      FLOATS(Ceil, __builtin_ceilf(a))
      FLOATS(Round, roundOf(a))
      FLOATS(Sqrt, __builtin_sqrtf(a))
      FLOATS(Rsqrt, 1.f / __builtin_sqrtf(a))
      FLOATS(Exp, expOf(a))
      FLOATS(Log, logOf(a))
      FLOATS(Sigmoid, sigmoidOf(a))
      FLOATS(Tanh, tanhOf(a))
      TEST(Equal, a == b ? 1 : 0)
      TEST(NotEqual, a != b ? 1 : 0)
      TEST(Less, a < b ? 1 : 0)
      TEST(LessEqual, a <= b ? 1 : 0)
      TEST(IsFinite, __builtin_fabsf(a) < floatOfBits(0x7f800000) ? 1 : 0)
      case ChainOp::Select: {
        auto* result = static_cast<uint32_t*>(values[step.result]);
        auto* test = static_cast<const uint32_t*>(values[step.a]);
        auto* yes = static_cast<const uint32_t*>(values[step.b]);
        auto* no = static_cast<const uint32_t*>(values[step.c]);
        KERAS_INDEPENDENT for (int64_t i = 0; i < count; i++) {
          const uint32_t a = yes[i], b = no[i];
          result[i] = test[i] ? a : b;
        }
        break;
      }
      WORDS(IntAdd, a + b)
      WORDS(IntSubtract, a - b)
      WORDS(IntMultiply, a * b)
      INTS(IntMaximum, a > b ? a : b)
      INTS(IntMinimum, a < b ? a : b)
      WORDS(IntNegative, 0u - a)
      INTS(IntEqual, a == b ? 1 : 0)
      INTS(IntNotEqual, a != b ? 1 : 0)
      INTS(IntLess, a < b ? 1 : 0)
      INTS(IntLessEqual, a <= b ? 1 : 0)
      WORDS(And, a & b)
      WORDS(Or, a | b)
      WORDS(Xor, a ^ b)
      WORDS(Not, ~a)
      WORDS(LogicalNot, a ? 0u : 1u)
      // Counts of 32 and more shift everything out, or leave the sign.
      WORDS(ShiftLeft, b < 32 ? a << (b & 31) : 0u)
      LOOP(ShiftRight, int32_t, int32_t, uint32_t, a >> (b < 32 ? b : 31u))
      WORDS(ShiftRightUnsigned, b < 32 ? a >> (b & 31) : 0u)
      LOOP(FloatOfInt, float, int32_t, int32_t, static_cast<float>(a))
      LOOP(IntOfFloat, int32_t, float, float, intOf(a))
      case ChainOp::Count:
        break;
    }
  }
}

KERAS_CLONES void wordsOfBools(const uint8_t* bools, int64_t count, int32_t* words) {
  KERAS_INDEPENDENT for (int64_t i = 0; i < count; i++) words[i] = bools[i];
}

KERAS_CLONES void boolsOfWords(const int32_t* words, int64_t count, uint8_t* bools) {
  KERAS_INDEPENDENT for (int64_t i = 0; i < count; i++) bools[i] = static_cast<uint8_t>(words[i] & 1);
}

}  // namespace keras

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif
