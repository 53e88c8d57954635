// Mistakes, for files that know neither Node nor libtorch.
#pragma once
#include <stdexcept>
#include <string>

namespace keras {

// A mistake of the caller; becomes a TypeError. Every other exception becomes an Error.
struct Misuse : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void require(bool holds, const char* message) {
  if (!holds) throw Misuse(message);
}

}  // namespace keras
