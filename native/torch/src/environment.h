// What belongs to one JavaScript thread.
#pragma once
#include "table.h"

#include <memory>

namespace keras {

class Executor;
struct Program;
struct ScriptRecord;

struct Environment {
  Environment(napi_env env, uint32_t number);
  ~Environment();

  napi_env env;
  Table tensors;
  // A number is never used twice.
  std::unordered_map<int64_t, std::shared_ptr<const Program>> programs;
  int64_t nextProgram = 1;
  // Recorded runs of TorchScript modules, numbered likewise.
  std::unordered_map<int64_t, std::shared_ptr<ScriptRecord>> records;
  // Made by the first asynchronous run.
  std::unique_ptr<Executor> executor;
};

// The functions of each file that has some.
std::vector<Export> opExports();
std::vector<Export> tensorExports();
std::vector<Export> programExports();
std::vector<Export> settingExports();
std::vector<Export> scriptExports();

// Slots of new tensors, as an array.
napi_value slotsOf(Environment& environment, std::vector<at::Tensor> tensors);

// Settings of the process, made once at load.
void applySettings();
// Number of threads that an op may use.
int threadCount();

}  // namespace keras
