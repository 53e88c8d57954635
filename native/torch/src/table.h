// The tensors that JavaScript holds, by number.
#pragma once
#include "node.h"

#include <ATen/core/Tensor.h>

#include <unordered_map>

namespace keras {

// A slot is a place in the table together with a generation that changes at each reuse, so that a freed number is
// noticed. Tables of other threads begin with other generations. Used from the table's own JavaScript thread only.
class Table {
 public:
  Table(napi_env env, uint32_t firstGeneration) : env_(env), firstGeneration_(firstGeneration) {}

  // Slot of a tensor; 0 for an undefined one.
  uint32_t add(at::Tensor tensor);
  // Throws unless the slot is in use.
  const at::Tensor& get(int64_t slot) const { return entries_[placeOf(slot)].tensor; }
  void free(int64_t slot);

  size_t live() const { return live_; }
  int64_t bytes() const { return bytes_; }

 private:
  struct Entry {
    at::Tensor tensor;
    uint32_t generation;
    uint32_t smallBytes;
  };

  uint32_t placeOf(int64_t slot) const;
  void count(int64_t bytes);

  napi_env env_;
  uint32_t firstGeneration_;
  std::vector<Entry> entries_;
  std::vector<uint32_t> free_;
  size_t live_ = 0;
  int64_t bytes_ = 0;
  int64_t reported_ = 0;
  std::unordered_map<const void*, uint32_t> storages_;
};

}  // namespace keras
