// Interpreter of fused elementwise chains. A chain runs over its output elements in blocks that stay in the L1 cache; each instruction is one
// vector loop over a block. The encoding is described in src/backend/numpy/wasm/chain.ts, which writes it.
import { execute } from "./chain-ops";
import { roundUp } from "./simd";

const BLOCK: i32 = 512;
const BLOCK_BYTES: usize = 2048;
const HEADER: usize = 64;
const OPERAND: usize = 64;
const OUTPUT: usize = 16;
const INSTRUCTION: usize = 20;

// Access kinds of an operand.
const FULL: i32 = 0;
const IMMEDIATE: i32 = 1;
const SCALAR: i32 = 2;
const PERIODIC: i32 = 3;
const STRIDED: i32 = 4;

// Storage of an operand's elements.
const WORD: i32 = 0;
const U8: i32 = 1;
const I8: i32 = 2;
const U16: i32 = 3;
const I16: i32 = 4;
const BOOL: i32 = 5;

// @ts-ignore: decorator
@inline function elementShift(elem: i32): usize {
  return elem == WORD ? 2 : elem == U16 || elem == I16 ? 1 : 0;
}

// @ts-ignore: decorator
@inline function loadElement(p: usize, elem: i32): i32 {
  switch (elem) {
    case U8:
      return <i32>load<u8>(p);
    case I8:
      return <i32>load<i8>(p);
    case U16:
      return <i32>load<u16>(p);
    case I16:
      return <i32>load<i16>(p);
    case BOOL:
      return load<u8>(p) ? -1 : 0;
    default:
      return load<i32>(p);
  }
}

/** Fills `n` words (rounded up to 16) with one value. */
function splat(dst: usize, value: i32, n: i32): void {
  const v = i32x4.splat(value);
  const end = dst + (<usize>roundUp(n, 16) << 2);
  while (dst < end) {
    v128.store(dst, v);
    dst += 16;
  }
}

/** Widens `n` adjacent narrow elements to words; reads and writes up to 15 elements past the end. */
function widen(src: usize, elem: i32, n: i32, dst: usize): void {
  for (let i = 0; i < n; i += 8) {
    let a: v128;
    let b: v128;
    if (elem == U16 || elem == I16) {
      const x = v128.load(src);
      src += 16;
      if (elem == U16) {
        a = i32x4.extend_low_i16x8_u(x);
        b = i32x4.extend_high_i16x8_u(x);
      } else {
        a = i32x4.extend_low_i16x8_s(x);
        b = i32x4.extend_high_i16x8_s(x);
      }
    } else {
      let x = v128.load64_zero(src);
      src += 8;
      if (elem == BOOL) x = i8x16.ne(x, i8x16.splat(0));
      if (elem == U8) {
        x = i16x8.extend_low_i8x16_u(x);
        a = i32x4.extend_low_i16x8_u(x);
        b = i32x4.extend_high_i16x8_u(x);
      } else {
        x = i16x8.extend_low_i8x16_s(x);
        a = i32x4.extend_low_i16x8_s(x);
        b = i32x4.extend_high_i16x8_s(x);
      }
    }
    v128.store(dst, a);
    v128.store(dst, b, 16);
    dst += 32;
  }
}

/** `n` elements `stride` bytes apart to adjacent words; may write up to 15 words past the end. */
function fillRun(src: usize, elem: i32, stride: usize, n: i32, dst: usize): void {
  if (stride == 0) {
    const v = i32x4.splat(loadElement(src, elem));
    const end = dst + (<usize>n << 2);
    while (dst < end) {
      v128.store(dst, v);
      dst += 16;
    }
  } else if (stride == <usize>1 << elementShift(elem)) {
    if (elem == WORD) {
      const end = dst + (<usize>n << 2);
      while (dst < end) {
        v128.store(dst, v128.load(src));
        dst += 16;
        src += 16;
      }
    } else widen(src, elem, n, dst);
  } else {
    for (let i = 0; i < n; i++) {
      store<i32>(dst, loadElement(src, elem));
      src += stride;
      dst += 4;
    }
  }
}

/** Sets the counters of a strided operand (six coordinates, then the current pointer) to output element `at`. */
function seek(entry: usize, state: usize, at: i32): void {
  const shift = elementShift(load<i32>(entry, 4));
  let p = load<i32>(entry, 8);
  for (let d = load<i32>(entry, 12) - 1; d >= 0; d--) {
    const slot = <usize>d << 2;
    const dim = load<i32>(entry + slot, 16);
    const x = d > 0 ? at % dim : at;
    at /= dim;
    store<i32>(state + slot, x);
    p += (x * load<i32>(entry + slot, 40)) << <i32>shift;
  }
  store<i32>(state, p, 24);
}

