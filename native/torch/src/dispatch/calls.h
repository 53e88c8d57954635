// Between values of JavaScript and values of libtorch.
#pragma once
#include "dispatch/ops.h"
#include "environment.h"

namespace keras {

// A value given for an argument; throws when it is of another kind.
c10::IValue toValue(Call& call, const Argument& argument, napi_value value);
// Tensors as slots, lists and tuples as arrays.
napi_value toJavaScript(Call& call, const c10::IValue& value);

}  // namespace keras
