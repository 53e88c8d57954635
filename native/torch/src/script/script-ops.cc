// TorchScript modules as ops, for programs: pure functions of parameters and inputs. The gradient runs forward again, so
// that nothing has to live between the two.
#include "script.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/zeros_like.h>
#include <torch/library.h>

namespace keras {

namespace {

// Draws of a run, such as those of dropout, come from libtorch's default generator: it begins with the seed and is put
// back afterwards. One run at a time, since all share it.
class Seeded {
 public:
  explicit Seeded(uint64_t seed) : lock_(mutex()), generator_(at::detail::getDefaultCPUGenerator()) {
    std::lock_guard<std::mutex> guard(generator_.mutex());
    state_ = generator_.get_state();
    generator_.set_current_seed(seed);
  }
  ~Seeded() {
    std::lock_guard<std::mutex> guard(generator_.mutex());
    generator_.set_state(state_);
  }

 private:
  static std::mutex& mutex() {
    static std::mutex* instance = new std::mutex();
    return *instance;
  }
  std::lock_guard<std::mutex> lock_;
  at::Generator generator_;
  at::Tensor state_;
};

// Programs run with everything of autograd excluded; a module that records needs it back.
struct WithAutograd {
  c10::impl::LocalDispatchKeySet saved = c10::impl::tls_local_dispatch_key_set();
  WithAutograd() {
    c10::impl::LocalDispatchKeySet open = saved;
    open.excluded_ = open.excluded_ - c10::autograd_dispatch_keyset_with_ADInplaceOrView;
    c10::impl::_force_tls_local_dispatch_key_set(open);
  }
  ~WithAutograd() { c10::impl::_force_tls_local_dispatch_key_set(saved); }
};

std::vector<c10::IValue> valuesOf(at::TensorList tensors) {
  return std::vector<c10::IValue>(tensors.begin(), tensors.end());
}

// The integers of a key, as one.
uint64_t seedOf(const at::Tensor& key) {
  at::Tensor words = key.to(at::kCPU, at::kLong).contiguous().flatten();
  const int64_t* word = words.data_ptr<int64_t>();
  uint64_t seed = 0;
  for (int64_t i = 0; i < words.numel(); i++) seed = (seed << 32) ^ (seed >> 32) ^ static_cast<uint64_t>(word[i]);
  return seed;
}

// Gives the module its state for one run.
void prepare(Script& script, at::TensorList parameters, at::TensorList buffers, bool training) {
  setParameters(script, parameters.vec());
  setBuffers(script, buffers);
  script.module.train(training);
}

std::vector<at::Tensor> scriptForward(int64_t module, at::TensorList parameters, at::TensorList buffers,
                                      at::TensorList inputs, bool training, const at::Tensor& key) {
  std::shared_ptr<Script> script = scriptAt(module);
  std::lock_guard<std::mutex> lock(script->mutex);
  WithAutograd open;
  prepare(*script, parameters, buffers, training);
  Seeded seeded(seedOf(key));
  std::vector<at::Tensor> outputs;
  collectTensors(runScript(*script, valuesOf(inputs)), outputs);
  for (size_t i = 0; i < buffers.size(); i++) outputs.push_back(script->buffers[i].tensor.to(buffers[i].scalar_type(), false, true));
  return outputs;
}

std::vector<at::Tensor> scriptBackward(int64_t module, at::TensorList parameters, at::TensorList buffers,
                                       at::TensorList inputs, const c10::List<OptionalTensor>& gradients, bool training,
                                       const at::Tensor& key) {
  std::shared_ptr<Script> script = scriptAt(module);
  std::lock_guard<std::mutex> lock(script->mutex);
  WithAutograd open;
  prepare(*script, parameters, buffers, training);
  ScriptRecord record;
  {
    Seeded seeded(seedOf(key));
    recordScript(script, valuesOf(inputs), record);
  }
  std::vector<at::Tensor> given;
  for (size_t i = 0; i < gradients.size(); i++) {
    OptionalTensor gradient = gradients.get(i);
    given.push_back(gradient.has_value() ? *gradient : at::Tensor());
  }
  std::vector<at::Tensor> results = scriptGradients(record, given);
  at::NoGradGuard guard;
  for (size_t i = 0; i < results.size(); i++)
    if (!results[i].defined())
      results[i] = at::zeros_like(i < inputs.size() ? inputs[i] : script->parameters[i - inputs.size()].tensor.detach());
  return results;
}

}  // namespace

}  // namespace keras

TORCH_LIBRARY_FRAGMENT(keras, library) {
  library.def(
      "script_forward(int module, Tensor[] parameters, Tensor[] buffers, Tensor[] inputs, bool training, Tensor key) "
      "-> Tensor[]");
  library.def(
      "script_backward(int module, Tensor[] parameters, Tensor[] buffers, Tensor[] inputs, Tensor?[] gradients, bool "
      "training, Tensor key) -> Tensor[]");
}

TORCH_LIBRARY_IMPL(keras, CompositeExplicitAutograd, library) {
  library.impl("script_forward", keras::scriptForward);
  library.impl("script_backward", keras::scriptBackward);
}
