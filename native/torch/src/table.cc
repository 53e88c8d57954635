#include "table.h"

namespace keras {

namespace {

// 2 million places and 1024 generations: 31 bits, which V8 keeps without an allocation.
constexpr uint32_t placeBits = 21;
constexpr uint32_t placeMask = (1u << placeBits) - 1;
constexpr uint32_t generationMask = (1u << 10) - 1;

// Storages below this are counted once a slot, without a look at who shares them.
constexpr size_t smallStorage = 4096;
// V8 is told of changes in steps, because telling costs more than a small op.
constexpr int64_t reportStep = 1 << 20;

}  // namespace

uint32_t Table::add(at::Tensor tensor) {
  if (!tensor.defined()) return 0;
  uint32_t place;
  if (free_.empty()) {
    place = static_cast<uint32_t>(entries_.size()) + 1;
    if (place > placeMask) throw std::runtime_error("More than 2,097,151 tensors are alive: some are never freed.");
    entries_.push_back({at::Tensor(), firstGeneration_, 0});
  } else {
    place = free_.back();
    free_.pop_back();
  }
  Entry& entry = entries_[place - 1];
  entry.smallBytes = 0;
  if (tensor.has_storage()) {
    const c10::Storage& storage = tensor.storage();
    size_t bytes = storage.nbytes();
    if (bytes < smallStorage) {
      entry.smallBytes = static_cast<uint32_t>(bytes);
      count(static_cast<int64_t>(bytes));
    } else if (storages_[storage.unsafeGetStorageImpl()]++ == 0) {
      count(static_cast<int64_t>(bytes));
    }
  }
  entry.tensor = std::move(tensor);
  live_++;
  return (entry.generation << placeBits) | place;
}

uint32_t Table::placeOf(int64_t slot) const {
  uint32_t place = static_cast<uint32_t>(slot) & placeMask;
  if (slot > 0 && slot < (int64_t{1} << 31) && place > 0 && place <= entries_.size()) {
    const Entry& entry = entries_[place - 1];
    if (entry.generation == static_cast<uint32_t>(slot) >> placeBits && entry.tensor.defined()) return place - 1;
  }
  throw Misuse("There is no tensor " + std::to_string(slot) + ": it was freed, or belongs to another thread.");
}

void Table::free(int64_t slot) {
  uint32_t index = placeOf(slot);
  Entry& entry = entries_[index];
  if (entry.smallBytes > 0) {
    count(-static_cast<int64_t>(entry.smallBytes));
  } else if (entry.tensor.has_storage()) {
    const c10::Storage& storage = entry.tensor.storage();
    auto found = storages_.find(storage.unsafeGetStorageImpl());
    if (found != storages_.end() && --found->second == 0) {
      storages_.erase(found);
      count(-static_cast<int64_t>(storage.nbytes()));
    }
  }
  entry.tensor.reset();
  entry.generation = (entry.generation + 1) & generationMask;
  free_.push_back(index + 1);
  live_--;
}

void Table::count(int64_t bytes) {
  bytes_ += bytes;
  if (bytes_ - reported_ < reportStep && reported_ - bytes_ < reportStep) return;
  int64_t ignored;
  napi_adjust_external_memory(env_, bytes_ - reported_, &ignored);
  reported_ = bytes_;
}

}  // namespace keras
