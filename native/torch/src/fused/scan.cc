// Runs the body of a loop, a program within a program, along the leading axis of tensors.
#include <ATen/ops/stack_ops.h>

#include "own-op.h"
#include "program.h"

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
    require(next < numbers.size(), "keras::scan: the layout ends early");
    return numbers[next++];
  };
  auto takeList = [&] {
    const int64_t count = take();
    require(count >= 0 && count <= static_cast<int64_t>(numbers.size() - next), "keras::scan: a list does not fit the layout");
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
  require(layout.carries >= 0 && layout.sequences >= 0 && layout.length > 0 && carries <= layout.outputs.size() &&
              static_cast<size_t>(layout.carries + layout.sequences) <= layout.inputs.size(),
          "keras::scan: the layout makes no sense");
  return layout;
}

std::vector<at::Tensor> scanOf(std::vector<at::Tensor> tensors, std::vector<double> code, at::IntArrayRef numbers) {
  const Layout layout = readLayout(numbers);
  require(tensors.size() == layout.inputs.size(), "keras::scan: the body takes another number of tensors");
  const std::shared_ptr<const Program> body = decode({code.data(), code.size(), layout.inputs, layout.outputs, {}, layout.registers});
  const auto carries = static_cast<size_t>(layout.carries);
  const auto invariant = carries + static_cast<size_t>(layout.sequences);
  for (size_t s = carries; s < invariant; s++)
    require(tensors[s].dim() > 0 && tensors[s].size(0) == layout.length,
            "keras::scan: a sequence has another number of steps");
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
    for (size_t s = carries; s < invariant; s++) inputs.push_back(tensors[s].select(0, static_cast<int64_t>(i)));
    inputs.insert(inputs.end(), tensors.begin() + static_cast<int64_t>(invariant), tensors.end());
    state = execute(*body, std::move(inputs), nullptr);
    for (size_t r = 0; r < results; r++) stacks[r][i] = std::move(state[carries + r]);
    state.resize(carries);
  }
  for (std::vector<at::Tensor>& stack : stacks) {
    state.push_back(at::_ops::stack::call(stack, 0));
    stack.clear();
  }
  return state;
}

void scan(OwnCall& call) {
  // Carries are to belong to the loop alone once it is under way.
  call.giveList(scanOf(call.tensors(0), call.numbers(1), call.integers(2)));
}

}  // namespace

std::vector<OwnOp> scanOps() { return {{"scan(Tensor[] tensors, float[] body, int[] layout) -> Tensor[]", scan}}; }

}  // namespace keras
