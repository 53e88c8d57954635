#include "node.h"

#include <c10/util/Exception.h>

#include <new>

namespace keras {

namespace {

const char* nameOf(napi_valuetype type) {
  switch (type) {
    case napi_undefined: return "undefined";
    case napi_null: return "null";
    case napi_boolean: return "a boolean";
    case napi_number: return "a number";
    case napi_string: return "a string";
    case napi_symbol: return "a symbol";
    case napi_function: return "a function";
    case napi_bigint: return "a bigint";
    default: return "an object";
  }
}

[[noreturn]] void expected(napi_env env, napi_value value, const char* what, const char* kind) {
  throw Misuse(std::string(what) + " must be " + kind + ". Received: " + nameOf(typeOf(env, value)) + ".");
}

}  // namespace

void check(napi_env env, napi_status status) {
  if (status == napi_ok) return;
  bool pending = false;
  napi_is_exception_pending(env, &pending);
  if (pending || status == napi_pending_exception) throw Pending();
  const napi_extended_error_info* info = nullptr;
  napi_get_last_error_info(env, &info);
  throw std::runtime_error(info && info->error_message ? info->error_message : "Node-API call failed");
}

napi_valuetype typeOf(napi_env env, napi_value value) {
  napi_valuetype type;
  check(env, napi_typeof(env, value, &type));
  return type;
}

double number(napi_env env, napi_value value, const char* what) {
  double result;
  if (napi_get_value_double(env, value, &result) != napi_ok) expected(env, value, what, "a number");
  return result;
}

int64_t integer(napi_env env, napi_value value, const char* what) {
  double result = number(env, value, what);
  if (!isInteger(result))
    throw Misuse(std::string(what) + " must be an integer. Received: " + std::to_string(result) + ".");
  return static_cast<int64_t>(result);
}

bool boolean(napi_env env, napi_value value, const char* what) {
  bool result;
  if (napi_get_value_bool(env, value, &result) != napi_ok) expected(env, value, what, "a boolean");
  return result;
}

std::string text(napi_env env, napi_value value, const char* what) {
  size_t length = 0;
  if (napi_get_value_string_utf8(env, value, nullptr, 0, &length) != napi_ok) expected(env, value, what, "a string");
  std::string result(length + 1, '\0');
  check(env, napi_get_value_string_utf8(env, value, &result[0], length + 1, &length));
  result.resize(length);
  return result;
}

uint32_t lengthOf(napi_env env, napi_value array, const char* what) {
  uint32_t length;
  if (napi_get_array_length(env, array, &length) != napi_ok) expected(env, array, what, "an array");
  return length;
}

napi_value element(napi_env env, napi_value array, uint32_t index) {
  napi_value result;
  check(env, napi_get_element(env, array, index, &result));
  return result;
}

std::vector<int64_t> integers(napi_env env, napi_value value, const char* what) {
  bool typed = false;
  check(env, napi_is_typedarray(env, value, &typed));
  std::vector<int64_t> result;
  if (typed) {
    napi_typedarray_type type;
    size_t length;
    void* data;
    check(env, napi_get_typedarray_info(env, value, &type, &length, &data, nullptr, nullptr));
    if (type != napi_int32_array) throw Misuse(std::string(what) + " must be an array or an Int32Array.");
    auto* values = static_cast<const int32_t*>(data);
    result.assign(values, values + length);
    return result;
  }
  uint32_t length = lengthOf(env, value, what);
  result.reserve(length);
  for (uint32_t i = 0; i < length; i++) result.push_back(integer(env, element(env, value, i), what));
  return result;
}

napi_value undefined(napi_env env) {
  napi_value result;
  check(env, napi_get_undefined(env, &result));
  return result;
}

napi_value fromNumber(napi_env env, double value) {
  napi_value result;
  check(env, napi_create_double(env, value, &result));
  return result;
}

napi_value fromText(napi_env env, const std::string& value) {
  napi_value result;
  check(env, napi_create_string_utf8(env, value.data(), value.size(), &result));
  return result;
}

napi_value fromIntegers(napi_env env, const int64_t* values, size_t count) {
  napi_value result;
  check(env, napi_create_array_with_length(env, count, &result));
  for (size_t i = 0; i < count; i++)
    check(env, napi_set_element(env, result, static_cast<uint32_t>(i), fromNumber(env, static_cast<double>(values[i]))));
  return result;
}

std::string describeException(bool* misuse) {
  if (misuse) *misuse = false;
  try {
    throw;
  } catch (const Misuse& error) {
    if (misuse) *misuse = true;
    return error.what();
  } catch (const c10::Error& error) {
    return error.what_without_backtrace();
  } catch (const std::bad_alloc&) {
    return "out of memory";
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "an exception of unknown type";
  }
}

void throwToJavaScript(napi_env env) {
  try {
    throw;
  } catch (const Pending&) {
    return;
  } catch (...) {
    bool misuse;
    std::string message = describeException(&misuse);
    if (misuse) napi_throw_type_error(env, nullptr, message.c_str());
    else napi_throw_error(env, nullptr, message.c_str());
  }
}

napi_value makeError(napi_env env, const std::string& message) {
  napi_value error;
  check(env, napi_create_error(env, nullptr, fromText(env, message), &error));
  return error;
}

napi_value enter(napi_env env, napi_callback_info info, Body body) {
  Call call(env);
  void* data = nullptr;
  call.count = Call::most;
  if (napi_get_cb_info(env, info, &call.count, call.arguments, nullptr, &data) != napi_ok) return nullptr;
  if (call.count > Call::most) {
    napi_throw_type_error(env, nullptr, "Too many arguments.");
    return nullptr;
  }
  call.environment = static_cast<Environment*>(data);
  try {
    return body(call);
  } catch (...) {
    throwToJavaScript(env);
    return nullptr;
  }
}

void define(napi_env env, napi_value exports, Environment& environment, const std::vector<Export>& list) {
  for (const Export& item : list) {
    napi_value function;
    check(env, napi_create_function(env, item.name, NAPI_AUTO_LENGTH, item.callback, &environment, &function));
    check(env, napi_set_named_property(env, exports, item.name, function));
  }
}

}  // namespace keras
