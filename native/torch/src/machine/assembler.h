// Writes machine code for processors with AVX2 (x86-64): the few instructions that chains need, on vectors of 256 bits.
// Encodings: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2.
#pragma once
#include <cstdint>
#include <cstring>
#include <vector>

namespace keras {

// An instruction with three operands as its encoding names it: opcode, map of opcodes and prefix.
struct VectorOp {
  uint8_t opcode, map, prefix;
};

namespace vector_ops {
constexpr VectorOp loadWords{0x10, 1, 0}, storeWords{0x11, 1, 0}, storeEight{0xd6, 1, 1};
constexpr VectorOp add{0x58, 1, 0}, multiply{0x59, 1, 0}, subtract{0x5c, 1, 0}, minimum{0x5d, 1, 0}, divide{0x5e, 1, 0},
    maximum{0x5f, 1, 0}, squareRoot{0x51, 1, 0}, compare{0xc2, 1, 0}, round{0x08, 3, 1}, blend{0x4a, 3, 1};
constexpr VectorOp floatOfInt{0x5b, 1, 0}, intOfFloat{0x5b, 1, 2};
constexpr VectorOp bitAnd{0xdb, 1, 1}, bitOr{0xeb, 1, 1}, bitXor{0xef, 1, 1};
constexpr VectorOp intAdd{0xfe, 1, 1}, intSubtract{0xfa, 1, 1}, intMultiply{0x40, 2, 1}, intMaximum{0x3d, 2, 1},
    intMinimum{0x39, 2, 1}, intEqual{0x76, 1, 1}, intGreater{0x66, 1, 1};
constexpr VectorOp shiftLeft{0x47, 2, 1}, shiftRight{0x46, 2, 1}, shiftRightUnsigned{0x45, 2, 1}, shiftBy{0x72, 1, 1};
constexpr VectorOp wordsOfBytes{0x31, 2, 1}, upperHalf{0x39, 3, 1}, packWords{0x6b, 1, 1}, packHalves{0x63, 1, 1},
    absoluteBytes{0x1c, 2, 1};
}  // namespace vector_ops

// Registers for addresses, by their numbers.
enum General : int { rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15 };

// Where an instruction finds its last operand: a vector register, or memory at base + index * scale + offset.
struct Place {
  int vector = -1;
  int base = 0;
  bool indexed = false;
  int shift = 0;
  int32_t offset = 0;

  static Place of(int vector) { return {vector, 0, false, 0, 0}; }
  static Place at(int base, int32_t offset) { return {-1, base, false, 0, offset}; }
  // Element rax of what `base` points to, whose elements take 2^shift bytes.
  static Place element(int base, int shift) { return {-1, base, true, shift, 0}; }
};

class Assembler {
 public:
  std::vector<uint8_t> code;

  // `result` is the operand that instructions name first, `left` the one in between; those that have none give 0.
  void vector(VectorOp op, int result, int left, const Place& right, bool wide = true) {
    const int beyond = right.vector >= 0 ? right.vector : right.base;
    bytes({0xc4, static_cast<uint8_t>((result < 8 ? 0x80 : 0) | 0x40 | (beyond < 8 ? 0x20 : 0) | op.map),
           static_cast<uint8_t>((~left & 15) << 3 | (wide ? 4 : 0) | op.prefix), op.opcode});
    operand(result, right);
  }
  void vectorBy(VectorOp op, int result, int left, const Place& right, int immediate) {
    vector(op, result, left, right);
    code.push_back(static_cast<uint8_t>(immediate));
  }

  void push(int reg) { stack(0x50, reg); }
  void pop(int reg) { stack(0x58, reg); }
  // reg = the pointer at base + offset.
  void load(int reg, int base, int32_t offset) {
    bytes({static_cast<uint8_t>(0x48 | (reg < 8 ? 0 : 4) | (base < 8 ? 0 : 1)), 0x8b});
    operand(reg, Place::at(base, offset));
  }
  void clearIndex() { bytes({0x31, 0xc0}); }
  // Goes on to the next eight elements; back to `start` while there are more, rdx in all.
  void next(size_t start) {
    bytes({0x48, 0x83, 0xc0, 8, 0x48, 0x39, 0xd0, 0x0f, 0x8c});
    word(static_cast<int32_t>(start) - static_cast<int32_t>(code.size()) - 4);
  }
  void clearUpperHalves() { bytes({0xc5, 0xf8, 0x77}); }
  void end() { bytes({0xc3}); }

 private:
  void stack(int opcode, int reg) {
    if (reg >= 8) bytes({0x41});
    bytes({static_cast<uint8_t>(opcode + (reg & 7))});
  }
  void bytes(std::initializer_list<uint8_t> more) { code.insert(code.end(), more); }
  void word(int32_t value) {
    uint8_t four[4];
    std::memcpy(four, &value, 4);
    code.insert(code.end(), four, four + 4);
  }
  void operand(int reg, const Place& place) {
    const int field = (reg & 7) << 3;
    if (place.vector >= 0) return bytes({static_cast<uint8_t>(0xc0 | field | (place.vector & 7))});
    // All forms but those that some base registers lack: an offset of 32 bits, and a byte for the index.
    const bool small = place.offset >= -128 && place.offset < 128;
    const int index = place.indexed ? rax : rsp;  // the number of rsp means none
    bytes({static_cast<uint8_t>((small ? 0x40 : 0x80) | field | 4),
           static_cast<uint8_t>(place.shift << 6 | index << 3 | (place.base & 7))});
    if (small) code.push_back(static_cast<uint8_t>(place.offset));
    else word(place.offset);
  }
};

}  // namespace keras
