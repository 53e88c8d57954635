#include <ATen/core/stack.h>

#include "own-op.h"

namespace keras {

OwnCall::OwnCall(std::vector<c10::IValue>& stack, size_t count)
    : stack_(stack), first_(stack.size() - count), count_(count) {}

c10::IValue& OwnCall::argument(size_t place) { return stack_[first_ + place]; }

at::Tensor OwnCall::tensor(size_t place) { return std::move(argument(place)).toTensor(); }

std::vector<at::Tensor> OwnCall::tensors(size_t place) {
  const c10::IValue list = std::move(argument(place));
  return list.toTensorVector();
}

std::vector<at::Tensor> OwnCall::optionalTensors(size_t place) {
  std::vector<at::Tensor> result;
  for (const c10::IValue& item : argument(place).toListRef())
    result.push_back(item.isTensor() ? item.toTensor() : at::Tensor());
  return result;
}

int64_t OwnCall::integer(size_t place) { return argument(place).toInt(); }
bool OwnCall::boolean(size_t place) { return argument(place).toBool(); }
std::vector<int64_t> OwnCall::integers(size_t place) { return argument(place).toIntVector(); }
std::vector<double> OwnCall::numbers(size_t place) { return argument(place).toDoubleVector(); }

void OwnCall::give(at::Tensor result) { stack_.emplace_back(std::move(result)); }

void OwnCall::giveList(std::vector<at::Tensor> results) {
  c10::List<at::Tensor> list;
  list.reserve(results.size());
  for (at::Tensor& result : results) list.push_back(std::move(result));
  stack_.emplace_back(std::move(list));
}

void OwnCall::finish() {
  const auto first = stack_.begin() + static_cast<int64_t>(first_);
  stack_.erase(first, first + static_cast<int64_t>(count_));
}

}  // namespace keras
