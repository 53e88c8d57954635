// Values of arguments from plain numbers and strings, and the call of an op with errors that say what it got.
#include "dispatch/ops.h"
#include "node.h"

#include <ATen/CPUGeneratorImpl.h>

#include <cmath>
#include <sstream>

namespace keras {

namespace {

constexpr size_t longestMessage = 500;

int64_t toInteger(const Argument& argument, double value) {
  if (!isInteger(value))
    throw Misuse("Argument \"" + argument.name + "\" must be an integer. Received: " + std::to_string(value) + ".");
  return static_cast<int64_t>(value);
}

// libtorch indexes tables with these without a look at their range.
int64_t toConstant(const Argument& argument, double value, int64_t count) {
  int64_t result = toInteger(argument, value);
  if (result < 0 || result >= count)
    throw Misuse("Argument \"" + argument.name + "\" must be the number of a " + nameOf(argument.kind) +
                 ". Received: " + std::to_string(result) + ".");
  return result;
}

at::Scalar toScalar(double value) {
  bool integral = isInteger(value) && !(value == 0 && std::signbit(value));
  return integral ? at::Scalar(static_cast<int64_t>(value)) : at::Scalar(value);
}

template <typename Value, typename Convert>
c10::IValue list(const double* values, size_t count, Convert convert) {
  c10::List<Value> result;
  result.reserve(count);
  for (size_t i = 0; i < count; i++) result.push_back(convert(values[i]));
  return result;
}

void describeTensor(std::ostream& out, const at::Tensor& tensor) {
  if (!tensor.defined()) out << "none";
  else out << c10::toString(tensor.scalar_type()) << tensor.sizes();
}

void describeValue(std::ostream& out, const c10::IValue& value) {
  if (value.isTensor()) return describeTensor(out, value.toTensor());
  if (value.isTensorList()) {
    out << "(";
    for (const at::Tensor& tensor : value.toTensorVector()) describeTensor(out << " ", tensor);
    out << " )";
    return;
  }
  if (value.isInt() || value.isDouble() || value.isBool() || value.isIntList() || value.isDoubleList() ||
      value.isString() || value.isNone())
    out << value;
  else
    out << value.tagKind();
}

std::string describeCall(const Op& op, const torch::jit::Stack& stack) {
  std::ostringstream out;
  out << op.name << "(";
  // A kernel that failed half-way has left its arguments; what it has taken cannot be shown.
  if (stack.size() == op.arguments.size())
    for (size_t i = 0; i < stack.size(); i++) describeValue(out << (i ? ", " : "") << op.arguments[i].name << "=", stack[i]);
  out << ")";
  return out.str();
}

}  // namespace

void wrongKind(const Argument& argument, const char* received) {
  throw Misuse("Argument \"" + argument.name + "\" must be of kind " + nameOf(argument.kind) +
               (argument.optional ? "?" : "") + ". Received: " + received + ".");
}

const c10::IValue& defaultOf(const Argument& argument) {
  if (!argument.hasDefault) throw Misuse("Argument \"" + argument.name + "\" is missing and has no default.");
  return argument.value;
}

c10::IValue fromDouble(const Argument& argument, double value) {
  switch (argument.kind) {
    case Kind::Int: return toInteger(argument, value);
    case Kind::Float: return value;
    case Kind::Bool: return toConstant(argument, value, 2) == 1;
    case Kind::Scalar: return toScalar(value);
    case Kind::ScalarType:
      return toConstant(argument, value, static_cast<int64_t>(c10::ScalarType::Undefined));
    case Kind::Layout: return toConstant(argument, value, static_cast<int64_t>(c10::Layout::NumOptions));
    case Kind::MemoryFormat: return toConstant(argument, value, static_cast<int64_t>(c10::MemoryFormat::NumOptions));
    case Kind::Generator: {
      double seed = toInteger(argument, value);
      if (seed < 0) throw Misuse("A seed must not be negative.");
      return at::make_generator<at::CPUGeneratorImpl>(static_cast<uint64_t>(seed));
    }
    case Kind::Ints:
    case Kind::Floats:
    case Kind::Bools:
      // As in Python, one number stands for all of a list whose length the schema fixes.
      if (argument.length > 0) {
        std::vector<double> repeated(argument.length, value);
        return fromDoubles(argument, repeated.data(), repeated.size());
      }
      break;
    default: break;
  }
  wrongKind(argument, "a number");
}

c10::IValue fromString(const Argument& argument, const std::string& value) {
  if (argument.kind == Kind::String) return value;
  if (argument.kind == Kind::Device) return c10::Device(value);
  wrongKind(argument, "a string");
}

c10::IValue fromDoubles(const Argument& argument, const double* values, size_t count) {
  switch (argument.kind) {
    case Kind::Ints: return list<int64_t>(values, count, [&](double value) { return toInteger(argument, value); });
    case Kind::Floats: return list<double>(values, count, [](double value) { return value; });
    case Kind::Bools: return list<bool>(values, count, [](double value) { return value != 0; });
    case Kind::Scalars: {
      c10::impl::GenericList result(c10::NumberType::get());
      for (size_t i = 0; i < count; i++) result.push_back(c10::IValue(toScalar(values[i])));
      return result;
    }
    default: wrongKind(argument, "a list of numbers");
  }
}

void runOp(const Op& op, torch::jit::Stack& stack) {
  std::string message;
  try {
    if (!op.own) return op.handle->callBoxed(&stack);
    OwnCall call(stack, op.arguments.size());
    op.own(call);
    return call.finish();
  } catch (...) {
    message = describeException();
  }
  // libtorch's own messages end with a period or a line break, or do not.
  while (!message.empty() && (message.back() == '\n' || message.back() == ' ')) message.pop_back();
  // A missing kernel lists all that there are, in pages.
  if (message.size() > longestMessage) message = message.substr(0, longestMessage) + "...";
  throw std::runtime_error(message + "\nin " + describeCall(op, stack));
}

}  // namespace keras
