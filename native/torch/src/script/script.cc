#include "script/script.h"

#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/jit/serialization/import.h>

#include <unordered_map>

namespace keras {

namespace {

struct Scripts {
  std::mutex mutex;
  std::unordered_map<int64_t, std::shared_ptr<Script>> byNumber;
  int64_t next = 1;
};

// Never destroyed: other threads may still run ops while the process ends.
Scripts& scripts() {
  static Scripts* instance = new Scripts();
  return *instance;
}

bool hasGradient(const at::Tensor& tensor) { return at::isFloatingType(tensor.scalar_type()) || tensor.is_complex(); }

// Parameters and buffers of a module and those within it, by names such as "encoder.weight", in the order in which they
// were registered.
void findTensors(const c10::IValue& module, const std::string& prefix, Script& script) {
  const c10::ivalue::Object& object = module.toObjectRef();
  const c10::ClassTypePtr type = object.type();
  for (size_t i = 0; i < type->numAttributes(); i++) {
    const c10::IValue& value = object.getSlot(i);
    const std::string name = prefix + type->getAttributeName(i);
    if (value.isModule()) findTensors(value, name + ".", script);
    else if (!value.isTensor()) continue;
    else if (type->is_parameter(i)) script.parameters.push_back({name, value.toTensor()});
    else if (type->is_buffer(i)) script.buffers.push_back({name, value.toTensor()});
  }
}

}  // namespace

int64_t loadScript(std::istream& source, c10::Device device) {
  auto script = std::make_shared<Script>();
  script->module = torch::jit::load(source, device);
  findTensors(script->module._ivalue(), "", *script);
  auto forward = script->module.find_method("forward");
  if (!forward.has_value()) throw std::runtime_error("The TorchScript module has no method forward.");
  const auto& arguments = forward->function().getSchema().arguments();
  for (size_t i = 1; i < arguments.size(); i++) script->arguments.push_back(describe(arguments[i]));
  Scripts& known = scripts();
  std::lock_guard<std::mutex> lock(known.mutex);
  known.byNumber[known.next] = std::move(script);
  return known.next++;
}

std::shared_ptr<Script> scriptAt(int64_t id) {
  Scripts& known = scripts();
  std::lock_guard<std::mutex> lock(known.mutex);
  auto found = known.byNumber.find(id);
  if (found == known.byNumber.end()) throw Misuse("There is no TorchScript module " + std::to_string(id) + ".");
  return found->second;
}

void removeScript(int64_t id) {
  scriptAt(id);
  Scripts& known = scripts();
  std::lock_guard<std::mutex> lock(known.mutex);
  known.byNumber.erase(id);
}

void setParameters(Script& script, const std::vector<at::Tensor>& values) {
  if (values.empty()) return;
  if (values.size() != script.parameters.size())
    throw Misuse("The module has " + std::to_string(script.parameters.size()) + " parameters. Received: " +
                 std::to_string(values.size()) + ".");
  for (size_t i = 0; i < values.size(); i++) {
    const NamedTensor& parameter = script.parameters[i];
    if (values[i].sizes() != parameter.tensor.sizes() || values[i].scalar_type() != parameter.tensor.scalar_type())
      throw Misuse("A value for the parameter " + parameter.name + " has another shape or dtype.");
  }
  for (size_t i = 0; i < values.size(); i++) script.parameters[i].tensor.set_data(values[i]);
}

void setBuffers(Script& script, at::TensorList values) {
  if (values.empty()) return;
  if (values.size() != script.buffers.size())
    throw Misuse("The module has " + std::to_string(script.buffers.size()) + " buffers. Received: " +
                 std::to_string(values.size()) + ".");
  at::NoGradGuard guard;
  for (size_t i = 0; i < values.size(); i++) {
    const NamedTensor& buffer = script.buffers[i];
    if (values[i].sizes() != buffer.tensor.sizes())
      throw Misuse("A value for the buffer " + buffer.name + " has another shape.");
    buffer.tensor.copy_(values[i]);
  }
}

c10::IValue runScript(Script& script, const std::vector<c10::IValue>& inputs) {
  at::NoGradGuard guard;
  return script.module.forward(inputs);
}

c10::IValue recordScript(const std::shared_ptr<Script>& script, std::vector<c10::IValue> inputs, ScriptRecord& record) {
  at::AutoGradMode recording(true);
  record.script = script;
  for (c10::IValue& input : inputs) {
    if (!input.isTensor()) continue;
    at::Tensor tensor = input.toTensor().detach();
    if (hasGradient(tensor)) tensor.set_requires_grad(true);
    record.inputs.push_back(tensor);
    input = tensor;
  }
  c10::IValue output = script->module.forward(std::move(inputs));
  collectTensors(output, record.outputs);
  return output;
}

std::vector<at::Tensor> scriptGradients(const ScriptRecord& record, const std::vector<at::Tensor>& outputGradients) {
  if (outputGradients.size() != record.outputs.size())
    throw Misuse("The module has " + std::to_string(record.outputs.size()) + " output tensors. Received: " +
                 std::to_string(outputGradients.size()) + " gradients.");
  at::AutoGradMode recording(true);
  std::vector<at::Tensor> sources = record.inputs;
  for (const NamedTensor& parameter : record.script->parameters) sources.push_back(parameter.tensor);
  std::vector<at::Tensor> wanted, outputs, gradients;
  for (const at::Tensor& source : sources)
    if (source.requires_grad()) wanted.push_back(source);
  for (size_t i = 0; i < record.outputs.size(); i++) {
    if (!record.outputs[i].requires_grad() || !outputGradients[i].defined()) continue;
    outputs.push_back(record.outputs[i]);
    gradients.push_back(outputGradients[i]);
  }
  std::vector<at::Tensor> found(wanted.size());
  if (!wanted.empty() && !outputs.empty())
    found = torch::autograd::grad(outputs, wanted, gradients, /*retain_graph=*/false, /*create_graph=*/false,
                                  /*allow_unused=*/true);
  std::vector<at::Tensor> results;
  size_t next = 0;
  for (const at::Tensor& source : sources) results.push_back(source.requires_grad() ? found[next++] : at::Tensor());
  return results;
}

void collectTensors(const c10::IValue& value, std::vector<at::Tensor>& tensors) {
  if (value.isTensor()) tensors.push_back(value.toTensor());
  else if (value.isTuple())
    for (const c10::IValue& item : value.toTupleRef().elements()) collectTensors(item, tensors);
  else if (value.isList())
    for (const c10::IValue& item : value.toListRef()) collectTensors(item, tensors);
  else if (value.isGenericDict())
    for (const auto& entry : value.toGenericDict()) collectTensors(entry.value(), tensors);
}

}  // namespace keras
