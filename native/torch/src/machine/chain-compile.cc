#include "machine/chain-compile.h"

#if defined(__x86_64__) && (defined(__linux__) || defined(__APPLE__))
#define KERAS_COMPILES_CHAINS
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>

#include "machine/chain-registers.h"
#endif

#include <algorithm>

namespace keras {

#ifdef KERAS_COMPILES_CHAINS

namespace {

namespace v = vector_ops;

constexpr int32_t signBit = INT32_MIN, oneFloat = 0x3f800000, infinity = 0x7f800000, twoTo31 = 0x4f000000;

// How the compare instruction names its conditions: ordered and quiet.
enum Condition : uint8_t {
  isEqual = 0,
  isUnordered = 3,
  isNotEqual = 4,
  isOrdered = 7,
  isLessOrGreater = 0x0c,
  isLess = 0x11,
  isAtMost = 0x12,
  isAtLeast = 0x1d,
};

// Whether the word of a constant is a float that is no NaN.
bool isNumber(int32_t word) { return (word & INT32_MAX) <= infinity; }

}  // namespace

class ChainCompiler : private ChainRegisters {
 public:
  explicit ChainCompiler(const ChainSource& source) : ChainRegisters(source) {}

  bool compile() {
    prologue();
    const size_t start = out_.code.size();
    for (const Step& s : steps_) {
      step(s);
      now_++;
    }
    // Only now, because outputs may lie where inputs are read.
    for (size_t k = 0; k < outputs_.size(); k++) write(outputs_[k], source_.outputs[k].write, source_.inputs.size() + k);
    out_.next(start);
    epilogue();
    return uniforms_.size() <= CompiledChain::maximumUniforms;
  }

  std::unique_ptr<CompiledChain> install() {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    const size_t bytes = (out_.code.size() + page - 1) / page * page;
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    std::memcpy(memory, out_.code.data(), out_.code.size());
    if (mprotect(memory, bytes, PROT_READ | PROT_EXEC) != 0) {
      munmap(memory, bytes);
      return nullptr;
    }
    std::unique_ptr<CompiledChain> chain(new CompiledChain());
    std::memcpy(&chain->code_, &memory, sizeof memory);
    chain->bytes_ = bytes;
    chain->uniforms_ = uniforms_;
    chain->spills_ = spills_;
    return chain;
  }

