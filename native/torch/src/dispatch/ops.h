// The ops that were asked for, by number, with their schemas read once.
#pragma once
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <optional>
#include <string>
#include <vector>

#include "own-op.h"

namespace keras {

enum class Kind {
  Tensor,
  Tensors,
  OptionalTensors,
  Int,
  Float,
  Bool,
  Scalar,
  Ints,
  Floats,
  Bools,
  Scalars,
  String,
  ScalarType,
  Layout,
  MemoryFormat,
  Device,
  Generator,
  Unsupported,
};

// A list that may hold absent tensors; libtorch's optional became std::optional in 2.x.
using OptionalTensor = decltype(std::declval<const c10::IValue&>().toOptional<at::Tensor>());

struct Argument {
  std::string name;
  Kind kind;
  bool optional;
  bool hasDefault;
  // The default, or None where None is allowed.
  c10::IValue value;
  // A single number stands for this many in a list of fixed length.
  int32_t length;
};

struct Op {
  std::string name;
  // What runs it: libtorch, or a function of ours.
  std::optional<c10::OperatorHandle> handle;
  void (*own)(OwnCall& call);
  c10::FunctionSchema schema;
  std::vector<Argument> arguments;
  // Number of results if all of them are tensors, else -1: lists and other values.
  int32_t tensorResults;
};

Argument describe(const c10::Argument& source);

// Adds the op unless it is known; throws when this libtorch lacks it. The same number on all threads.
int64_t findOp(const std::string& name, const std::string& overload);
bool hasOp(const std::string& name, const std::string& overload);
// Throws unless there is an op of that number.
const Op& opAt(int64_t id);

const char* nameOf(Kind kind);

// The value of an argument given as a number: of the kinds from Int to Scalar and the numbered constants.
c10::IValue fromDouble(const Argument& argument, double value);
c10::IValue fromString(const Argument& argument, const std::string& value);
// A list from `count` numbers, for lists of ints, floats, bools and scalars.
c10::IValue fromDoubles(const Argument& argument, const double* values, size_t count);
// What an argument is that was not given; throws when the schema needs it.
const c10::IValue& defaultOf(const Argument& argument);
[[noreturn]] void wrongKind(const Argument& argument, const char* received);

// Runs an op on a stack of its arguments, which the results replace. Errors name the op and what it was given.
void runOp(const Op& op, torch::jit::Stack& stack);

}  // namespace keras
