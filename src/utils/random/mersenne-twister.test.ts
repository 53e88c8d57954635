import { describe, expect, it } from "vitest";
import { MersenneTwister } from "./mersenne-twister.js";

const range = (count: number) => Array.from({ length: count }, (_, i) => i);

// What CPython 3.11 draws: a shuffle of ten, one call of each method, a sample by set and one by pool.
const drawn = [
  {
    seed: 0,
    shuffled: [7, 8, 1, 5, 3, 4, 2, 0, 9, 6],
    mixed: [
      384452588, 385, -2, 598176026, 151534339699, 854160572179065, 0.6183689966753316, -0.2464556104629163, 9,
      330931104930059,
    ],
    large: [39, 12, 93, 9, 87],
    small: [10, 15, 17, 3, 11, 13, 29, 19, 20, 6],
  },
  {
    seed: 1337,
    shuffled: [0, 3, 7, 2, 1, 6, 4, 5, 8, 9],
    mixed: [
      989696303, 546, 1, 4261668719, 226332406645, 5911222594833200, 0.8638300740145545, 0.5541110542790499, 4,
      908305712120633,
    ],
    large: [94, 39, 84, 2, 45],
    small: [19, 3, 14, 7, 5, 10, 21, 22, 29, 27],
  },
  {
    seed: -5,
    shuffled: [2, 3, 1, 0, 8, 7, 6, 5, 4, 9],
    mixed: [
      696831126, 91, 7, 486215926, 516992915839, 2220931318706432, 0.38075791704476514, -1.286179184782592, 0,
      919072392583842,
    ],
    large: [35, 23, 98, 49, 20],
    small: [24, 25, 2, 4, 19, 28, 14, 26, 22, 0],
  },
  {
    seed: 2n ** 100n + 3n,
    shuffled: [7, 2, 9, 0, 1, 8, 3, 6, 4, 5],
    mixed: [
      343725784, 231, -5, 3499815362, 843626875524, 2707279179088685, 0.9272475998896864, 2.237209866353962, 4,
      1008739440093216,
    ],
    large: [18, 49, 1, 25, 85],
    small: [13, 1, 20, 4, 28, 3, 16, 10, 23, 19],
  },
];

describe("MersenneTwister", () => {
  it.each(drawn)("draws CPython's numbers after seed $seed", ({ seed, shuffled, mixed, large, small }) => {
    const generator = new MersenneTwister(seed);
    const values = range(10);
    generator.shuffle(values);
    expect(values).toEqual(shuffled);
    expect([
      generator.randint(1, 1e9),
      generator.randrange(0, 1000, 7),
      generator.randrange(10, -10, -3),
      generator.getrandbits(32),
      generator.getrandbits(40),
      generator.getrandbits(53),
      generator.random(),
      generator.uniform(-2, 5),
      generator.choice(values),
      generator.randint(0, 2 ** 50),
    ]).toEqual(mixed);
    expect(generator.sample(range(100), 5)).toEqual(large);
    expect(generator.sample(range(30), 10)).toEqual(small);
  });

  it("keeps CPython's numbers over several refills of its state", () => {
    const generator = new MersenneTwister(1);
    for (let i = 0; i < 2000; i++) generator.random();
    expect(generator.random()).toBe(0.3897357306683825);
  });

  it("starts differently every time without a seed, and again after seed()", () => {
    const one = new MersenneTwister();
    expect(one.random()).not.toBe(new MersenneTwister().random());
    one.seed(7);
    expect(one.random()).toBe(new MersenneTwister(7).random());
  });

  it("refuses what has no answer", () => {
    const generator = new MersenneTwister(1);
    expect(() => generator.randint(2, 1)).toThrow(/randrange: expected integers.*start=2, stop=2/);
    expect(() => generator.randrange(0, 10, 0)).toThrow(/not empty/);
    expect(() => generator.choice([])).toThrow(/not empty/);
    expect(() => generator.sample([1, 2], 3)).toThrow(/from 0 to 2/);
    expect(() => generator.getrandbits(54)).toThrow(/from 0 to 53/);
    expect(() => new MersenneTwister(0.5)).toThrow(/safe integer/);
  });
});
