// Runs the body of a loop, a program within a program, along the leading axis of tensors.
#include "program.h"

#include <ATen/ops/select.h>
#include <ATen/ops/stack.h>

#include "boxed.h"

namespace keras {

namespace {

// How the body is run, as record-scan.ts writes it down.
struct Layout {
  int64_t carries, sequences, length;
  bool reverse;
  // Whether the carries that steps begin with are results too.
  bool keepCarries;
  int64_t registers;
  std::vector<int64_t> inputs, outputs;
};

Layout readLayout(at::IntArrayRef numbers) {
  size_t next = 0;
  auto take = [&] {
    TORCH_CHECK(next < numbers.size(), "keras::scan: the layout ends early");
    return numbers[next++];
  };
  auto takeList = [&] {
    const int64_t count = take();
    TORCH_CHECK(count >= 0 && count <= static_cast<int64_t>(numbers.size() - next), "keras::scan: a list does not fit the layout");
    std::vector<int64_t> list(numbers.begin() + next, numbers.begin() + next + count);
    next += static_cast<size_t>(count);
    return list;
  };
  Layout layout{};
  layout.carries = take();
  layout.sequences = take();
  layout.length = take();
  layout.reverse = take() != 0;
  layout.keepCarries = take() != 0;
  layout.registers = take();
  layout.inputs = takeList();
  layout.outputs = takeList();
  const auto carries = static_cast<size_t>(layout.carries);
  TORCH_CHECK(layout.carries >= 0 && layout.sequences >= 0 && layout.length > 0 && carries <= layout.outputs.size() &&
                  static_cast<size_t>(layout.carries + layout.sequences) <= layout.inputs.size(),
              "keras::scan: the layout makes no sense");
  return layout;
}

std::vector<at::Tensor> scanOf(std::vector<at::Tensor> tensors, std::vector<double> code, at::IntArrayRef numbers) {
  const Layout layout = readLayout(numbers);
  TORCH_CHECK(tensors.size() == layout.inputs.size(), "keras::scan: the body takes ", layout.inputs.size(),
              " tensors, got ", tensors.size());
  const Program body = decode({code.data(), code.size(), layout.inputs, layout.outputs, {}, layout.registers});
  const auto carries = static_cast<size_t>(layout.carries);
  const auto invariant = carries + static_cast<size_t>(layout.sequences);
  for (size_t s = carries; s < invariant; s++)
    TORCH_CHECK(tensors[s].dim() > 0 && tensors[s].size(0) == layout.length, "keras::scan: a sequence has not ",
                layout.length, " steps");
  const size_t results = layout.outputs.size() - carries;
  const auto length = static_cast<size_t>(layout.length);
  std::vector<std::vector<at::Tensor>> stacks(results + (layout.keepCarries ? carries : 0), std::vector<at::Tensor>(length));
  std::vector<at::Tensor> state(std::make_move_iterator(tensors.begin()),
                                std::make_move_iterator(tensors.begin() + layout.carries));
  for (size_t n = 0; n < length; n++) {
    const size_t i = layout.reverse ? length - 1 - n : n;
    if (layout.keepCarries)
      for (size_t c = 0; c < carries; c++) stacks[results + c][i] = state[c];
    std::vector<at::Tensor> inputs = std::move(state);
    inputs.reserve(tensors.size());
    for (size_t s = carries; s < invariant; s++) inputs.push_back(at::select(tensors[s], 0, static_cast<int64_t>(i)));
    inputs.insert(inputs.end(), tensors.begin() + static_cast<int64_t>(invariant), tensors.end());
    state = execute(body, std::move(inputs), nullptr);
    for (size_t r = 0; r < results; r++) stacks[r][i] = std::move(state[carries + r]);
    state.resize(carries);
  }
  for (std::vector<at::Tensor>& stack : stacks) {
    state.push_back(at::stack(stack));
    stack.clear();
  }
  return state;
}

// A boxed kernel, so that carries belong to the loop alone once it is under way.
void scanKernel(torch::jit::Stack& stack) {
  std::vector<int64_t> layout = torch::jit::pop(stack).toIntVector();
  std::vector<double> code = torch::jit::pop(stack).toDoubleVector();
  std::vector<at::Tensor> tensors;
  {
    c10::IValue list = torch::jit::pop(stack);
    tensors = std::move(list).toTensorVector();
  }
  c10::List<at::Tensor> results;
  for (at::Tensor& result : scanOf(std::move(tensors), std::move(code), layout)) results.push_back(std::move(result));
  torch::jit::push(stack, std::move(results));
}

}  // namespace

}  // namespace keras

TORCH_LIBRARY_FRAGMENT(keras, library) {
  library.def("scan(Tensor[] tensors, float[] body, int[] layout) -> Tensor[]");
}

TORCH_LIBRARY_IMPL(keras, CompositeExplicitAutograd, library) {
  library.impl("scan", keras::boxed<keras::scanKernel>());
}
