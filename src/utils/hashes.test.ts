import { expect, it } from "vitest";
import { fingerprint64, joinFingerprints } from "./farmhash.js";
import { sipHash } from "./siphash.js";

// What tf.strings.to_hash_bucket_fast and to_hash_bucket_strong give modulo 2^62 + 1.
const bins = 2n ** 62n + 1n;
const text = (length: number): string =>
  Array.from({ length }, (_, i) => String.fromCharCode(97 + ((i * 7 + length) % 26))).join("");
it.each([
  [0, 1936946117179621453n, 316627932347062995n],
  [1, 2572224033622389012n, 3857520718555332737n],
  [3, 4005143679207164392n, 4438043893802009222n],
  [4, 617514146912340681n, 4213130937994414789n],
  [7, 2326968938742419854n, 639634467545319273n],
  [8, 3108481165009398550n, 2263706448675786053n],
  [16, 3820547438670371201n, 2057814588662106300n],
  [17, 2489787730139383236n, 3483545164760043301n],
  [32, 127699506250089056n, 46961980703835986n],
  [33, 4191899277645623088n, 4602547696261581192n],
  [64, 2544848233693181161n, 1593325749083172078n],
  [65, 3567797833843830432n, 4405038818839152385n],
  [127, 558306264808904778n, 738115283381797168n],
  [128, 3196324504972257390n, 3003445601692886615n],
  [129, 2174161576895394256n, 2145582735203675283n],
  [300, 39650971784222203n, 3774237015988736450n],
])("hashes %i bytes as TensorFlow does", (length, farm, sip) => {
  expect(fingerprint64(text(length)) % bins).toBe(farm);
  expect(sipHash(text(length), [133n, 137n]) % bins).toBe(sip);
});
it("hashes UTF-8 bytes", () => expect(fingerprint64("é€😀") % bins).toBe(743013767137739707n));
it("joins fingerprints in their order", () => {
  expect(joinFingerprints(0xdecafcaffen, fingerprint64("a")) % bins).toBe(3550520439517529105n);
  expect(joinFingerprints(1n, 2n)).not.toBe(joinFingerprints(2n, 1n));
});
