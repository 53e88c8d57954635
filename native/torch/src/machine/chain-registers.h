// Where the values of a chain are while it is compiled: in registers, in the thread's memory, or with inputs.
#pragma once
#include <algorithm>
#include <climits>
#include <vector>

#include "machine/assembler.h"
#include "machine/chain-compile.h"
#include "machine/chain-record.h"

namespace keras {

// Bools that steps make are masks in registers, all bits alike; words of 0 and 1 where something else reads them.
class ChainRegisters : protected ChainRecorder {
 protected:
  explicit ChainRegisters(const ChainSource& source) : source_(source) {
    std::fill_n(holder_, valueRegisters, -1);
    number();
  }

  // Arguments of the code, and what remains for pointers; the last takes those there is no register for, one by one.
  static constexpr int pointersArgument = rdi, frameArgument = rsi;
  static constexpr int pointerRegisters[] = {r8, r9, r10, r11, rbx, rbp, r12, r13, r14, r15, rcx};
  static constexpr int pointersKept = 10, savedFrom = 4;
  static constexpr int savedRegisters[] = {rbx, rbp, r12, r13, r14, r15};
  // Vector registers for values; the others are for single steps.
  static constexpr int valueRegisters = 13, temporary = 13, converted = 14, converted2 = 15;

  // A value that is written once, unlike the registers of the chain.
  struct Value {
    // Where it can be read: an input's pointer, a vector of the frame.
    int pointer = -1, frame = -1;
    bool bytes = false;
    // Of a constant: its word.
    bool known = false;
    int32_t word = 0;
    bool mask = false;
    int reg = -1;
    // Steps that read it, in order; outputs count as one more step.
    std::vector<int> readers;
  };
  // A step on values, as they are read.
  struct Step {
    ChainOp op;
    int result, a, b, c;
  };

  void number() {
    std::vector<int> current;
    for (size_t i = 0; i < source_.inputs.size(); i++) {
      Value value;
      if (source_.inputs[i] == ChainRead::Single) value.frame = uniform(static_cast<int32_t>(i), 0);
      else value.pointer = static_cast<int>(i);
      value.bytes = value.mask = source_.inputs[i] == ChainRead::Bools;
      current.push_back(add(value));
    }
    for (int32_t word : source_.constants) current.push_back(constant(word));
    for (const ChainStep& s : source_.steps) {
      if (static_cast<size_t>(s.result) >= current.size()) current.resize(static_cast<size_t>(s.result) + 1, 0);
      current[s.result] = expanded(s.op, current[s.a], current[s.b], current[s.c]);
    }
    for (const ChainOutput& output : source_.outputs) {
      outputs_.push_back(current[output.value]);
      note(outputs_.back(), static_cast<int>(steps_.size()));
    }
  }
  // Elementary functions become the steps they are made of.
  int expanded(ChainOp op, int a, int b, int c) {
    const RecordedFloat x(Recorded{this, a, 0});
    switch (op) {
      case ChainOp::Exp: return expOf(x).value;
      case ChainOp::Log: return logOf(x).value;
      case ChainOp::Sigmoid: return sigmoidOf(x).value;
      case ChainOp::Tanh: return tanhOf(x).value;
      default: return record(op, a, b, c);
    }
  }
  int record(ChainOp op, int a, int b, int c) override {
    const int step = static_cast<int>(steps_.size()), count = operandsOf(op);
    note(a, step);
    if (count > 1) note(b, step);
    if (count > 2) note(c, step);
    steps_.push_back({op, add(Value()), a, b, c});
    return steps_.back().result;
  }

  int add(const Value& value) {
    values_.push_back(value);
    return static_cast<int>(values_.size()) - 1;
  }
  void note(int value, int step) {
    if (values_[value].readers.empty() || values_[value].readers.back() != step) values_[value].readers.push_back(step);
  }
  int uniform(int32_t input, int32_t word) {
    for (size_t i = 0; i < uniforms_.size(); i++)
      if (uniforms_[i].input == input && uniforms_[i].word == word) return static_cast<int>(i);
    uniforms_.push_back({input, word});
    return static_cast<int>(uniforms_.size()) - 1;
  }
  int constant(int32_t word) override {
    Value value;
    value.frame = uniform(-1, word);
    value.known = true;
    value.word = word;
    return add(value);
  }

  Place uniformAt(int index) const { return Place::at(frameArgument, index * 32); }
  Place constantAt(int32_t word) { return uniformAt(uniform(-1, word)); }

