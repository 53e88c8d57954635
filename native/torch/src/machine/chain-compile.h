// Machine code for whole chains, with values in registers: several times as fast as op by op through memory. There is
// some for x86-64 processors with AVX2; elsewhere, and where a system forbids it, chains run by `runChain`.
#pragma once
#include <memory>
#include <vector>

#include "loops/chain-loops.h"

namespace keras {

// What a chain reads of an input: words, bytes that are bools, or one word for all.
enum class ChainRead { Words, Bools, Single };
// What becomes of a result: words, bytes that are bools, or floats added to those that are there.
enum class ChainWrite { Words, Bools, Sums };

struct ChainOutput {
  int32_t value;
  ChainWrite write;
};

// Values are numbered as in `Chain`: inputs, constants, registers.
struct ChainSource {
  std::vector<ChainRead> inputs;
  std::vector<int32_t> constants;
  std::vector<ChainStep> steps;
  std::vector<ChainOutput> outputs;
};

class CompiledChain {
 public:
  // Null when there can be no code for the chain.
  static std::unique_ptr<CompiledChain> of(const ChainSource& source);
  ~CompiledChain();
  CompiledChain(const CompiledChain&) = delete;
  CompiledChain& operator=(const CompiledChain&) = delete;

  // Vectors at the beginning of a frame that hold the same number in all lanes; values put aside follow.
  static constexpr int maximumUniforms = 128;

  // Words of the memory that a thread needs to run it, aligned to 32 bytes.
  int64_t frameWords() const { return (maximumUniforms + spills_) * 8; }
  // Writes constants, and the words of inputs that are read as single ones (by their number), into a frame.
  void fillFrame(int32_t* frame, const int32_t* const* singles) const;
  // Runs it on `count` elements, a multiple of 8; pointers are those of the inputs, then those of the outputs. An output
  // may have the place of an input of words.
  void run(void* const* pointers, int32_t* frame, int64_t count) const { code_(pointers, frame, count); }

 private:
  CompiledChain() = default;

  void (*code_)(void* const* pointers, int32_t* frame, int64_t count) = nullptr;
  size_t bytes_ = 0;
  int64_t spills_ = 0;
  // By vector of the frame: the input it repeats, else -1 and the constant.
  struct Uniform {
    int32_t input, word;
  };
  std::vector<Uniform> uniforms_;
  friend class ChainRegisters;
  friend class ChainCompiler;
};

}  // namespace keras
