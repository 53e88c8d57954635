// Keeps gradients of libtorch's own out: nothing is recorded, and results are ordinary tensors.
#pragma once
#include <c10/core/GradMode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

namespace keras {

class NoRecording {
 private:
  c10::AutoGradMode off_{false};
  c10::impl::ExcludeDispatchKeyGuard below_{c10::autograd_dispatch_keyset_with_ADInplaceOrView};
};

}  // namespace keras
