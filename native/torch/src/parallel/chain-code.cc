// Reads the code of chains. It comes from this package's own compiler, but a mistake there must not end the process.
#include "parallel/chain.h"

#include <mutex>
#include <unordered_map>

#include "errors.h"

namespace keras {

namespace {

constexpr int64_t mostAxes = 16;
constexpr int64_t mostElements = int64_t{1} << 46;

[[noreturn]] void wrong(const char* what, int64_t value) {
  throw Misuse(std::string("keras::chain: wrong ") + what + ": " + std::to_string(value));
}

class Reader {
 public:
  explicit Reader(const std::vector<int64_t>& code) : code_(code) {}

  int64_t next() {
    require(at_ < code_.size(), "keras::chain: the code ends too early");
    return code_[at_++];
  }
  // A number from 0 up to, and without, `end`.
  int64_t below(int64_t end, const char* what) {
    int64_t value = next();
    if (value < 0 || value >= end) wrong(what, value);
    return value;
  }
  // A count of things that take at least one number each.
  int64_t count() { return below(static_cast<int64_t>(code_.size() - at_) + 1, "count"); }
  bool done() const { return at_ == code_.size(); }

 private:
  const std::vector<int64_t>& code_;
  size_t at_ = 0;
};

std::vector<int64_t> readSizes(Reader& reader) {
  std::vector<int64_t> sizes(reader.below(mostAxes + 1, "rank"));
  int64_t total = 1;
  for (int64_t& size : sizes) {
    size = reader.below(mostElements, "size");
    total *= size;
    require(total < mostElements, "keras::chain: too many elements");
  }
  return sizes;
}

ChainType readType(Reader& reader) {
  const auto type = static_cast<ChainType>(reader.next());
  require(type == ChainType::Float || type == ChainType::Int || type == ChainType::Bool,
          "keras::chain: inputs and results are float32, int32 or bool");
  return type;
}

ChainInput readInput(Reader& reader, const Chain& chain) {
  ChainInput input;
  input.type = readType(reader);
  input.extent = chain.size == 0 ? 0 : 1;
  bool whole = true, single = true, row = true;
  int64_t expected = 1;
  input.strides.resize(chain.shape.size());
  for (int64_t& stride : input.strides) stride = reader.below(mostElements, "stride");
  for (size_t k = chain.shape.size(); k-- > 0;) {
    const int64_t size = chain.shape[k], stride = input.strides[k];
    if (size > 1) {
      input.extent += (size - 1) * stride;
      whole = whole && stride == expected;
      single = single && stride == 0;
      row = row && stride == (k + 1 == chain.shape.size() ? 1 : 0);
    }
    expected *= size;
  }
  input.access = single  ? ChainAccess::Single
                 : whole ? ChainAccess::Whole
                 : row   ? ChainAccess::Row
                         : ChainAccess::Strided;
  return input;
}

}  // namespace

Chain readChain(const std::vector<int64_t>& code) {
  Reader reader(code);
  Chain chain;
  chain.compiles = reader.below(2, "way") == 1;
  chain.shape = readSizes(reader);
  for (int64_t size : chain.shape) chain.size *= size;

  const int64_t inputCount = reader.count();
  for (int64_t i = 0; i < inputCount; i++) chain.inputs.push_back(readInput(reader, chain));
  chain.constants.resize(reader.count());
  for (int32_t& constant : chain.constants) constant = static_cast<int32_t>(reader.next());
  chain.registers = reader.below(1 << 16, "count of registers");

  const int64_t first = chain.firstRegister(), end = first + chain.registers;
  std::vector<bool> written(static_cast<size_t>(end), false);
  std::fill(written.begin(), written.begin() + first, true);
  auto operand = [&] {
    int64_t value = reader.below(end, "operand");
    if (!written[value]) wrong("operand, which is read before it is written", value);
    return static_cast<int32_t>(value);
  };
  chain.steps.resize(reader.count());
  for (ChainStep& step : chain.steps) {
    step.op = static_cast<ChainOp>(reader.next());
    const int operands = operandsOf(step.op);
    require(operands > 0, "keras::chain: no such op");
    const int64_t result = reader.next();
    if (result < first || result >= end) wrong("result", result);
    step.result = static_cast<int32_t>(result);
    step.a = operand();
    // Loops read two operands; those of one op read theirs twice.
    step.b = operands > 1 ? operand() : (reader.next(), step.a);
    step.c = operands > 2 ? operand() : (reader.next(), step.a);
    written[result] = true;
  }
  chain.results.resize(reader.count());
  for (ChainResult& result : chain.results) {
    result.store = static_cast<ChainStore>(reader.below(3, "store"));
    result.value = operand();
    result.type = readType(reader);
    require(result.store == ChainStore::Elements || result.type == ChainType::Float, "keras::chain: sums are float32");
    result.shape = readSizes(reader);
    int64_t size = 1;
    for (int64_t extent : result.shape) size *= extent;
    const int64_t expected = result.store == ChainStore::Elements  ? chain.size
                             : result.store == ChainStore::RowSums ? chain.width()
                                                                   : 1;
    if (size != expected) wrong("size of a result", size);
  }
  require(reader.done(), "keras::chain: more code than needed");
  prepare(chain);
  return chain;
}

namespace {

struct CodeHash {
  size_t operator()(const std::vector<int64_t>& code) const {
    uint64_t hash = code.size();
    for (int64_t number : code) hash = ((hash ^ static_cast<uint64_t>(number)) * 0x9e3779b97f4a7c15u) ^ (hash >> 29);
    return static_cast<size_t>(hash);
  }
};
// More than programs have at a time; what is dropped is read again.
constexpr size_t mostKnown = 4096;

}  // namespace

std::shared_ptr<const Chain> knownChain(const std::vector<int64_t>& code) {
  static std::mutex mutex;
  static auto& known = *new std::unordered_map<std::vector<int64_t>, std::shared_ptr<const Chain>, CodeHash>();
  std::lock_guard<std::mutex> lock(mutex);
  auto found = known.find(code);
  if (found != known.end()) return found->second;
  auto chain = std::make_shared<const Chain>(readChain(code));
  if (known.size() >= mostKnown) known.clear();
  known.emplace(code, chain);
  return chain;
}

}  // namespace keras
