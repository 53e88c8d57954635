// The addon's entry: one environment for each JavaScript thread that loads it.
#include "environment.h"
#include "executor.h"

#include <torch/version.h>

#include <atomic>

namespace keras {

namespace {

std::atomic<uint32_t> environments{0};

// A step with which the generations of the first thousand threads' tables all begin elsewhere.
constexpr uint32_t generationStep = 389;

}  // namespace

Environment::Environment(napi_env of, uint32_t number) : env(of), tensors(of, (number * generationStep) & 1023) {}

Environment::~Environment() = default;

}  // namespace keras

NAPI_MODULE_INIT() {
  using namespace keras;
  try {
    applySettings();
    auto* environment = new Environment(env, environments++);
    auto finalize = [](napi_env, void* data, void*) { delete static_cast<Environment*>(data); };
    if (napi_set_instance_data(env, environment, finalize, nullptr) != napi_ok) {
      delete environment;
      throw std::runtime_error("The addon could not keep its state.");
    }
    for (const auto& list : {opExports(), tensorExports(), programExports(), settingExports(), scriptExports()})
      define(env, exports, *environment, list);
    check(env, napi_set_named_property(env, exports, "torchVersion", fromText(env, TORCH_VERSION)));
  } catch (...) {
    throwToJavaScript(env);
  }
  return exports;
}