  void prologue() {
    const int pointers = static_cast<int>(source_.inputs.size() + source_.outputs.size());
    saved_ = std::clamp(pointers - savedFrom, 0, static_cast<int>(sizeof savedRegisters / sizeof *savedRegisters));
    for (int i = 0; i < saved_; i++) out_.push(savedRegisters[i]);
    for (int i = 0; i < std::min(pointers, pointersKept); i++) out_.load(pointerRegisters[i], pointersArgument, i * 8);
    out_.clearIndex();
  }
  void epilogue() {
    out_.clearUpperHalves();
    for (int i = saved_; i-- > 0;) out_.pop(savedRegisters[i]);
    out_.end();
  }
  Place element(size_t pointer, bool bytes) {
    const size_t reg = std::min<size_t>(pointer, pointersKept);
    if (reg == pointersKept) out_.load(pointerRegisters[reg], pointersArgument, static_cast<int32_t>(pointer * 8));
    return Place::element(pointerRegisters[reg], bytes ? 0 : 2);
  }

  bool isReadAgain(const Value& value) const { return !value.readers.empty() && value.readers.back() > now_; }
  int nextReader(const Value& value) const {
    const auto next = std::lower_bound(value.readers.begin(), value.readers.end(), now_);
    return next == value.readers.end() ? INT_MAX : *next;
  }

  // A free register; else that of the value that is needed last, which goes to the frame unless it can be read again.
  int take() {
    for (int reg = 0; reg < valueRegisters; reg++)
      if (holder_[reg] < 0) return reg;
    int last = -1;
    for (int reg = 0; reg < valueRegisters; reg++) {
      if (pinned_ & 1u << reg) continue;
      if (last < 0 || nextReader(values_[holder_[reg]]) > nextReader(values_[holder_[last]])) last = reg;
    }
    Value& value = values_[holder_[last]];
    if (value.pointer < 0 && value.frame < 0) {
      value.frame = CompiledChain::maximumUniforms + spills_++;
      out_.vector(vector_ops::storeWords, last, 0, uniformAt(value.frame));
    }
    value.reg = -1;
    holder_[last] = -1;
    return last;
  }
  void hold(int id, int reg) {
    holder_[reg] = id;
    values_[id].reg = reg;
  }
  void drop(int id) {
    Value& value = values_[id];
    if (value.reg < 0 || isReadAgain(value)) return;
    holder_[value.reg] = -1;
    value.reg = -1;
  }

  // The register of a value, which is loaded if need be.
  int inRegister(int id) {
    Value& value = values_[id];
    if (value.reg < 0) {
      const int reg = take();
      if (value.frame >= 0) out_.vector(vector_ops::loadWords, reg, 0, uniformAt(value.frame));
      else if (value.bytes) {
        out_.vector(vector_ops::wordsOfBytes, reg, 0, element(value.pointer, true));
        out_.vector(vector_ops::bitXor, temporary, temporary, Place::of(temporary));
        out_.vector(vector_ops::intSubtract, reg, temporary, Place::of(reg));
      } else out_.vector(vector_ops::loadWords, reg, 0, element(value.pointer, false));
      hold(id, reg);
    }
    pinned_ |= 1u << value.reg;
    return value.reg;
  }
  // As a word, or mask, in a register: what it is not is made in `into`.
  int asWord(int id, int into) {
    const int reg = inRegister(id);
    if (!values_[id].mask) return reg;
    out_.vectorBy(vector_ops::shiftBy, 2, into, Place::of(reg), 31);
    return into;
  }
  int asMask(int id, int into) {
    const int reg = inRegister(id);
    if (values_[id].mask) return reg;
    out_.vector(vector_ops::bitXor, temporary, temporary, Place::of(temporary));
    out_.vector(vector_ops::intEqual, into, reg, Place::of(temporary));
    flip(into);
    return into;
  }
  // Where it can be read as the last operand.
  Place place(int id, int into = converted2) {
    const Value& value = values_[id];
    if (value.mask) return Place::of(asWord(id, into));
    if (value.reg < 0 && value.frame >= 0) return uniformAt(value.frame);
    if (value.reg < 0 && !isReadAgain(value) && value.pointer >= 0) return element(value.pointer, false);
    return Place::of(inRegister(id));
  }
  void flip(int reg) {
    out_.vector(vector_ops::intEqual, temporary, temporary, Place::of(temporary));
    out_.vector(vector_ops::bitXor, reg, reg, Place::of(temporary));
  }

  // The register for the result, after its operands were read; only the last instruction of a step may write it.
  int result(const Step& s, bool mask = false) {
    for (int id : {s.a, s.b, s.c}) drop(id);
    const int reg = take();
    hold(s.result, reg);
    values_[s.result].mask = mask;
    return reg;
  }

  const ChainSource& source_;
  Assembler out_;
  std::vector<Value> values_;
  std::vector<Step> steps_;
  std::vector<int> outputs_;
  std::vector<CompiledChain::Uniform> uniforms_;
  int holder_[valueRegisters];
  // The registers of the step's operands.
  unsigned pinned_ = 0;
  int spills_ = 0;
  int saved_ = 0;
  int now_ = 0;
};

}  // namespace keras
