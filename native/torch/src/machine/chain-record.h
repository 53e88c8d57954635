// Values that stand for those of a chain while functions of chain-math.h are written down for it.
#pragma once
#include <cstdint>

#include "loops/chain-math.h"
#include "loops/chain-loops.h"

namespace keras {

// Takes down steps; values go by numbers.
class ChainRecorder {
 public:
  virtual int record(ChainOp op, int a, int b, int c) = 0;
  virtual int constant(int32_t word) = 0;

 protected:
  ~ChainRecorder() = default;
};

// A float, integer or bool: a value of the recorder, or a number that becomes one where it meets such a value.
struct Recorded {
  ChainRecorder* recorder = nullptr;
  int value = 0;
  int32_t word = 0;

  int in(ChainRecorder& to) const { return recorder ? value : to.constant(word); }
};
inline Recorded recorded(ChainOp op, const Recorded& a, const Recorded& b, const Recorded& c) {
  ChainRecorder& to = *(a.recorder ? a : b.recorder ? b : c).recorder;
  const int left = a.in(to), middle = b.in(to), right = c.in(to);
  return {&to, to.record(op, left, middle, right), 0};
}
inline Recorded recorded(ChainOp op, const Recorded& a, const Recorded& b) { return recorded(op, a, b, a); }

struct RecordedBool : Recorded {
  explicit RecordedBool(const Recorded& value) : Recorded(value) {}
  friend RecordedBool operator&(const RecordedBool& a, const RecordedBool& b) {
    return RecordedBool(recorded(ChainOp::And, a, b));
  }
};

struct RecordedInt : Recorded {
  RecordedInt(int32_t number) : Recorded{nullptr, 0, number} {}
  explicit RecordedInt(const Recorded& value) : Recorded(value) {}
  friend RecordedInt operator+(const RecordedInt& a, const RecordedInt& b) { return of(ChainOp::IntAdd, a, b); }
  friend RecordedInt operator-(const RecordedInt& a, const RecordedInt& b) { return of(ChainOp::IntSubtract, a, b); }
  friend RecordedInt operator&(const RecordedInt& a, const RecordedInt& b) { return of(ChainOp::And, a, b); }
  friend RecordedInt operator|(const RecordedInt& a, const RecordedInt& b) { return of(ChainOp::Or, a, b); }
  friend RecordedInt operator<<(const RecordedInt& a, int count) { return of(ChainOp::ShiftLeft, a, count); }
  friend RecordedInt operator>>(const RecordedInt& a, int count) { return of(ChainOp::ShiftRight, a, count); }

 private:
  static RecordedInt of(ChainOp op, const RecordedInt& a, const RecordedInt& b) {
    return RecordedInt(recorded(op, a, b));
  }
};

struct RecordedFloat : Recorded {
  RecordedFloat(float number) : Recorded{nullptr, 0, bitsOfFloat(number)} {}
  explicit RecordedFloat(const Recorded& value) : Recorded(value) {}
  friend RecordedFloat operator+(const RecordedFloat& a, const RecordedFloat& b) { return of(ChainOp::Add, a, b); }
  friend RecordedFloat operator-(const RecordedFloat& a, const RecordedFloat& b) { return of(ChainOp::Subtract, a, b); }
  friend RecordedFloat operator*(const RecordedFloat& a, const RecordedFloat& b) { return of(ChainOp::Multiply, a, b); }
  friend RecordedFloat operator/(const RecordedFloat& a, const RecordedFloat& b) { return of(ChainOp::Divide, a, b); }
  friend RecordedFloat operator-(const RecordedFloat& a) { return of(ChainOp::Negative, a, a); }
  friend RecordedBool operator<(const RecordedFloat& a, const RecordedFloat& b) { return test(ChainOp::Less, a, b); }
  friend RecordedBool operator>(const RecordedFloat& a, const RecordedFloat& b) { return test(ChainOp::Less, b, a); }
  friend RecordedBool operator==(const RecordedFloat& a, const RecordedFloat& b) { return test(ChainOp::Equal, a, b); }
  friend RecordedFloat sizeOf(const RecordedFloat& value) { return of(ChainOp::Abs, value, value); }
  friend RecordedFloat withSign(const RecordedFloat& value, const RecordedFloat& sign) {
    const RecordedInt bits = RecordedInt(sign) & INT32_MIN;
    return RecordedFloat(RecordedInt(sizeOf(value)) | bits);
  }
  friend RecordedInt bitsOfFloat(const RecordedFloat& value) { return RecordedInt(static_cast<const Recorded&>(value)); }

 private:
  static RecordedFloat of(ChainOp op, const RecordedFloat& a, const RecordedFloat& b) {
    return RecordedFloat(recorded(op, a, b));
  }
  static RecordedBool test(ChainOp op, const RecordedFloat& a, const RecordedFloat& b) {
    return RecordedBool(recorded(op, a, b));
  }
};
inline RecordedFloat floatOfBits(const RecordedInt& bits) { return RecordedFloat(static_cast<const Recorded&>(bits)); }
inline RecordedFloat toFloat(const RecordedInt& value) {
  return RecordedFloat(recorded(ChainOp::FloatOfInt, value, value));
}
inline RecordedFloat choose(const RecordedBool& test, const RecordedFloat& yes, const RecordedFloat& no) {
  return RecordedFloat(recorded(ChainOp::Select, test, yes, no));
}
inline RecordedFloat choose(const RecordedBool& test, float yes, float no) {
  return choose(test, RecordedFloat(yes), RecordedFloat(no));
}
inline RecordedInt choose(const RecordedBool& test, int32_t yes, int32_t no) {
  return RecordedInt(recorded(ChainOp::Select, test, RecordedInt(yes), RecordedInt(no)));
}

}  // namespace keras
