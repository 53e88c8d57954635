#include <ATen/CPUGeneratorImpl.h>

#include "dispatch/instructions.h"
#include "recording.h"

namespace keras {

namespace {

using Registers = std::vector<at::Tensor>;

void putArguments(const Instruction& instruction, Registers& registers, torch::jit::Stack& stack) {
  stack.assign(instruction.arguments.begin(), instruction.arguments.end());
  for (const ListUse& use : instruction.lists) {
    if (use.optional) {
      c10::List<OptionalTensor> list;
      list.reserve(use.registers.size());
      for (int32_t reg : use.registers)
        list.push_back(reg < 0 ? OptionalTensor() : OptionalTensor(registers[reg]));
      stack[use.argument] = std::move(list);
    } else {
      c10::List<at::Tensor> list;
      list.reserve(use.registers.size());
      for (int32_t reg : use.registers) list.push_back(registers[reg]);
      stack[use.argument] = std::move(list);
    }
  }
  for (const TensorUse& use : instruction.tensors) {
    if (!registers[use.reg].defined()) {
      // A result that an op did not give, such as a gradient that was not asked for.
      const Argument& argument = instruction.op->arguments[use.argument];
      if (!argument.optional) throw Misuse(instruction.op->name + ": argument \"" + argument.name + "\" has no tensor.");
      stack[use.argument] = c10::IValue();
      continue;
    }
    if (use.last) stack[use.argument] = std::move(registers[use.reg]);
    else stack[use.argument] = registers[use.reg];
  }
  for (const SeedUse& use : instruction.seeds)
    stack[use.argument] = at::make_generator<at::CPUGeneratorImpl>(static_cast<uint64_t>(use.seed));
}

void takeResults(const Instruction& instruction, Registers& registers, torch::jit::Stack& stack) {
  size_t index = 0;
  auto put = [&](at::Tensor tensor) {
    if (index >= instruction.results.size()) throw Misuse(instruction.op->name + " has more results than registers.");
    int32_t reg = instruction.results[index++];
    if (reg >= 0) registers[reg] = std::move(tensor);
  };
  for (c10::IValue& value : stack) {
    if (value.isTensor()) put(std::move(value).toTensor());
    else if (value.isTensorList())
      for (const at::Tensor& tensor : value.toTensorVector()) put(tensor);
    else throw std::runtime_error(instruction.op->name + " has a result that is no tensor.");
  }
  if (index != instruction.results.size()) throw Misuse(instruction.op->name + " has fewer results than registers.");
  stack.clear();
}

}  // namespace

size_t inputCount(const Program& program) { return program.inputs.size(); }

std::vector<at::Tensor> execute(const Program& program, std::vector<at::Tensor> inputs, const std::atomic<bool>* stop) {
  if (inputs.size() != program.inputs.size())
    throw Misuse("The program takes " + std::to_string(program.inputs.size()) + " inputs. Received: " +
                 std::to_string(inputs.size()) + ".");
  NoRecording guard;
  Registers registers(program.registers);
  for (size_t i = 0; i < inputs.size(); i++) registers[program.inputs[i]] = std::move(inputs[i]);
  for (const auto& constant : program.constants) registers[constant.first] = constant.second;
  torch::jit::Stack stack;
  for (const Instruction& instruction : program.instructions) {
    if (stop && stop->load(std::memory_order_relaxed)) throw std::runtime_error("The run was ended.");
    putArguments(instruction, registers, stack);
    // Lists hold what ends here by themselves then, and an op may take over its memory.
    for (int32_t reg : instruction.dead) registers[reg].reset();
    runOp(*instruction.op, stack);
    takeResults(instruction, registers, stack);
    for (int32_t reg : instruction.dead) registers[reg].reset();
  }
  std::vector<at::Tensor> outputs;
  outputs.reserve(program.outputs.size());
  for (int32_t reg : program.outputs) outputs.push_back(registers[reg]);
  return outputs;
}

}  // namespace keras
