import type { PCG64 } from "./pcg64.js";
import { layerAccept, layerHeight, layerWidth } from "./ziggurat-tables.js";

/** Where the tail of the normal density starts. */
const TAIL = 3.6541528853610087963519472518;

/** A standard normal number (ziggurat method; Marsaglia and Tsang, 2000), drawn from the generator as NumPy draws it. */
export function standardNormal(bits: PCG64): number {
  for (;;) {
    bits.next64();
    const layer = bits.low & 0xff;
    const negative = (bits.low & 0x100) !== 0;
    const position = (bits.high & 0x1fffffff) * 0x800000 + (bits.low >>> 9);
    const magnitude = position * layerWidth[layer]!;
    const x = negative ? -magnitude : magnitude;
    if (position < layerAccept[layer]!) return x;
    if (layer === 0) return tail(bits, ((position / 256) & 1) !== 0);
    const top = layerHeight[layer - 1]!;
    const bottom = layerHeight[layer]!;
    if ((top - bottom) * bits.nextDouble() + bottom < Math.exp(-0.5 * x * x)) return x;
  }
}

/** A number beyond `TAIL` (Marsaglia, 1964). */
function tail(bits: PCG64, negative: boolean): number {
  for (;;) {
    const beyond = -Math.log1p(-bits.nextDouble()) / TAIL;
    const height = -Math.log1p(-bits.nextDouble());
    if (height + height > beyond * beyond) return negative ? -(TAIL + beyond) : TAIL + beyond;
  }
}