 private:
  void binary(VectorOp op, Step o, bool commutes) {
    if (commutes && values_[o.a].reg < 0 && values_[o.a].frame >= 0 && values_[o.b].frame < 0) std::swap(o.a, o.b);
    const int left = asWord(o.a, converted);
    const Place right = place(o.b);
    out_.vector(op, result(o), left, right);
  }
  void unary(VectorOp op, const Step& o) {
    const Place from = place(o.a);
    out_.vector(op, result(o), 0, from);
  }
  void withConstant(VectorOp op, const Step& o, int32_t word) {
    const int left = asWord(o.a, converted);
    out_.vector(op, result(o), left, constantAt(word));
  }
  void compare(Condition condition, const Step& o) {
    const int left = asWord(o.a, converted);
    const Place right = place(o.b);
    out_.vectorBy(v::compare, result(o, true), left, right, condition);
  }
  void compareInts(VectorOp op, int a, int b, const Step& o, bool negate) {
    const int left = asWord(a, converted);
    const Place right = place(b);
    const int to = result(o, true);
    out_.vector(op, to, left, right);
    if (negate) flip(to);
  }
  // The larger or smaller of two; NaN when one of them is NaN. The instruction gives its last operand when one is NaN.
  void extreme(VectorOp op, Step o) {
    if (values_[o.a].known && isNumber(values_[o.a].word)) std::swap(o.a, o.b);
    if (values_[o.b].known && isNumber(values_[o.b].word)) {
      const int left = inRegister(o.b);
      const Place right = place(o.a);
      return out_.vector(op, result(o), left, right);
    }
    const int left = asWord(o.a, converted);
    const Place right = place(o.b);
    out_.vector(op, converted2, left, right);
    out_.vectorBy(v::compare, temporary, left, Place::of(left), isUnordered);
    out_.vectorBy(v::blend, result(o), converted2, Place::of(left), temporary << 4);
  }
  void bits(VectorOp op, const Step& o) {
    if (!values_[o.a].mask || !values_[o.b].mask) return binary(op, o, true);
    const int left = inRegister(o.a), right = inRegister(o.b);
    out_.vector(op, result(o, true), left, Place::of(right));
  }
  void select(const Step& o) {
    const int test = asMask(o.a, converted);
    const Value& no = values_[o.c];
    if (no.known && no.word == 0 && !values_[o.b].mask) {
      const Place yes = place(o.b);
      return out_.vector(v::bitAnd, result(o), test, yes);
    }
    const bool mask = values_[o.b].mask && no.mask;
    // Loads need registers that hold conversions afterwards.
    inRegister(o.c);
    if (values_[o.b].mask) inRegister(o.b);
    const int other = mask ? inRegister(o.c) : asWord(o.c, temporary);
    const Place yes = mask ? Place::of(inRegister(o.b)) : place(o.b);
    out_.vectorBy(v::blend, result(o, mask), other, yes, test << 4);
  }
  void sign(const Step& o) {
    const int x = asWord(o.a, converted2);
    out_.vector(v::bitXor, temporary, temporary, Place::of(temporary));
    // Zeros and NaN stay; others become 1 with their sign.
    out_.vectorBy(v::compare, converted, x, Place::of(temporary), isLessOrGreater);
    out_.vector(v::bitAnd, temporary, x, constantAt(signBit));
    out_.vector(v::bitOr, temporary, temporary, constantAt(oneFloat));
    out_.vectorBy(v::blend, result(o), x, Place::of(temporary), converted << 4);
  }
  void intOfFloat(const Step& o) {
    const int x = asWord(o.a, converted2);
    out_.vector(v::intOfFloat, converted, 0, Place::of(x));
    // Beyond the largest the conversion gives the bits of the smallest, all of which are then turned.
    out_.vectorBy(v::compare, temporary, x, constantAt(twoTo31), isAtLeast);
    out_.vector(v::bitXor, converted, converted, Place::of(temporary));
    out_.vectorBy(v::compare, temporary, x, Place::of(x), isOrdered);
    out_.vector(v::bitAnd, result(o), converted, Place::of(temporary));
  }
  void floatOfInt(const Step& o) {
    if (!values_[o.a].mask) return unary(v::floatOfInt, o);
    const int mask = inRegister(o.a);
    out_.vector(v::bitAnd, result(o), mask, constantAt(oneFloat));
  }
  void isFinite(const Step& o) {
    const int x = asWord(o.a, converted);
    out_.vector(v::bitAnd, temporary, x, constantAt(INT32_MAX));
    out_.vectorBy(v::compare, result(o, true), temporary, constantAt(infinity), isLess);
  }
  void logicalNot(const Step& o) {
    const int x = inRegister(o.a);
    const bool mask = values_[o.a].mask;
    if (mask) out_.vector(v::intEqual, temporary, temporary, Place::of(temporary));
    else out_.vector(v::bitXor, temporary, temporary, Place::of(temporary));
    out_.vector(mask ? v::bitXor : v::intEqual, result(o, true), x, Place::of(temporary));
  }
  void round(const Step& o, int mode) {
    const Place from = place(o.a);
    out_.vectorBy(v::round, result(o), 0, from, mode);
  }
  void rsqrt(const Step& o) {
    out_.vector(v::squareRoot, converted, 0, place(o.a));
    out_.vector(v::loadWords, temporary, 0, constantAt(oneFloat));
    out_.vector(v::divide, result(o), temporary, Place::of(converted));
  }
  void copy(const Step& o) {
    const bool mask = values_[o.a].mask;
    const Place from = mask ? Place::of(inRegister(o.a)) : place(o.a);
    out_.vector(v::loadWords, result(o, mask), 0, from);
  }

