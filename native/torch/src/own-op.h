// Ops of our own, named `keras::...` and called like libtorch's. What they are given is on libtorch's stack of arguments;
// they reach it through a class that says nothing of it, because its headers take longer to compile than the ops.
#pragma once
#include <ATen/EmptyTensor.h>
#include <ATen/core/Tensor.h>

#include <vector>

#include "errors.h"

namespace c10 {
struct IValue;
}

namespace keras {

class OwnCall {
 public:
  // The last `count` values of the stack are the arguments.
  OwnCall(std::vector<c10::IValue>& stack, size_t count);

  // Arguments by their place in the schema. Tensors can be taken once: an op that drops one may be the last to hold it.
  at::Tensor tensor(size_t place);
  std::vector<at::Tensor> tensors(size_t place);
  // Undefined tensors are absent ones.
  std::vector<at::Tensor> optionalTensors(size_t place);
  int64_t integer(size_t place);
  bool boolean(size_t place);
  std::vector<int64_t> integers(size_t place);
  std::vector<double> numbers(size_t place);

  // A result; those of an op with several are given in order.
  void give(at::Tensor result);
  // A result that is a list.
  void giveList(std::vector<at::Tensor> results);
  // Takes the arguments off the stack, so that the results remain.
  void finish();

 private:
  c10::IValue& argument(size_t place);

  std::vector<c10::IValue>& stack_;
  size_t first_, count_;
};

struct OwnOp {
  // As libtorch writes them down, without `keras::`.
  const char* schema;
  void (*run)(OwnCall& call);
};

// The ops of each file that has some.
std::vector<OwnOp> chainOps();
std::vector<OwnOp> convolutionOps();
std::vector<OwnOp> poolOps();
std::vector<OwnOp> productOps();
std::vector<OwnOp> randomOps();
std::vector<OwnOp> rowOps();
std::vector<OwnOp> scanOps();
std::vector<OwnOp> scriptOps();

// A new tensor on the CPU, not initialized.
inline at::Tensor emptyOf(at::IntArrayRef shape, at::ScalarType type) {
  return at::Tensor(at::detail::empty_cpu(shape, type));
}

// Whether a tensor is of float32 on the CPU.
inline bool isFloatOnCpu(const at::Tensor& tensor) { return tensor.is_cpu() && tensor.scalar_type() == at::kFloat; }

}  // namespace keras
