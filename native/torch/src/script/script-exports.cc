// TorchScript modules as JavaScript sees them.
#include "dispatch/calls.h"
#include "script/script.h"

#include <fstream>
#include <sstream>

namespace keras {

namespace {

std::shared_ptr<Script> scriptOf(Call& call) { return scriptAt(integer(call.env, call[0], "A module")); }

void set(napi_env env, napi_value object, const char* name, napi_value value) {
  check(env, napi_set_named_property(env, object, name, value));
}

napi_value detachedSlotOf(Call& call, const at::Tensor& tensor) {
  return fromNumber(call.env, call.environment->tensors.add(tensor.defined() ? tensor.detach() : tensor));
}

napi_value load(Call& call) {
  c10::Device device(typeOf(call.env, call[1]) == napi_undefined ? "cpu" : text(call.env, call[1], "A device"));
  if (typeOf(call.env, call[0]) == napi_string) {
    std::string path = text(call.env, call[0], "A path");
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("The file " + path + " cannot be read.");
    return fromNumber(call.env, static_cast<double>(loadScript(file, device)));
  }
  napi_typedarray_type type;
  size_t length;
  void* data;
  if (napi_get_typedarray_info(call.env, call[0], &type, &length, &data, nullptr, nullptr) != napi_ok ||
      type != napi_uint8_array)
    throw Misuse("A TorchScript module must be a path or a Uint8Array.");
  std::istringstream bytes(std::string(static_cast<const char*>(data), length));
  return fromNumber(call.env, static_cast<double>(loadScript(bytes, device)));
}

napi_value listTensors(Call& call, const std::vector<NamedTensor>& tensors) {
  napi_value list;
  check(call.env, napi_create_array_with_length(call.env, tensors.size(), &list));
  uint32_t index = 0;
  for (const NamedTensor& item : tensors) {
    napi_value object, trainable;
    check(call.env, napi_create_object(call.env, &object));
    set(call.env, object, "name", fromText(call.env, item.name));
    set(call.env, object, "slot", detachedSlotOf(call, item.tensor));
    check(call.env, napi_get_boolean(call.env, item.tensor.requires_grad(), &trainable));
    set(call.env, object, "trainable", trainable);
    check(call.env, napi_set_element(call.env, list, index++, object));
  }
  return list;
}

napi_value parameters(Call& call) { return listTensors(call, scriptOf(call)->parameters); }

napi_value buffers(Call& call) { return listTensors(call, scriptOf(call)->buffers); }

napi_value setTraining(Call& call) {
  std::shared_ptr<Script> script = scriptOf(call);
  std::lock_guard<std::mutex> lock(script->mutex);
  script->module.train(boolean(call.env, call[1], "training"));
  return undefined(call.env);
}

napi_value replaceParameters(Call& call) {
  std::shared_ptr<Script> script = scriptOf(call);
  std::vector<at::Tensor> values;
  for (int64_t slot : integers(call.env, call[1], "The parameters")) values.push_back(call.environment->tensors.get(slot));
  std::lock_guard<std::mutex> lock(script->mutex);
  setParameters(*script, values);
  return undefined(call.env);
}

// The form of an output: places in the list of tensors within arrays and objects.
napi_value structureOf(Call& call, const c10::IValue& value, uint32_t& next) {
  napi_env env = call.env;
  napi_value result;
  if (value.isTensor()) return fromNumber(env, next++);
  if (value.isTuple() || value.isList()) {
    std::vector<c10::IValue> items;
    if (value.isTuple()) items.assign(value.toTupleRef().elements().begin(), value.toTupleRef().elements().end());
    else items = value.toListRef().vec();
    check(env, napi_create_array_with_length(env, items.size(), &result));
    for (size_t i = 0; i < items.size(); i++)
      check(env, napi_set_element(env, result, static_cast<uint32_t>(i), structureOf(call, items[i], next)));
    return result;
  }
  if (value.isGenericDict()) {
    check(env, napi_create_object(env, &result));
    for (const auto& entry : value.toGenericDict()) {
      std::ostringstream key;
      if (entry.key().isString()) key << entry.key().toStringRef();
      else key << entry.key();
      napi_value item = structureOf(call, entry.value(), next);
      set(env, result, key.str().c_str(), item);
    }
    return result;
  }
  check(env, napi_get_null(env, &result));
  return result;
}

napi_value forward(Call& call) {
  std::shared_ptr<Script> script = scriptOf(call);
  uint32_t count = lengthOf(call.env, call[1], "The inputs");
  if (count > script->arguments.size())
    throw Misuse("The module takes " + std::to_string(script->arguments.size()) + " inputs. Received: " +
                 std::to_string(count) + ".");
  std::vector<c10::IValue> inputs;
  for (size_t i = 0; i < script->arguments.size(); i++) {
    napi_value given = i < count ? element(call.env, call[1], static_cast<uint32_t>(i)) : undefined(call.env);
    inputs.push_back(toValue(call, script->arguments[i], given));
  }
  bool recording = typeOf(call.env, call[2]) != napi_undefined && boolean(call.env, call[2], "record");
  std::vector<at::Tensor> outputs;
  c10::IValue output;
  int64_t number = 0;
  {
    std::lock_guard<std::mutex> lock(script->mutex);
    if (recording) {
      auto record = std::make_shared<ScriptRecord>();
      output = recordScript(script, std::move(inputs), *record);
      outputs = record->outputs;
      number = call.environment->nextProgram++;
      call.environment->records.emplace(number, std::move(record));
    } else {
      output = runScript(*script, inputs);
      collectTensors(output, outputs);
    }
  }
  napi_value result, list;
  check(call.env, napi_create_object(call.env, &result));
  check(call.env, napi_create_array_with_length(call.env, outputs.size(), &list));
  for (size_t i = 0; i < outputs.size(); i++)
    check(call.env, napi_set_element(call.env, list, static_cast<uint32_t>(i), detachedSlotOf(call, outputs[i])));
  uint32_t next = 0;
  set(call.env, result, "outputs", list);
  set(call.env, result, "structure", structureOf(call, output, next));
  set(call.env, result, "record", fromNumber(call.env, static_cast<double>(number)));
  return result;
}

std::shared_ptr<ScriptRecord> takeRecord(Call& call) {
  auto& records = call.environment->records;
  auto found = records.find(integer(call.env, call[0], "A record"));
  if (found == records.end()) throw Misuse("There is no such record: its gradients were taken, or it was dropped.");
  std::shared_ptr<ScriptRecord> record = std::move(found->second);
  records.erase(found);
  return record;
}

napi_value backward(Call& call) {
  uint32_t count = lengthOf(call.env, call[1], "The gradients");
  std::vector<at::Tensor> gradients;
  for (uint32_t i = 0; i < count; i++) {
    napi_value item = element(call.env, call[1], i);
    if (typeOf(call.env, item) == napi_null) gradients.emplace_back();
    else gradients.push_back(call.environment->tensors.get(integer(call.env, item, "A slot")));
  }
  std::shared_ptr<ScriptRecord> record = takeRecord(call);
  std::vector<at::Tensor> found = scriptGradients(*record, gradients);
  napi_value result, lists[2];
  size_t inputs = record->inputs.size();
  check(call.env, napi_create_array_with_length(call.env, inputs, &lists[0]));
  check(call.env, napi_create_array_with_length(call.env, found.size() - inputs, &lists[1]));
  for (size_t i = 0; i < found.size(); i++) {
    bool isInput = i < inputs;
    auto place = static_cast<uint32_t>(isInput ? i : i - inputs);
    check(call.env, napi_set_element(call.env, lists[isInput ? 0 : 1], place, detachedSlotOf(call, found[i])));
  }
  check(call.env, napi_create_object(call.env, &result));
  set(call.env, result, "inputs", lists[0]);
  set(call.env, result, "parameters", lists[1]);
  return result;
}

napi_value dropRecord(Call& call) {
  takeRecord(call);
  return undefined(call.env);
}

napi_value dispose(Call& call) {
  removeScript(integer(call.env, call[0], "A module"));
  return undefined(call.env);
}

}  // namespace

std::vector<Export> scriptExports() {
  return {{"jitLoad", guarded<load>},
          {"jitParameters", guarded<parameters>},
          {"jitBuffers", guarded<buffers>},
          {"jitSetTraining", guarded<setTraining>},
          {"jitSetParameters", guarded<replaceParameters>},
          {"jitForward", guarded<forward>},
          {"jitBackward", guarded<backward>},
          {"jitDropRecord", guarded<dropRecord>},
          {"jitDispose", guarded<dispose>}};
}

}  // namespace keras
