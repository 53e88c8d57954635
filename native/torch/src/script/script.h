// TorchScript modules as functions of their parameters and inputs.
#pragma once
// libtorch reads the processor's clock by an intrinsic, for which it includes those of all vector instructions: g++ takes
// longer over them than over all of our code. Only those without vectors are included here, the rest is as if it were.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && __has_include(<x86gprintrin.h>)
#include <x86gprintrin.h>
#define _X86INTRIN_H_INCLUDED
#endif
#include <torch/csrc/jit/api/module.h>

#include <istream>
#include <memory>
#include <mutex>

#include "dispatch/ops.h"

namespace keras {

struct NamedTensor {
  std::string name;
  at::Tensor tensor;
};

struct Script {
  torch::jit::Module module;
  std::vector<NamedTensor> parameters;
  std::vector<NamedTensor> buffers;
  // Arguments of forward without self.
  std::vector<Argument> arguments;
  // A run sets the module's state, so there is one at a time.
  std::mutex mutex;
};

// Outputs of a run whose gradients can be taken.
struct ScriptRecord {
  std::shared_ptr<Script> script;
  std::vector<at::Tensor> inputs;
  std::vector<at::Tensor> outputs;
};

// Modules are known by number to the whole process, because programs name them so. Throws when libtorch cannot read it.
int64_t loadScript(std::istream& source, c10::Device device);
std::shared_ptr<Script> scriptAt(int64_t id);
void removeScript(int64_t id);

// Makes the module compute with these parameters, in the order of `parameters`; they are shared, not copied. None for an
// empty list.
void setParameters(Script& script, const std::vector<at::Tensor>& values);
// Copies values, in the order of `buffers`, into the module's buffers; none for an empty list.
void setBuffers(Script& script, at::TensorList values);

// Runs forward without recording.
c10::IValue runScript(Script& script, const std::vector<c10::IValue>& inputs);
// Runs forward and records it; tensors of floating point among the inputs get gradients.
c10::IValue recordScript(const std::shared_ptr<Script>& script, std::vector<c10::IValue> inputs, ScriptRecord& record);
// Gradients for the record's inputs, then for all parameters; undefined where there is none.
std::vector<at::Tensor> scriptGradients(const ScriptRecord& record, const std::vector<at::Tensor>& outputGradients);

// All tensors in a value, in order: of lists, tuples and dictionaries.
void collectTensors(const c10::IValue& value, std::vector<at::Tensor>& tensors);

}  // namespace keras
