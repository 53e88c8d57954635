// Node-API in the shape the other files use: values in, values out, and C++ exceptions for everything that is wrong.
#pragma once
#define NAPI_VERSION 8
#include <node_api.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "errors.h"

namespace keras {

struct Environment;

// A JavaScript exception is pending already: nothing is left to do but return.
struct Pending {};

// Throws for every status but napi_ok.
void check(napi_env env, napi_status status);

// Arguments of one call from JavaScript.
struct Call {
  static constexpr size_t most = 48;
  napi_env env;
  Environment* environment = nullptr;
  size_t count = 0;
  napi_value arguments[most];

  explicit Call(napi_env of) : env(of) {}
  // undefined where the caller gave less.
  napi_value operator[](size_t index) const { return arguments[index]; }
};

// Whether a number has no fraction and is exact: within +-2^53.
inline bool isInteger(double value) { return std::fabs(value) <= 9007199254740992.0 && std::floor(value) == value; }

napi_valuetype typeOf(napi_env env, napi_value value);
int64_t integer(napi_env env, napi_value value, const char* what);
double number(napi_env env, napi_value value, const char* what);
bool boolean(napi_env env, napi_value value, const char* what);
std::string text(napi_env env, napi_value value, const char* what);
uint32_t lengthOf(napi_env env, napi_value array, const char* what);
napi_value element(napi_env env, napi_value array, uint32_t index);
// From an array of numbers or an Int32Array.
std::vector<int64_t> integers(napi_env env, napi_value value, const char* what);

napi_value undefined(napi_env env);
napi_value fromNumber(napi_env env, double value);
napi_value fromText(napi_env env, const std::string& value);
napi_value fromIntegers(napi_env env, const int64_t* values, size_t count);

// The message for what is being caught; call inside `catch (...)`.
std::string describeException(bool* misuse = nullptr);
// Turns what is being caught into a pending JavaScript exception; call inside `catch (...)`.
void throwToJavaScript(napi_env env);
napi_value makeError(napi_env env, const std::string& message);

// Wraps a body so that no C++ exception leaves it.
using Body = napi_value (*)(Call&);
napi_value enter(napi_env env, napi_callback_info info, Body body);

template <Body body>
napi_value guarded(napi_env env, napi_callback_info info) {
  return enter(env, info, body);
}

struct Export {
  const char* name;
  napi_callback callback;
};
void define(napi_env env, napi_value exports, Environment& environment, const std::vector<Export>& list);

}  // namespace keras