  void step(const Step& o) {
    pinned_ = 0;
    emit(o);
    // Nobody may read it.
    drop(o.result);
  }
  void emit(const Step& o) {
    switch (o.op) {
      case ChainOp::Copy: return copy(o);
      case ChainOp::Add: return binary(v::add, o, true);
      case ChainOp::Subtract: return binary(v::subtract, o, false);
      case ChainOp::Multiply: return binary(v::multiply, o, true);
      case ChainOp::Divide: return binary(v::divide, o, false);
      case ChainOp::Maximum: return extreme(v::maximum, o);
      case ChainOp::Minimum: return extreme(v::minimum, o);
      case ChainOp::Negative: return withConstant(v::bitXor, o, signBit);
      case ChainOp::Abs: return withConstant(v::bitAnd, o, INT32_MAX);
      case ChainOp::Sign: return sign(o);
      case ChainOp::Floor: return round(o, 9);
      case ChainOp::Ceil: return round(o, 10);
      case ChainOp::Round: return round(o, 8);
      case ChainOp::Sqrt: return unary(v::squareRoot, o);
      case ChainOp::Rsqrt: return rsqrt(o);
      case ChainOp::Equal: return compare(isEqual, o);
      case ChainOp::NotEqual: return compare(isNotEqual, o);
      case ChainOp::Less: return compare(isLess, o);
      case ChainOp::LessEqual: return compare(isAtMost, o);
      case ChainOp::IsFinite: return isFinite(o);
      case ChainOp::Select: return select(o);
      case ChainOp::IntAdd: return binary(v::intAdd, o, true);
      case ChainOp::IntSubtract: return binary(v::intSubtract, o, false);
      case ChainOp::IntMultiply: return binary(v::intMultiply, o, true);
      case ChainOp::IntMaximum: return binary(v::intMaximum, o, true);
      case ChainOp::IntMinimum: return binary(v::intMinimum, o, true);
      case ChainOp::IntNegative: {
        const Place from = place(o.a);
        out_.vector(v::bitXor, temporary, temporary, Place::of(temporary));
        return out_.vector(v::intSubtract, result(o), temporary, from);
      }
      case ChainOp::IntEqual: return compareInts(v::intEqual, o.a, o.b, o, false);
      case ChainOp::IntNotEqual: return compareInts(v::intEqual, o.a, o.b, o, true);
      case ChainOp::IntLess: return compareInts(v::intGreater, o.b, o.a, o, false);
      case ChainOp::IntLessEqual: return compareInts(v::intGreater, o.a, o.b, o, true);
      case ChainOp::And: return bits(v::bitAnd, o);
      case ChainOp::Or: return bits(v::bitOr, o);
      case ChainOp::Xor: return bits(v::bitXor, o);
      case ChainOp::Not: return withConstant(v::bitXor, o, -1);
      case ChainOp::LogicalNot: return logicalNot(o);
      case ChainOp::ShiftLeft: return binary(v::shiftLeft, o, false);
      case ChainOp::ShiftRight: return binary(v::shiftRight, o, false);
      case ChainOp::ShiftRightUnsigned: return binary(v::shiftRightUnsigned, o, false);
      case ChainOp::FloatOfInt: return floatOfInt(o);
      case ChainOp::IntOfFloat: return intOfFloat(o);
      default: return;
    }
  }

  void write(int id, ChainWrite how, size_t pointer) {
    pinned_ = 0;
    if (how != ChainWrite::Bools) {
      const int reg = asWord(id, converted);
      const Place to = element(pointer, false);
      if (how == ChainWrite::Words) return out_.vector(v::storeWords, reg, 0, to);
      out_.vector(v::add, temporary, reg, to);
      return out_.vector(v::storeWords, temporary, 0, to);
    }
    int reg = inRegister(id);
    if (!values_[id].mask) {
      out_.vector(v::bitAnd, converted, reg, constantAt(1));
      reg = converted;
    }
    out_.vectorBy(v::upperHalf, reg, 0, Place::of(temporary), 1);
    out_.vector(v::packWords, temporary, reg, Place::of(temporary), false);
    out_.vector(v::packHalves, temporary, temporary, Place::of(temporary), false);
    out_.vector(v::absoluteBytes, temporary, 0, Place::of(temporary), false);
    out_.vector(v::storeEight, temporary, 0, element(pointer, true), false);
  }
};

CompiledChain::~CompiledChain() {
  void* memory = nullptr;
  std::memcpy(&memory, &code_, sizeof memory);
  munmap(memory, bytes_);
}

std::unique_ptr<CompiledChain> CompiledChain::of(const ChainSource& source) {
  static const bool allowed = [] {
    const char* setting = std::getenv("KERAS_TORCH_JIT");
    return __builtin_cpu_supports("avx2") && !(setting && std::strcmp(setting, "0") == 0);
  }();
  if (!allowed || source.outputs.empty()) return nullptr;
  ChainCompiler compiler(source);
  return compiler.compile() ? compiler.install() : nullptr;
}

#else

CompiledChain::~CompiledChain() = default;
std::unique_ptr<CompiledChain> CompiledChain::of(const ChainSource&) { return nullptr; }

#endif

void CompiledChain::fillFrame(int32_t* frame, const int32_t* const* singles) const {
  for (size_t i = 0; i < uniforms_.size(); i++) {
    const Uniform& uniform = uniforms_[i];
    std::fill_n(frame + i * 8, 8, uniform.input < 0 ? uniform.word : *singles[uniform.input]);
  }
}

}  // namespace keras
