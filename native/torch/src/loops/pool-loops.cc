#include "loops/pool-loops.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3", "no-trapping-math")
#define KERAS_INDEPENDENT _Pragma("GCC ivdep")
#else
#define KERAS_INDEPENDENT
#endif

#include "targets.h"

namespace keras {

KERAS_CLONES void poolMaximum(const float* from, PoolWindow window, int64_t channels, float* to) {
  if (window.count == 0) {
    for (int64_t c = 0; c < channels; c++) to[c] = -__builtin_inff();
    return;
  }
  const float* first = from + window.offsets[0];
  KERAS_INDEPENDENT for (int64_t c = 0; c < channels; c++) to[c] = first[c];
  for (int64_t p = 1; p < window.count; p++) {
    const float* values = from + window.offsets[p];
    KERAS_INDEPENDENT for (int64_t c = 0; c < channels; c++) {
      const float v = values[c], most = to[c];
      to[c] = (v > most) | (v != v) ? v : most;
    }
  }
}

KERAS_CLONES void poolGradient(const float* from, PoolWindow window, int64_t channels, const float* g, float* to,
                               bool add) {
  float most[poolLanes];
  int32_t place[poolLanes];
  const float* first = from + window.offsets[0];
  KERAS_INDEPENDENT for (int64_t c = 0; c < channels; c++) {
    most[c] = first[c];
    place[c] = 0;
  }
  for (int64_t p = 1; p < window.count; p++) {
    const float* values = from + window.offsets[p];
    const int32_t here = static_cast<int32_t>(p);
    KERAS_INDEPENDENT for (int64_t c = 0; c < channels; c++) {
      const float v = values[c];
      const bool better = (v > most[c]) | (v != v);
      most[c] = better ? v : most[c];
      place[c] = better ? here : place[c];
    }
  }
  for (int64_t p = 0; p < window.count; p++) {
    float* result = to + window.offsets[p];
    const int32_t here = static_cast<int32_t>(p);
    if (add) {
      KERAS_INDEPENDENT for (int64_t c = 0; c < channels; c++) result[c] += place[c] == here ? g[c] : 0.f;
    } else {
      KERAS_INDEPENDENT for (int64_t c = 0; c < channels; c++) result[c] = place[c] == here ? g[c] : 0.f;
    }
  }
}

}  // namespace keras
