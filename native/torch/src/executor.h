// The thread on which a JavaScript thread's asynchronous runs happen, one after the other.
#pragma once
#include "environment.h"
#include "program.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace keras {

// One thread and not libuv's pool: each thread that computes brings its own team of OpenMP threads along, and teams
// would fight for the processor. While runs are under way the event loop stays alive; without any it may end.
class Executor {
 public:
  explicit Executor(Environment& environment);
  ~Executor();

  // Waits for the op that is running, drops the rest, and takes nothing more.
  void stop();
  // A promise of the outputs' slots.
  napi_value submit(std::shared_ptr<const Program> program, std::vector<at::Tensor> inputs);

 private:
  struct Task {
    std::shared_ptr<const Program> program;
    std::vector<at::Tensor> inputs;
    std::vector<at::Tensor> outputs;
    std::string error;
    napi_deferred deferred;
  };

  void work();
  void settle(napi_env env, std::unique_ptr<Task> task);
  static void onDone(napi_env env, napi_value function, void* context, void* data);
  static void onCleanup(void* executor);

  Environment& environment_;
  napi_threadsafe_function done_ = nullptr;
  size_t pending_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::unique_ptr<Task>> queue_;
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace keras
