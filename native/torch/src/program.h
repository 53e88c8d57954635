// A program: instructions decoded once, run many times, by several threads at a time if need be.
#pragma once
#include <ATen/core/Tensor.h>

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

namespace keras {

struct Program;

struct ProgramSource {
  const double* code;
  size_t length;
  std::vector<int64_t> inputs;
  std::vector<int64_t> outputs;
  std::vector<std::pair<int64_t, at::Tensor>> constants;
  int64_t registers;
};

// Throws, naming the instruction, for code that is not well formed.
std::shared_ptr<const Program> decode(const ProgramSource& source);

size_t inputCount(const Program& program);

// Runs a program; takes the inputs. Ends early, with an exception, when `stop` becomes true.
std::vector<at::Tensor> execute(const Program& program, std::vector<at::Tensor> inputs, const std::atomic<bool>* stop);

}  // namespace keras
