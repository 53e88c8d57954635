#include "executor.h"

#include <ATen/Parallel.h>

namespace keras {

namespace {

// Calls `stop` of an executor; for the event "exit" of the process.
napi_value onExitEvent(napi_env env, napi_callback_info info) {
  void* executor = nullptr;
  napi_get_cb_info(env, info, nullptr, nullptr, nullptr, &executor);
  static_cast<Executor*>(executor)->stop();
  return nullptr;
}

// process.exit() ends the main thread without calling its cleanup hooks: libtorch would be torn down under a running op.
void stopAtExit(napi_env env, Executor* executor) {
  napi_value global, process, on, stop, name = fromText(env, "exit");
  check(env, napi_create_function(env, "stop", NAPI_AUTO_LENGTH, onExitEvent, executor, &stop));
  napi_value arguments[] = {name, stop};
  bool done = napi_get_global(env, &global) == napi_ok &&
              napi_get_named_property(env, global, "process", &process) == napi_ok &&
              napi_get_named_property(env, process, "once", &on) == napi_ok &&
              napi_call_function(env, process, on, 2, arguments, nullptr) == napi_ok;
  // A program that has replaced `process` does without.
  napi_value ignored;
  if (!done) napi_get_and_clear_last_exception(env, &ignored);
}

}  // namespace

Executor::Executor(Environment& environment) : environment_(environment) {
  napi_env env = environment.env;
  napi_value name = fromText(env, "keras torch");
  check(env, napi_create_threadsafe_function(env, nullptr, nullptr, name, 0, 1, nullptr, nullptr, this, onDone, &done_));
  check(env, napi_unref_threadsafe_function(env, done_));
  // Added after the function above, and so called before Node closes that.
  check(env, napi_add_env_cleanup_hook(env, onCleanup, this));
  stopAtExit(env, this);
  thread_ = std::thread([this] { work(); });
}

Executor::~Executor() { stop(); }

void Executor::onCleanup(void* executor) { static_cast<Executor*>(executor)->stop(); }

void Executor::stop() {
  if (!thread_.joinable()) return;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  thread_.join();
  queue_.clear();
}

napi_value Executor::submit(std::shared_ptr<const Program> program, std::vector<at::Tensor> inputs) {
  napi_env env = environment_.env;
  if (stopping_) throw std::runtime_error("This thread is ending.");
  auto task = std::make_unique<Task>();
  task->program = std::move(program);
  task->inputs = std::move(inputs);
  napi_value promise;
  check(env, napi_create_promise(env, &task->deferred, &promise));
  if (pending_++ == 0) check(env, napi_ref_threadsafe_function(env, done_));
  {
    std::lock_guard<std::mutex> lock(mutex_);
    queue_.push_back(std::move(task));
  }
  changed_.notify_one();
  return promise;
}

void Executor::work() {
  int threads = 0;
  for (;;) {
    std::unique_ptr<Task> task;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      changed_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
      if (stopping_) break;
      task = std::move(queue_.front());
      queue_.pop_front();
    }
    // OpenMP keeps this number per thread.
    if (threads != threadCount()) at::set_num_threads(threads = threadCount());
    try {
      task->outputs = execute(*task->program, std::move(task->inputs), &stopping_);
    } catch (...) {
      task->error = describeException();
      if (task->error.empty()) task->error = "The run failed.";
    }
    if (napi_call_threadsafe_function(done_, task.get(), napi_tsfn_nonblocking) != napi_ok) break;
    task.release();
  }
  napi_release_threadsafe_function(done_, napi_tsfn_release);
}

void Executor::onDone(napi_env env, napi_value, void* context, void* data) {
  std::unique_ptr<Task> task(static_cast<Task*>(data));
  // Without an environment Node is closing, and only the data is to be freed.
  if (env != nullptr) static_cast<Executor*>(context)->settle(env, std::move(task));
}

void Executor::settle(napi_env env, std::unique_ptr<Task> task) {
  try {
    if (--pending_ == 0) check(env, napi_unref_threadsafe_function(env, done_));
    if (task->error.empty()) {
      check(env, napi_resolve_deferred(env, task->deferred, slotsOf(environment_, std::move(task->outputs))));
    } else {
      check(env, napi_reject_deferred(env, task->deferred, makeError(env, task->error)));
    }
  } catch (...) {
    throwToJavaScript(env);
  }
}

}  // namespace keras
