import { describe, expect, it } from "vitest";
import { defaultRng } from "./generator.js";

// What numpy.random.default_rng(seed) draws, each from a fresh generator.
const drawn = [
  {
    seed: 0,
    permutation: [2, 4, 3, 6, 5, 0, 1, 7],
    checksum: 54048497127679,
    random: [0.6369616873214543, 0.2697867137638703, 0.04097352393619469],
    random32: [0.8506242036819458, 0.6369616389274597, 0.5111364722251892],
    integers: [
      [4, 2, 0, -3, -2, -5, -5, -5],
      [3653403231, 2735729615, 2195314465],
      [2551872677, 1910885061, 1533409439, 809360140],
      [700346781657, 296633628802, 45050865998],
    ],
    normal: [0.1257302210933933, -0.1321048632913019, 0.6404226504432821, 0.10490011715303971],
  },
  {
    seed: 1337,
    permutation: [5, 3, 2, 6, 4, 7, 0, 1],
    checksum: 53981385661929,
    random: [0.8781019003471183, 0.18552796163759344, 0.9209004548704729],
    random32: [0.5463242530822754, 0.8781018853187561, 0.7270065546035767],
    integers: [
      [1, 4, 2, -3, 0, 5, -1, 5],
      [2346444929, 3771418944, 3122469425],
      [1638972849, 2634305700, 556583884, 1174572208],
      [965483249803, 203990151098, 1012540758154],
    ],
    normal: [0.03826822283041585, 0.47393643593796514, -0.1377459184858857, -1.389334440932998],
  },
  {
    seed: [42, 7],
    permutation: [5, 2, 6, 0, 1, 7, 3, 4],
    checksum: 54020187726191,
    random: [0.5196307011602563, 0.20869283781687598, 0.5103895392745863],
    random32: [0.4808506369590759, 0.5196306705474854, 0.3329147696495056],
    integers: [
      [0, 0, -2, -3, -1, 0, 2, 4],
      [2065237868, 2231796867, 1429858196],
      [1442551986, 998744412, 1214567815, 1531168617],
      [571339998075, 229460201813, 561179233127],
    ],
    normal: [-0.22003578082389966, -1.1207765416787316, -0.13215326644334396, -0.27356508306718774],
  },
  {
    seed: [1, 2, 3, 4, 5, 6],
    permutation: [0, 7, 6, 5, 4, 1, 3, 2],
    checksum: 53866307770174,
    random: [0.6218049217551649, 0.11940126789606353, 0.8390479995608978],
    random32: [0.4302722215652466, 0.6218048930168152, 0.7145277261734009],
    integers: [
      [-1, 1, 2, -4, 4, 4, -5, -5],
      [1848005266, 2670631803, 3068873249],
      [1290816766, 1865414764, 2143583201, 2664836691],
      [683681741678, 131283082422, 922543031779],
    ],
    normal: [1.617316808496751, 0.7971757392588977, 1.8757899797111857, 0.7363022664500836],
  },
  {
    seed: 1099511627781,
    permutation: [1, 2, 5, 7, 0, 4, 6, 3],
    checksum: 54081656627953,
    random: [0.004739459374490829, 0.3725845824112115, 0.5872294266977701],
    random32: [0.014159023761749268, 0.00473940372467041, 0.44997042417526245],
    integers: [
      [-5, -5, -1, -1, 5, 1, 4, -4],
      [60812779, 20355823, 1932608278],
      [42477235, 1349911287, 1117753746, 1761688279],
      [5211090691, 409661080691, 645665582826],
    ],
    normal: [-0.09818552148928854, -0.6994306412054528, 1.0290864089932255, -0.15573410684893257],
  },
];

describe("defaultRng", () => {
  it.each(drawn)("draws NumPy's numbers after seed $seed", (expected) => {
    const rng = () => defaultRng(expected.seed);
    expect([...rng().permutation(8)]).toEqual(expected.permutation);
    expect(
      rng()
        .permutation(60000)
        .reduce((sum, value, i) => sum + value * i, 0),
    ).toBe(expected.checksum);
    expect([...rng().random(3)]).toEqual(expected.random);
    expect([...rng().randomFloat32(3)].map(Math.fround)).toEqual(expected.random32.map(Math.fround));
    const bounds: [number, number, number][] = [
      [-5, 6, 8],
      [0, 2 ** 32, 3],
      [0, 3e9, 4],
      [0, 2 ** 40, 3],
    ];
    expect(bounds.map((bound) => [...rng().integers(...bound)])).toEqual(expected.integers);
    expect([...rng().standardNormal(4)]).toEqual(expected.normal);
  });

  it("follows NumPy through the wedges and the tail of the ziggurat", () => {
    const rng = defaultRng(5);
    const values = rng.standardNormal(100000);
    const [largest, smallest, last, next] = [
      4.358604979783261, -4.363180576133111, -0.8743238268618336, 0.010900585792389172,
    ] as const;
    expect(Math.max(...values)).toBeCloseTo(largest, 14);
    expect(Math.min(...values)).toBeCloseTo(smallest, 14);
    expect(values.at(-1)).toBe(last);
    expect([...rng.random(1)]).toEqual([next]);
  });

  it("permutes along an axis, or everything, as NumPy does", () => {
    const rng = defaultRng(3);
    const values = Array.from({ length: 12 }, (_, i) => i);
    rng.permuted(values, [2, 3, 2], 1);
    expect(values).toEqual([4.0, 1.0, 2.0, 5.0, 0.0, 3.0, 6.0, 11.0, 8.0, 9.0, 10.0, 7.0]);
    rng.permuted(values, [2, 3, 2]);
    expect(values).toEqual([10.0, 0.0, 5.0, 3.0, 7.0, 8.0, 9.0, 6.0, 1.0, 2.0, 11.0, 4.0]);
    rng.permuted(values, [2, 3, 2], -1);
    expect(values).toEqual([0.0, 10.0, 3.0, 5.0, 7.0, 8.0, 9.0, 6.0, 2.0, 1.0, 4.0, 11.0]);
    const list = Array.from({ length: 10 }, (_, i) => i);
    rng.shuffle(list);
    expect(list).toEqual([5, 2, 3, 1, 6, 4, 8, 7, 0, 9]);
    expect([...rng.normal(2, 3, 2)]).toEqual([6.637462553638436, 3.6353165680629336]);
    expect([...rng.uniform(-1, 3, 2)]).toEqual([0.2559440081373472, 2.5668442817806287]);
  });

  it("starts differently every time without a seed", () => {
    expect(defaultRng().random(1)).not.toEqual(defaultRng().random(1));
  });

  it("refuses empty ranges, axes out of bounds and seeds that are not natural numbers", () => {
    expect(() => defaultRng(1).integers(3, 3, 1)).toThrow(/low < high/);
    expect(() => defaultRng(1).permuted([1, 2], [2], 1)).toThrow(/axis 1 is out of bounds/);
    expect(() => defaultRng(-1)).toThrow(/negative/);
    expect(() => defaultRng([0.5])).toThrow(/safe integer/);
  });
});
