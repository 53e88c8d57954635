// TorchScript modules as ops, for programs: pure functions of parameters and inputs. The gradient runs forward again, so
// that nothing has to live between the two.
#include <ATen/CPUGeneratorImpl.h>

#include "script/script.h"

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

std::vector<c10::IValue> valuesOf(const std::vector<at::Tensor>& tensors) {
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

// What a run is given.
struct Run {
  std::shared_ptr<Script> script;
  std::vector<at::Tensor> parameters, buffers, inputs;
  bool training;
  at::Tensor key;
};

// Gives the module its state for one run.
void prepare(const Run& run) {
  setParameters(*run.script, run.parameters);
  setBuffers(*run.script, run.buffers);
  run.script->module.train(run.training);
}

// What both ops begin with.
Run runOf(OwnCall& call) {
  Run run;
  run.script = scriptAt(call.integer(0));
  run.parameters = call.tensors(1);
  run.buffers = call.tensors(2);
  run.inputs = call.tensors(3);
  return run;
}

void scriptForward(OwnCall& call) {
  Run run = runOf(call);
  run.training = call.boolean(4);
  run.key = call.tensor(5);
  std::lock_guard<std::mutex> lock(run.script->mutex);
  WithAutograd open;
  prepare(run);
  Seeded seeded(seedOf(run.key));
  std::vector<at::Tensor> outputs;
  collectTensors(runScript(*run.script, valuesOf(run.inputs)), outputs);
  for (size_t i = 0; i < run.buffers.size(); i++)
    outputs.push_back(run.script->buffers[i].tensor.to(run.buffers[i].scalar_type(), false, true));
  call.giveList(std::move(outputs));
}

void scriptBackward(OwnCall& call) {
  Run run = runOf(call);
  const std::vector<at::Tensor> gradients = call.optionalTensors(4);
  run.training = call.boolean(5);
  run.key = call.tensor(6);
  std::lock_guard<std::mutex> lock(run.script->mutex);
  WithAutograd open;
  prepare(run);
  ScriptRecord record;
  {
    Seeded seeded(seedOf(run.key));
    recordScript(run.script, valuesOf(run.inputs), record);
  }
  std::vector<at::Tensor> results = scriptGradients(record, gradients);
  at::NoGradGuard guard;
  for (size_t i = 0; i < results.size(); i++) {
    if (results[i].defined()) continue;
    size_t inputs = run.inputs.size();
    const at::Tensor& source = i < inputs ? run.inputs[i] : run.script->parameters[i - inputs].tensor;
    results[i] = source.detach().new_zeros(source.sizes());
  }
  call.giveList(std::move(results));
}

}  // namespace

std::vector<OwnOp> scriptOps() {
  return {{"script_forward(int module, Tensor[] parameters, Tensor[] buffers, Tensor[] inputs, bool training, Tensor key) "
           "-> Tensor[]",
           scriptForward},
          {"script_backward(int module, Tensor[] parameters, Tensor[] buffers, Tensor[] inputs, Tensor?[] gradients, bool "
           "training, Tensor key) -> Tensor[]",
           scriptBackward}};
}

}  // namespace keras
