// Data in and out, and what JavaScript may ask about a tensor.
#include "environment.h"
#include "own-op.h"
#include "recording.h"

#include <cstring>

namespace keras {

namespace {

struct Bytes {
  const void* data;
  size_t length;
};

size_t bytesPerElement(napi_typedarray_type type) {
  switch (type) {
    case napi_int8_array:
    case napi_uint8_array:
    case napi_uint8_clamped_array: return 1;
    case napi_int16_array:
    case napi_uint16_array: return 2;
    case napi_int32_array:
    case napi_uint32_array:
    case napi_float32_array: return 4;
    case napi_float64_array:
    case napi_bigint64_array:
    case napi_biguint64_array: return 8;
    default: throw Misuse("Data must be a typed array of a known kind.");
  }
}

Bytes bytesOf(napi_env env, napi_value value) {
  bool is = false;
  void* data = nullptr;
  size_t length = 0;
  check(env, napi_is_typedarray(env, value, &is));
  if (is) {
    napi_typedarray_type type;
    check(env, napi_get_typedarray_info(env, value, &type, &length, &data, nullptr, nullptr));
    return {data, length * bytesPerElement(type)};
  }
  check(env, napi_is_dataview(env, value, &is));
  if (!is) throw Misuse("Data must be a typed array or a DataView.");
  check(env, napi_get_dataview_info(env, value, &length, &data, nullptr, nullptr));
  return {data, length};
}

c10::ScalarType scalarType(Call& call, napi_value value) {
  int64_t number = integer(call.env, value, "A scalar type");
  if (number < 0 || number >= static_cast<int64_t>(c10::ScalarType::Undefined))
    throw Misuse("There is no scalar type " + std::to_string(number) + ".");
  auto type = static_cast<c10::ScalarType>(number);
  if (c10::isQIntType(type)) throw Misuse("Quantized tensors cannot be made from data.");
  return type;
}

// Number of bytes; throws for sizes that are negative or too large.
size_t byteCount(const std::vector<int64_t>& shape, size_t elementSize) {
  size_t bytes = elementSize;
  for (int64_t size : shape) {
    if (size < 0) throw Misuse("A shape must not have negative sizes.");
    if (size == 0) return 0;
    if (bytes > (size_t{1} << 53) / static_cast<size_t>(size)) throw Misuse("A shape has too many elements.");
    bytes *= static_cast<size_t>(size);
  }
  return bytes;
}

napi_value slotOf(Call& call, at::Tensor tensor) {
  napi_value result;
  check(call.env, napi_create_uint32(call.env, call.environment->tensors.add(std::move(tensor)), &result));
  return result;
}

const at::Tensor& tensorOf(Call& call) {
  return call.environment->tensors.get(integer(call.env, call[0], "A slot"));
}

napi_value fromHost(Call& call) {
  Bytes bytes = bytesOf(call.env, call[0]);
  std::vector<int64_t> shape = integers(call.env, call[1], "A shape");
  c10::ScalarType type = scalarType(call, call[2]);
  c10::Device device(typeOf(call.env, call[3]) == napi_undefined ? "cpu" : text(call.env, call[3], "A device"));
  size_t needed = byteCount(shape, c10::elementSize(type));
  if (needed != bytes.length)
    throw Misuse("The shape needs " + std::to_string(needed) + " bytes. Received: " + std::to_string(bytes.length) + ".");
  NoRecording guard;
  at::Tensor tensor = emptyOf(shape, type);
  if (needed > 0) std::memcpy(tensor.data_ptr(), bytes.data, needed);
  return slotOf(call, device.is_cpu() ? std::move(tensor) : tensor.to(device));
}

napi_value toHost(Call& call) {
  NoRecording guard;
  at::Tensor tensor = tensorOf(call);
  // Each op costs about as much as all the rest of reading a scalar, which happens after each step of training.
  bool plain = tensor.is_cpu() && !tensor.is_conj() && !tensor.is_neg() && tensor.is_contiguous();
  if (!plain) tensor = tensor.detach().to(at::kCPU).resolve_conj().resolve_neg().contiguous();
  size_t bytes = static_cast<size_t>(tensor.numel()) * tensor.element_size();
  void* data = nullptr;
  napi_value result;
  check(call.env, napi_create_arraybuffer(call.env, bytes, &data, &result));
  if (bytes > 0) std::memcpy(data, tensor.data_ptr(), bytes);
  return result;
}

napi_value item(Call& call) {
  NoRecording guard;
  const at::Tensor& tensor = tensorOf(call);
  if (tensor.numel() != 1)
    throw Misuse("A tensor must have one element to be read as a number. Received: " + std::to_string(tensor.numel()) + ".");
  // What is read after each step of training, without the ops that libtorch would run for it.
  bool plain = tensor.is_cpu() && tensor.has_storage() && tensor.scalar_type() == at::kFloat && !tensor.is_neg();
  return fromNumber(call.env, plain ? static_cast<double>(*tensor.data_ptr<float>()) : tensor.item().toDouble());
}

napi_value shapeOf(Call& call) {
  auto sizes = tensorOf(call).sizes();
  return fromIntegers(call.env, sizes.data(), sizes.size());
}

napi_value scalarTypeOf(Call& call) {
  return fromNumber(call.env, static_cast<double>(static_cast<int>(tensorOf(call).scalar_type())));
}

napi_value deviceOf(Call& call) { return fromText(call.env, tensorOf(call).device().str()); }

napi_value share(Call& call) { return slotOf(call, tensorOf(call)); }

napi_value freeSlot(Call& call) {
  call.environment->tensors.free(integer(call.env, call[0], "A slot"));
  return undefined(call.env);
}

napi_value liveTensors(Call& call) {
  return fromNumber(call.env, static_cast<double>(call.environment->tensors.live()));
}

napi_value nativeBytes(Call& call) {
  return fromNumber(call.env, static_cast<double>(call.environment->tensors.bytes()));
}

}  // namespace

std::vector<Export> tensorExports() {
  return {{"fromHost", guarded<fromHost>},         {"toHost", guarded<toHost>},
          {"item", guarded<item>},                 {"shapeOf", guarded<shapeOf>},
          {"scalarTypeOf", guarded<scalarTypeOf>}, {"deviceOf", guarded<deviceOf>},
          {"share", guarded<share>},               {"free", guarded<freeSlot>},
          {"liveTensors", guarded<liveTensors>},   {"nativeBytes", guarded<nativeBytes>}};
}

}  // namespace keras
