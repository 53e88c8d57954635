// The op for fused elementwise chains.
#include "parallel/chain.h"

#include <ATen/ops/empty.h>

#include "boxed.h"

namespace keras {

namespace {

// An input that can be read as it lies. Bools become words block by block, or, where they are not read one after the
// other, which is rare, at once.
at::Tensor prepared(const at::Tensor& tensor, const ChainInput& input) {
  TORCH_CHECK(tensor.device().is_cpu(), "keras::chain: tensors must be on the CPU");
  TORCH_CHECK(tensor.numel() >= input.extent, "keras::chain: a tensor of ", tensor.numel(), " elements where ",
              input.extent, " are read");
  TORCH_CHECK(tensor.scalar_type() == input.type, "keras::chain: a tensor of ", c10::toString(tensor.scalar_type()),
              " in place of ", c10::toString(input.type));
  const bool widen = input.type == at::kBool && input.access != ChainAccess::Whole;
  return widen ? tensor.contiguous().to(at::kInt) : tensor.contiguous();
}

// Whether the memory of an input may become that of a result: nobody else holds it.
bool isFree(const at::Tensor& tensor) {
  return tensor.use_count() == 1 && tensor.has_storage() && tensor.storage().use_count() == 1 &&
         tensor.storage_offset() == 0 && tensor.is_contiguous() &&
         tensor.storage().nbytes() == static_cast<size_t>(tensor.numel()) * tensor.element_size();
}

std::vector<at::Tensor> makeResults(const Chain& chain, const std::vector<at::Tensor>& inputs) {
  std::vector<at::Tensor> results;
  // Op by op, results are written before all is read.
  std::vector<bool> taken(inputs.size(), !chain.compiled);
  // Results are stored one after another: one must not overwrite what another is still read from.
  for (const ChainResult& result : chain.results)
    if (result.value < static_cast<int64_t>(taken.size())) taken[result.value] = true;
  for (const ChainResult& result : chain.results) {
    size_t from = 0;
    const auto fits = [&](size_t i) {
      return !taken[i] && chain.inputs[i].access == ChainAccess::Whole && chain.inputs[i].type == result.type &&
             inputs[i].numel() == chain.size && isFree(inputs[i]);
    };
    if (result.store != ChainStore::Elements || result.type == at::kBool) from = inputs.size();
    while (from < inputs.size() && !fits(from)) from++;
    if (from < inputs.size()) {
      taken[from] = true;
      results.push_back(inputs[from].view(result.shape));
    } else {
      results.push_back(at::empty(result.shape, at::TensorOptions().dtype(result.type)));
    }
  }
  return results;
}

std::vector<at::Tensor> chainOf(std::vector<at::Tensor> tensors, const std::vector<int64_t>& code) {
  const std::shared_ptr<const Chain> chain = knownChain(code);
  TORCH_CHECK(tensors.size() == chain->inputs.size(), "keras::chain: expected ", chain->inputs.size(),
              " tensors, got ", tensors.size());
  std::vector<at::Tensor> inputs;
  std::vector<const void*> data;
  for (size_t i = 0; i < tensors.size(); i++) {
    inputs.push_back(prepared(tensors[i], chain->inputs[i]));
    data.push_back(inputs[i].data_ptr());
    tensors[i].reset();
  }
  std::vector<at::Tensor> results = makeResults(*chain, inputs);
  std::vector<void*> places;
  for (const at::Tensor& result : results) places.push_back(result.data_ptr());
  runChain(*chain, data, places);
  return results;
}

// A boxed kernel, to be the only holder of tensors that end here.
void chainKernel(torch::jit::Stack& stack) {
  const std::vector<int64_t> code = torch::jit::pop(stack).toIntVector();
  std::vector<at::Tensor> tensors;
  {
    c10::IValue list = torch::jit::pop(stack);
    tensors = std::move(list).toTensorVector();
  }
  c10::List<at::Tensor> results;
  for (at::Tensor& result : chainOf(std::move(tensors), code)) results.push_back(std::move(result));
  torch::jit::push(stack, std::move(results));
}

}  // namespace

}  // namespace keras

TORCH_LIBRARY_FRAGMENT(keras, library) { library.def("chain(Tensor[] tensors, int[] code) -> Tensor[]"); }

TORCH_LIBRARY_IMPL(keras, CompositeExplicitAutograd, library) {
  library.impl("chain", keras::boxed<keras::chainKernel>());
}
