#include "dispatch/ops.h"

#include <torch/csrc/jit/frontend/function_schema_parser.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace keras {

namespace {

const std::string ownPrefix = "keras::";

// All of them, of all files.
std::vector<OwnOp> ownOps() {
  std::vector<OwnOp> all;
  for (auto ops : {chainOps, convolutionOps, poolOps, productOps, randomOps, rowOps, scanOps, scriptOps})
    for (const OwnOp& op : ops()) all.push_back(op);
  return all;
}

// More than libtorch has ops; a fixed table can be read without a lock.
constexpr size_t mostOps = 1 << 13;

struct Registry {
  std::mutex mutex;
  std::unordered_map<std::string, int64_t> ids;
  std::unique_ptr<Op> ops[mostOps];
  std::atomic<size_t> count{0};
};

// Never destroyed: other threads may still run ops while the process ends.
Registry& registry() {
  static Registry* instance = new Registry();
  return *instance;
}

std::string fullName(const std::string& name, const std::string& overload) {
  return overload.empty() ? name : name + "." + overload;
}

Kind kindOfElement(const c10::TypePtr& type) {
  c10::TypePtr element = type->castRaw<c10::ListType>()->getElementType();
  switch (element->kind()) {
    case c10::TypeKind::TensorType: return Kind::Tensors;
    case c10::TypeKind::OptionalType:
      return element->castRaw<c10::OptionalType>()->getElementType()->kind() == c10::TypeKind::TensorType
                 ? Kind::OptionalTensors
                 : Kind::Unsupported;
    case c10::TypeKind::IntType:
    case c10::TypeKind::SymIntType: return Kind::Ints;
    case c10::TypeKind::FloatType: return Kind::Floats;
    case c10::TypeKind::BoolType: return Kind::Bools;
    case c10::TypeKind::NumberType: return Kind::Scalars;
    default: return Kind::Unsupported;
  }
}

Kind kindOf(const c10::TypePtr& type) {
  switch (type->kind()) {
    case c10::TypeKind::TensorType: return Kind::Tensor;
    case c10::TypeKind::IntType:
    case c10::TypeKind::SymIntType: return Kind::Int;
    case c10::TypeKind::FloatType: return Kind::Float;
    case c10::TypeKind::BoolType: return Kind::Bool;
    case c10::TypeKind::NumberType: return Kind::Scalar;
    case c10::TypeKind::StringType: return Kind::String;
    case c10::TypeKind::ScalarTypeType: return Kind::ScalarType;
    case c10::TypeKind::LayoutType: return Kind::Layout;
    case c10::TypeKind::MemoryFormatType: return Kind::MemoryFormat;
    case c10::TypeKind::DeviceObjType: return Kind::Device;
    case c10::TypeKind::GeneratorType: return Kind::Generator;
    case c10::TypeKind::ListType: return kindOfElement(type);
    default: return Kind::Unsupported;
  }
}

int32_t countTensors(const c10::FunctionSchema& schema) {
  for (const c10::Argument& result : schema.returns())
    if (result.type()->kind() != c10::TypeKind::TensorType) return -1;
  return static_cast<int32_t>(schema.returns().size());
}

// The op of ours with that name; null if there is none.
const OwnOp* findOwn(const std::string& name, const std::string& overload) {
  static const std::vector<OwnOp>& ours = *new std::vector<OwnOp>(ownOps());
  if (name.compare(0, ownPrefix.size(), ownPrefix) != 0 || !overload.empty()) return nullptr;
  for (const OwnOp& op : ours) {
    const size_t length = std::strcspn(op.schema, "(");
    if (name.compare(ownPrefix.size(), std::string::npos, op.schema, length) == 0) return &op;
  }
  return nullptr;
}

// Without name and arguments; null if there is no such op.
std::unique_ptr<Op> makeOp(const std::string& name, const std::string& overload) {
  if (const OwnOp* own = findOwn(name, overload))
    return std::make_unique<Op>(Op{{}, std::nullopt, own->run, torch::jit::parseSchema(ownPrefix + own->schema), {}, 0});
  auto handle = c10::Dispatcher::singleton().findSchema({name, overload});
  if (!handle.has_value()) return nullptr;
  return std::make_unique<Op>(Op{{}, *handle, nullptr, handle->schema(), {}, 0});
}

}  // namespace

Argument describe(const c10::Argument& source) {
  // The "real" type tells a ScalarType from the integer that it travels as.
  c10::TypePtr type = source.real_type();
  bool optional = type->kind() == c10::TypeKind::OptionalType;
  if (optional) type = type->castRaw<c10::OptionalType>()->getElementType();
  Argument argument{source.name(), kindOf(type), optional, source.default_value().has_value(), c10::IValue(),
                    source.N().has_value() ? *source.N() : 0};
  if (argument.hasDefault) argument.value = *source.default_value();
  else argument.hasDefault = optional;
  return argument;
}

int64_t findOp(const std::string& name, const std::string& overload) {
  Registry& known = registry();
  std::string full = fullName(name, overload);
  std::lock_guard<std::mutex> lock(known.mutex);
  auto found = known.ids.find(full);
  if (found != known.ids.end()) return found->second;
  std::unique_ptr<Op> op = makeOp(name, overload);
  if (!op) throw std::runtime_error("This libtorch has no op \"" + full + "\".");
  op->name = full;
  op->tensorResults = countTensors(op->schema);
  for (const c10::Argument& argument : op->schema.arguments()) op->arguments.push_back(describe(argument));
  size_t id = known.count.load();
  if (id == mostOps) throw std::runtime_error("Too many different ops.");
  known.ops[id] = std::move(op);
  known.count.store(id + 1, std::memory_order_release);
  known.ids[full] = static_cast<int64_t>(id);
  return static_cast<int64_t>(id);
}

bool hasOp(const std::string& name, const std::string& overload) {
  return findOwn(name, overload) != nullptr || c10::Dispatcher::singleton().findSchema({name, overload}).has_value();
}

const Op& opAt(int64_t id) {
  Registry& known = registry();
  if (id < 0 || static_cast<uint64_t>(id) >= known.count.load(std::memory_order_acquire))
    throw Misuse("There is no op " + std::to_string(id) + ": ids come from opId.");
  return *known.ops[id];
}

const char* nameOf(Kind kind) {
  static const char* const names[] = {"Tensor",   "Tensor[]", "Tensor?[]", "int",    "float",        "bool",
                                      "Scalar",   "int[]",    "float[]",   "bool[]", "Scalar[]",     "str",
                                      "ScalarType", "Layout", "MemoryFormat", "Device", "Generator", "unsupported"};
  return names[static_cast<int>(kind)];
}

}  // namespace keras
