#include "dispatch/instructions.h"
#include "node.h"

namespace keras {

namespace {

// As in addon.ts.
enum class Tag { Default, None, Tensor, Int, Float, Bool, Ints, Floats, Tensors, Bools, OptionalTensors, String, Count };

constexpr int64_t mostRegisters = 1 << 24;

class Decoder {
 public:
  explicit Decoder(const ProgramSource& source) : next_(source.code), end_(source.code + source.length) {
    if (source.registers < 0 || source.registers > mostRegisters) throw Misuse("A program has 0 to 16,777,216 registers.");
    program_.registers = static_cast<int32_t>(source.registers);
    written_.resize(source.registers, false);
    lastUse_.resize(source.registers, -1);
    for (int64_t reg : source.inputs) program_.inputs.push_back(write(reg));
    for (const auto& constant : source.constants) program_.constants.emplace_back(write(constant.first), constant.second);
    kept_.resize(source.registers, false);
    for (const auto& constant : program_.constants) kept_[constant.first] = true;
  }

  Program decode(const std::vector<int64_t>& outputs) {
    while (next_ < end_) instruction();
    for (int64_t reg : outputs) {
      program_.outputs.push_back(read(reg));
      kept_[reg] = true;
    }
    findLastUses();
    return std::move(program_);
  }

  size_t position() const { return program_.instructions.size(); }

 private:
  double take() {
    if (next_ == end_) throw Misuse("the code ends early");
    return *next_++;
  }

  int64_t takeInteger() {
    double value = take();
    if (!isInteger(value)) throw Misuse("an integer was expected");
    return static_cast<int64_t>(value);
  }

  size_t takeCount() {
    int64_t count = takeInteger();
    if (count < 0 || count > end_ - next_) throw Misuse("a count does not fit the code");
    return static_cast<size_t>(count);
  }

  void checkRegister(int64_t reg) const {
    if (reg < 0 || reg >= program_.registers) throw Misuse("there is no register " + std::to_string(reg));
  }

  int32_t write(int64_t reg) {
    checkRegister(reg);
    if (written_[reg]) throw Misuse("register " + std::to_string(reg) + " is written twice");
    written_[reg] = true;
    return static_cast<int32_t>(reg);
  }

  int32_t read(int64_t reg) const {
    checkRegister(reg);
    if (!written_[reg]) throw Misuse("register " + std::to_string(reg) + " is read before it is written");
    return static_cast<int32_t>(reg);
  }

  int32_t use(int64_t reg) {
    lastUse_[read(reg)] = static_cast<int32_t>(program_.instructions.size());
    return static_cast<int32_t>(reg);
  }

  void instruction() {
    Instruction instruction;
    instruction.op = &opAt(takeInteger());
    const std::vector<Argument>& arguments = instruction.op->arguments;
    size_t count = takeCount();
    if (count > arguments.size()) throw Misuse(instruction.op->name + " takes fewer arguments");
    instruction.arguments.resize(arguments.size());
    for (size_t i = 0; i < count; i++) argument(instruction, arguments[i], i);
    for (size_t i = count; i < arguments.size(); i++) instruction.arguments[i] = defaultOf(arguments[i]);
    size_t results = takeCount();
    if (instruction.op->tensorResults >= 0 && static_cast<size_t>(instruction.op->tensorResults) != results)
      throw Misuse(instruction.op->name + " has " + std::to_string(instruction.op->tensorResults) + " results");
    for (size_t i = 0; i < results; i++) {
      int64_t reg = takeInteger();
      instruction.results.push_back(reg == -1 ? -1 : write(reg));
    }
    program_.instructions.push_back(std::move(instruction));
  }

  void argument(Instruction& instruction, const Argument& argument, size_t index) {
    int64_t number = takeInteger();
    if (number < 0 || number >= static_cast<int64_t>(Tag::Count)) throw Misuse("there is no tag " + std::to_string(number));
    auto tag = static_cast<Tag>(number);
    c10::IValue& value = instruction.arguments[index];
    int32_t place = static_cast<int32_t>(index);
    switch (tag) {
      case Tag::Default: value = defaultOf(argument); return;
      case Tag::None:
        if (!argument.optional) wrongKind(argument, "none");
        return;
      case Tag::Tensor:
        if (argument.kind != Kind::Tensor) wrongKind(argument, "a tensor");
        instruction.tensors.push_back({place, use(takeInteger()), false});
        return;
      case Tag::Int:
      case Tag::Float:
      case Tag::Bool: {
        double payload = take();
        value = fromDouble(argument, payload);
        if (argument.kind == Kind::Generator) instruction.seeds.push_back({place, payload});
        // The tag decides where the schema leaves it open.
        else if (argument.kind == Kind::Scalar && tag == Tag::Float) value = at::Scalar(payload);
        else if (argument.kind == Kind::Scalar && tag == Tag::Bool) value = at::Scalar(payload != 0);
        return;
      }
      case Tag::Ints:
      case Tag::Floats:
      case Tag::Bools: {
        size_t count = takeCount();
        value = fromDoubles(argument, next_, count);
        next_ += count;
        return;
      }
      case Tag::Tensors:
      case Tag::OptionalTensors: {
        bool optional = argument.kind == Kind::OptionalTensors;
        if (argument.kind != Kind::Tensors && !optional) wrongKind(argument, "a list of tensors");
        ListUse list{place, optional, {}};
        size_t count = takeCount();
        for (size_t i = 0; i < count; i++) {
          int64_t reg = takeInteger();
          list.registers.push_back(reg == -1 && optional ? -1 : use(reg));
        }
        instruction.lists.push_back(std::move(list));
        return;
      }
      case Tag::String: {
        size_t count = takeCount();
        std::string bytes;
        for (size_t i = 0; i < count; i++) bytes.push_back(static_cast<char>(static_cast<uint8_t>(takeInteger())));
        value = fromString(argument, bytes);
        return;
      }
      case Tag::Count: break;
    }
  }

  // Hands tensors over at their last use, and drops those that an instruction cannot take.
  void findLastUses() {
    std::vector<bool> dropped(written_.size(), false);
    for (size_t i = 0; i < program_.instructions.size(); i++) {
      Instruction& instruction = program_.instructions[i];
      int32_t position = static_cast<int32_t>(i);
      for (const ListUse& list : instruction.lists)
        for (int32_t reg : list.registers)
          if (reg >= 0 && lastUse_[reg] == position && !kept_[reg] && !dropped[reg]) {
            dropped[reg] = true;
            instruction.dead.push_back(reg);
          }
      // From the right: of several uses in one call the rightmost comes last, because arguments are put in order.
      for (auto tensor = instruction.tensors.rbegin(); tensor != instruction.tensors.rend(); ++tensor)
        if (lastUse_[tensor->reg] == position && !kept_[tensor->reg] && !dropped[tensor->reg]) {
          dropped[tensor->reg] = true;
          tensor->last = true;
        }
      for (int32_t reg : instruction.results)
        if (reg >= 0 && lastUse_[reg] == -1 && !kept_[reg]) instruction.dead.push_back(reg);
    }
  }

  Program program_;
  const double* next_;
  const double* end_;
  std::vector<bool> written_;
  std::vector<bool> kept_;
  std::vector<int32_t> lastUse_;
};

}  // namespace

std::shared_ptr<const Program> decode(const ProgramSource& source) {
  Decoder decoder(source);
  try {
    return std::make_shared<const Program>(decoder.decode(source.outputs));
  } catch (const Misuse& error) {
    throw Misuse("Instruction " + std::to_string(decoder.position()) + " of a program: " + error.what());
  }
}

}  // namespace keras
