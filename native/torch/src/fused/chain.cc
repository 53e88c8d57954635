// The op for fused elementwise chains.
#include "parallel/chain.h"

#include "own-op.h"

namespace keras {

namespace {

at::ScalarType scalarTypeOf(ChainType type) { return static_cast<at::ScalarType>(type); }
static_assert(static_cast<int>(ChainType::Int) == static_cast<int>(at::kInt) &&
                  static_cast<int>(ChainType::Float) == static_cast<int>(at::kFloat) &&
                  static_cast<int>(ChainType::Bool) == static_cast<int>(at::kBool),
              "libtorch's scalar types have other numbers");

// An input that can be read as it lies. Bools become words block by block, or, where they are not read one after the
// other, which is rare, at once.
at::Tensor prepared(const at::Tensor& tensor, const ChainInput& input) {
  require(tensor.is_cpu(), "keras::chain: tensors must be on the CPU");
  if (tensor.numel() < input.extent)
    throw Misuse("keras::chain: a tensor of " + std::to_string(tensor.numel()) + " elements where " +
                 std::to_string(input.extent) + " are read");
  if (tensor.scalar_type() != scalarTypeOf(input.type))
    throw Misuse(std::string("keras::chain: a tensor of ") + c10::toString(tensor.scalar_type()) + " in place of " +
                 c10::toString(scalarTypeOf(input.type)));
  const bool widen = input.type == ChainType::Bool && input.access != ChainAccess::Whole;
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
    if (result.store != ChainStore::Elements || result.type == ChainType::Bool) from = inputs.size();
    while (from < inputs.size() && !fits(from)) from++;
    if (from < inputs.size()) {
      taken[from] = true;
      results.push_back(inputs[from].view(result.shape));
    } else {
      results.push_back(emptyOf(result.shape, scalarTypeOf(result.type)));
    }
  }
  return results;
}

std::vector<at::Tensor> chainOf(std::vector<at::Tensor> tensors, const std::vector<int64_t>& code) {
  const std::shared_ptr<const Chain> chain = knownChain(code);
  if (tensors.size() != chain->inputs.size())
    throw Misuse("keras::chain: expected " + std::to_string(chain->inputs.size()) + " tensors, got " +
                 std::to_string(tensors.size()));
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

void chain(OwnCall& call) { call.giveList(chainOf(call.tensors(0), call.integers(1))); }

}  // namespace

std::vector<OwnOp> chainOps() { return {{"chain(Tensor[] tensors, int[] code) -> Tensor[]", chain}}; }

}  // namespace keras
