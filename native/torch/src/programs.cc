// Programs as JavaScript sees them.
#include "environment.h"
#include "executor.h"
#include "program.h"

namespace keras {

namespace {

std::shared_ptr<const Program> programOf(Call& call) {
  int64_t id = integer(call.env, call[0], "A program");
  auto found = call.environment->programs.find(id);
  if (found == call.environment->programs.end())
    throw Misuse("There is no program " + std::to_string(id) + ": it was disposed, or belongs to another thread.");
  return found->second;
}

std::vector<at::Tensor> inputsOf(Call& call, const Program& program) {
  std::vector<int64_t> slots = integers(call.env, call[1], "The inputs");
  if (slots.size() != inputCount(program))
    throw Misuse("The program takes " + std::to_string(inputCount(program)) + " inputs. Received: " +
                 std::to_string(slots.size()) + ".");
  std::vector<at::Tensor> inputs;
  inputs.reserve(slots.size());
  for (int64_t slot : slots) inputs.push_back(call.environment->tensors.get(slot));
  if (call.count > 2) {
    for (int64_t position : integers(call.env, call[2], "Positions of inputs that are spent")) {
      if (position < 0 || position >= static_cast<int64_t>(slots.size()))
        throw Misuse("There is no input " + std::to_string(position) + " to be spent.");
      call.environment->tensors.free(slots[position]);
    }
  }
  return inputs;
}

napi_value compile(Call& call) {
  ProgramSource source;
  napi_typedarray_type type;
  void* code;
  if (napi_get_typedarray_info(call.env, call[0], &type, &source.length, &code, nullptr, nullptr) != napi_ok ||
      type != napi_float64_array)
    throw Misuse("The code of a program must be a Float64Array.");
  source.code = static_cast<const double*>(code);
  source.inputs = integers(call.env, call[1], "The inputs");
  source.outputs = integers(call.env, call[2], "The outputs");
  uint32_t constants = lengthOf(call.env, call[3], "The constants");
  for (uint32_t i = 0; i < constants; i++) {
    std::vector<int64_t> pair = integers(call.env, element(call.env, call[3], i), "A constant");
    if (pair.size() != 2) throw Misuse("A constant must be a register and a slot.");
    source.constants.emplace_back(pair[0], call.environment->tensors.get(pair[1]));
  }
  source.registers = integer(call.env, call[4], "The number of registers");
  // JavaScript code may run while arrays are read, so the code is looked at again.
  if (napi_get_typedarray_info(call.env, call[0], &type, &source.length, &code, nullptr, nullptr) != napi_ok)
    throw Misuse("The code of a program must be a Float64Array.");
  source.code = static_cast<const double*>(code);
  std::shared_ptr<const Program> program = decode(source);
  int64_t id = call.environment->nextProgram++;
  call.environment->programs.emplace(id, std::move(program));
  return fromNumber(call.env, static_cast<double>(id));
}

napi_value run(Call& call) {
  std::shared_ptr<const Program> program = programOf(call);
  return slotsOf(*call.environment, execute(*program, inputsOf(call, *program), nullptr));
}

napi_value runAsync(Call& call) {
  std::shared_ptr<const Program> program = programOf(call);
  std::vector<at::Tensor> inputs = inputsOf(call, *program);
  std::unique_ptr<Executor>& executor = call.environment->executor;
  if (!executor) executor = std::make_unique<Executor>(*call.environment);
  return executor->submit(std::move(program), std::move(inputs));
}

napi_value disposeProgram(Call& call) {
  programOf(call);
  call.environment->programs.erase(integer(call.env, call[0], "A program"));
  return undefined(call.env);
}

}  // namespace

napi_value slotsOf(Environment& environment, std::vector<at::Tensor> tensors) {
  napi_env env = environment.env;
  napi_value result;
  check(env, napi_create_array_with_length(env, tensors.size(), &result));
  for (size_t i = 0; i < tensors.size(); i++) {
    napi_value slot;
    check(env, napi_create_uint32(env, environment.tensors.add(std::move(tensors[i])), &slot));
    check(env, napi_set_element(env, result, static_cast<uint32_t>(i), slot));
  }
  return result;
}

std::vector<Export> programExports() {
  return {{"compile", guarded<compile>},
          {"run", guarded<run>},
          {"runAsync", guarded<runAsync>},
          {"disposeProgram", guarded<disposeProgram>}};
}

}  // namespace keras
