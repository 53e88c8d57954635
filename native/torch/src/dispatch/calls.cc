// Eager calls: arguments from JavaScript by the op's schema, results back.
#include "dispatch/calls.h"

#include <sstream>

#include "recording.h"

namespace keras {

namespace {

const char* javascriptType(napi_valuetype type) {
  switch (type) {
    case napi_boolean: return "a boolean";
    case napi_number: return "a number";
    case napi_string: return "a string";
    case napi_bigint: return "a bigint";
    case napi_object: return "an object";
    default: return "a value that is no argument";
  }
}

c10::IValue tensorList(Call& call, const Argument& argument, napi_value value) {
  uint32_t count = lengthOf(call.env, value, argument.name.c_str());
  const Table& table = call.environment->tensors;
  if (argument.kind == Kind::Tensors) {
    c10::List<at::Tensor> list;
    list.reserve(count);
    for (uint32_t i = 0; i < count; i++)
      list.push_back(table.get(integer(call.env, element(call.env, value, i), "A slot")));
    return list;
  }
  c10::List<OptionalTensor> list;
  list.reserve(count);
  for (uint32_t i = 0; i < count; i++) {
    napi_value item = element(call.env, value, i);
    if (typeOf(call.env, item) == napi_null) list.push_back(OptionalTensor());
    else list.push_back(OptionalTensor(table.get(integer(call.env, item, "A slot"))));
  }
  return list;
}

c10::IValue fromArray(Call& call, const Argument& argument, napi_value value) {
  if (argument.kind == Kind::Tensors || argument.kind == Kind::OptionalTensors) return tensorList(call, argument, value);
  bool isArray = false;
  check(call.env, napi_is_array(call.env, value, &isArray));
  if (!isArray) wrongKind(argument, "an object");
  uint32_t count = lengthOf(call.env, value, argument.name.c_str());
  std::vector<double> values(count);
  for (uint32_t i = 0; i < count; i++) {
    napi_value item = element(call.env, value, i);
    bool flag;
    if (napi_get_value_bool(call.env, item, &flag) == napi_ok) values[i] = flag;
    else values[i] = number(call.env, item, argument.name.c_str());
  }
  return fromDoubles(argument, values.data(), count);
}

}  // namespace

c10::IValue toValue(Call& call, const Argument& argument, napi_value value) {
  napi_valuetype type = typeOf(call.env, value);
  switch (type) {
    case napi_undefined: return defaultOf(argument);
    case napi_null:
      if (!argument.optional) wrongKind(argument, "null");
      return c10::IValue();
    case napi_number: {
      double number;
      check(call.env, napi_get_value_double(call.env, value, &number));
      if (argument.kind != Kind::Tensor) return fromDouble(argument, number);
      int64_t slot = static_cast<int64_t>(number > 0 && number < 4e9 ? number : 0);
      return call.environment->tensors.get(static_cast<double>(slot) == number ? slot : 0);
    }
    case napi_boolean: {
      bool flag = boolean(call.env, value, argument.name.c_str());
      if (argument.kind == Kind::Scalar) return at::Scalar(flag);
      if (argument.kind == Kind::Int || argument.kind == Kind::Bool) return fromDouble(argument, flag);
      break;
    }
    case napi_bigint: {
      int64_t result;
      bool lossless;
      check(call.env, napi_get_value_bigint_int64(call.env, value, &result, &lossless));
      if (!lossless) throw Misuse("Argument \"" + argument.name + "\" must fit 64 bits.");
      if (argument.kind == Kind::Scalar) return at::Scalar(result);
      if (argument.kind == Kind::Int) return result;
      break;
    }
    case napi_string: return fromString(argument, text(call.env, value, argument.name.c_str()));
    case napi_object: return fromArray(call, argument, value);
    default: break;
  }
  wrongKind(argument, javascriptType(type));
}

napi_value toJavaScript(Call& call, const c10::IValue& value) {
  Table& table = call.environment->tensors;
  if (value.isTensor()) {
    napi_value result;
    check(call.env, napi_create_uint32(call.env, table.add(value.toTensor()), &result));
    return result;
  }
  if (value.isInt()) return fromNumber(call.env, static_cast<double>(value.toInt()));
  if (value.isDouble()) return fromNumber(call.env, value.toDouble());
  if (value.isBool()) return fromNumber(call.env, value.toBool() ? 1 : 0);
  if (value.isScalar()) return fromNumber(call.env, value.toScalar().toDouble());
  if (value.isList()) {
    auto list = value.toListRef();
    napi_value result;
    check(call.env, napi_create_array_with_length(call.env, list.size(), &result));
    for (size_t i = 0; i < list.size(); i++)
      check(call.env, napi_set_element(call.env, result, static_cast<uint32_t>(i), toJavaScript(call, list[i])));
    return result;
  }
  throw std::runtime_error("A result of type " + value.tagKind() + " has no form in JavaScript.");
}

namespace {

napi_value callOp(Call& call) {
  const Op& op = opAt(integer(call.env, call[0], "An op"));
  if (call.count > op.arguments.size() + 1)
    throw Misuse(op.name + " takes " + std::to_string(op.arguments.size()) + " arguments. Received: " +
                 std::to_string(call.count - 1) + ".");
  // Kept, so that a call allocates none.
  static thread_local torch::jit::Stack stack;
  stack.clear();
  // Also when something throws: tensors must not stay behind on the stack.
  struct Cleared {
    torch::jit::Stack& stack;
    ~Cleared() { stack.clear(); }
  } cleared{stack};
  for (size_t i = 0; i < op.arguments.size(); i++) stack.push_back(toValue(call, op.arguments[i], call[i + 1]));
  {
    NoRecording guard;
    runOp(op, stack);
  }
  if (stack.size() == 1) return toJavaScript(call, stack[0]);
  napi_value result;
  check(call.env, napi_create_array_with_length(call.env, stack.size(), &result));
  for (size_t i = 0; i < stack.size(); i++)
    check(call.env, napi_set_element(call.env, result, static_cast<uint32_t>(i), toJavaScript(call, stack[i])));
  return result;
}

std::string overloadOf(Call& call) {
  return typeOf(call.env, call[1]) == napi_undefined ? "" : text(call.env, call[1], "An overload");
}

napi_value opId(Call& call) {
  return fromNumber(call.env, static_cast<double>(findOp(text(call.env, call[0], "A name"), overloadOf(call))));
}

napi_value isThereOp(Call& call) {
  napi_value result;
  check(call.env, napi_get_boolean(call.env, hasOp(text(call.env, call[0], "A name"), overloadOf(call)), &result));
  return result;
}

napi_value argumentKinds(Call& call) {
  const Op& op = opAt(integer(call.env, call[0], "An op"));
  napi_value result;
  check(call.env, napi_create_array_with_length(call.env, op.arguments.size(), &result));
  uint32_t index = 0;
  for (const Argument& argument : op.arguments) {
    std::string kind = std::string(nameOf(argument.kind)) + (argument.optional ? "?" : "");
    check(call.env, napi_set_element(call.env, result, index++, fromText(call.env, kind)));
  }
  return result;
}

napi_value schema(Call& call) {
  std::ostringstream out;
  out << opAt(integer(call.env, call[0], "An op")).schema;
  return fromText(call.env, out.str());
}

}  // namespace

std::vector<Export> opExports() {
  return {{"opId", guarded<opId>},
          {"hasOp", guarded<isThereOp>},
          {"argumentKinds", guarded<argumentKinds>},
          {"schema", guarded<schema>},
          {"call", guarded<callOp>}};
}

}  // namespace keras
