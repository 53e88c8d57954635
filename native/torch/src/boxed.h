// Ops of our own are registered as functions on the stack of arguments. libtorch would wrap plain functions as well, with
// templates for each signature that take longer to compile than most of the ops.
#pragma once
#include <ATen/core/stack.h>
#include <torch/library.h>

#include <utility>
#include <vector>

namespace keras {

// Takes the arguments off the stack, the last one first, and puts the results there.
using BoxedKernel = void (*)(torch::jit::Stack& stack);

template <BoxedKernel kernel>
void callBoxed(const c10::OperatorHandle&, torch::jit::Stack* stack) {
  kernel(*stack);
}

template <BoxedKernel kernel>
torch::CppFunction boxed() {
  return torch::CppFunction::makeFromBoxedFunction<&callBoxed<kernel>>();
}

inline at::Tensor popTensor(torch::jit::Stack& stack) { return torch::jit::pop(stack).toTensor(); }
inline int64_t popInteger(torch::jit::Stack& stack) { return torch::jit::pop(stack).toInt(); }
inline bool popBoolean(torch::jit::Stack& stack) { return torch::jit::pop(stack).toBool(); }
inline std::vector<int64_t> popIntegers(torch::jit::Stack& stack) { return torch::jit::pop(stack).toIntVector(); }
inline std::vector<at::Tensor> popTensors(torch::jit::Stack& stack) { return torch::jit::pop(stack).toTensorVector(); }

}  // namespace keras