/** Gathers the next `n` elements of a strided operand and moves its counters on. */
function gather(entry: usize, state: usize, n: i32, dst: usize): void {
  const elem = load<i32>(entry, 4);
  const shift = <i32>elementShift(elem);
  const last = load<i32>(entry, 12) - 1;
  const slot = <usize>last << 2;
  const dim = load<i32>(entry + slot, 16);
  const stride = load<i32>(entry + slot, 40) << shift;
  let p = load<i32>(state, 24);
  let x = load<i32>(state + slot);
  while (n > 0) {
    const run = last > 0 ? min(n, dim - x) : n;
    fillRun(<usize>p, elem, <usize>stride, run, dst);
    dst += <usize>run << 2;
    n -= run;
    x += run;
    p += run * stride;
    if (x == dim && last > 0) {
      p -= dim * stride;
      x = 0;
      for (let d = last - 1; d >= 0; d--) {
        const s = <usize>d << 2;
        const step = load<i32>(entry + s, 40) << shift;
        const y = load<i32>(state + s) + 1;
        p += step;
        if (d > 0 && y == load<i32>(entry + s, 16)) {
          p -= y * step;
          store<i32>(state + s, 0);
        } else {
          store<i32>(state + s, y);
          break;
        }
      }
    }
  }
  store<i32>(state + slot, x);
  store<i32>(state, p, 24);
}

/** Runs the chain at `code` for the output elements [start, end). `ws` is workspace of the size the code's builder computed. */
export function runChain(code: usize, start: i32, end: i32, ws: usize): void {
  const operands = load<i32>(code);
  const outputs = load<i32>(code, 8);
  const registers = load<i32>(code, 12);
  const outputTable = code + HEADER + <usize>operands * OPERAND;
  const program = outputTable + <usize>outputs * OUTPUT;
  const programEnd = program + <usize>load<i32>(code, 4) * INSTRUCTION;
  const slots = ws;
  const slotCount = operands + registers + outputs;
  const origins = ws + (<usize>slotCount << 2);
  const firstBlock = min(BLOCK, end - start);

  let buffer = ws + <usize>roundUp((slotCount + operands) * 4, 64);
  for (let i = 0; i < operands; i++) {
    const entry = code + HEADER + <usize>i * OPERAND;
    const kind = load<i32>(entry);
    const elem = load<i32>(entry, 4);
    const base = <usize>load<i32>(entry, 8);
    if (kind == FULL && elem == WORD) continue;
    store<usize>(slots + (<usize>i << 2), buffer);
    store<usize>(origins + (<usize>i << 2), buffer);
    if (kind == IMMEDIATE) splat(buffer, <i32>base, firstBlock);
    else if (kind == SCALAR) splat(buffer, loadElement(base, elem), firstBlock);
    else if (kind == PERIODIC) {
      const period = load<i32>(entry, 16);
      const size = <usize>1 << elementShift(elem);
      let at = 0;
      for (let j = 0; j < period + firstBlock; j++) {
        store<i32>(buffer + (<usize>j << 2), loadElement(base + <usize>at * size, elem));
        at = at + 1 == period ? 0 : at + 1;
      }
      buffer += BLOCK_BYTES;
    } else if (kind == STRIDED) {
      // The counters live behind the block.
      seek(entry, buffer + BLOCK_BYTES + 64, start);
      buffer += 64;
    }
    buffer += BLOCK_BYTES + 64;
  }
  for (let i = 0; i < registers; i++) {
    store<usize>(slots + (<usize>(operands + i) << 2), buffer);
    buffer += BLOCK_BYTES;
  }

  for (let at = start; at < end; at += BLOCK) {
    const n = min(BLOCK, end - at);
    const padded = roundUp(n, 16);
    for (let i = 0; i < operands; i++) {
      const entry = code + HEADER + <usize>i * OPERAND;
      const kind = load<i32>(entry);
      const slot = slots + (<usize>i << 2);
      if (kind == FULL) {
        const elem = load<i32>(entry, 4);
        const p = <usize>load<i32>(entry, 8) + (<usize>at << elementShift(elem));
        if (elem == WORD) store<usize>(slot, p);
        else widen(p, elem, n, load<usize>(slot));
      } else if (kind == PERIODIC) {
        // The pattern is unrolled in memory past one block, so a phase is only another pointer.
        const phase = <usize>(at % load<i32>(entry, 16));
        store<usize>(slot, load<usize>(origins + (<usize>i << 2)) + (phase << 2));
      } else if (kind == STRIDED) {
        const block = load<usize>(slot);
        gather(entry, block + BLOCK_BYTES + 64, n, block);
      }
    }
    // A last, partial block is computed beside the output and copied, so nothing past the end is written.
    let spill = buffer;
    for (let i = 0; i < outputs; i++) {
      const entry = outputTable + <usize>i * OUTPUT;
      const whole = (n & 15) == 0;
      const p = <usize>load<i32>(entry) + <usize>at * <usize>load<i32>(entry, 4);
      store<usize>(slots + (<usize>(operands + registers + i) << 2), whole ? p : spill);
      spill += BLOCK_BYTES;
    }
    for (let pc = program; pc < programEnd; pc += INSTRUCTION) {
      execute(
        load<i32>(pc),
        load<usize>(slots + (load<usize>(pc, 4) << 2)),
        load<usize>(slots + (load<usize>(pc, 8) << 2)),
        load<usize>(slots + (load<usize>(pc, 12) << 2)),
        load<usize>(slots + (load<usize>(pc, 16) << 2)),
        load<i32>(pc, 12),
        <usize>padded << 2,
      );
    }
    if (n & 15) {
      for (let i = 0; i < outputs; i++) {
        const entry = outputTable + <usize>i * OUTPUT;
        const size = <usize>load<i32>(entry, 4);
        const from = load<usize>(slots + (<usize>(operands + registers + i) << 2));
        memory.copy(<usize>load<i32>(entry) + <usize>at * size, from, <usize>n * size);
      }
    }
  }
}
