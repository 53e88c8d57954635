import { beforeEach, describe, expect, it } from "vitest";
import { autoName, camelToSnake, getUid, resetUids, snakeToCamel, toSnakeCase, uniquify } from "./naming.js";

beforeEach(resetUids);

describe("toSnakeCase", () => {
  it.each([
    ["Conv2DTranspose", "conv2d_transpose"],
    ["Conv2D", "conv2d"],
    ["LSTM", "lstm"],
    ["ReLU", "re_lu"],
    ["PReLU", "p_re_lu"],
    ["AdamW", "adam_w"],
    ["RMSprop", "rm_sprop"],
    ["MeanIoU", "mean_io_u"],
    ["OneHotIoU", "one_hot_io_u"],
    ["F1Score", "f1_score"],
    ["STFTSpectrogram", "stft_spectrogram"],
    ["L1L2", "l1l2"],
    ["TFSMLayer", "tfsm_layer"],
    ["RandAugment", "rand_augment"],
    ["My Layer!", "my_layer"],
    ["MyÜberLayer", "myüber_layer"],
  ])("%s gives %s", (className, expected) => expect(toSnakeCase(className)).toBe(expected));
});

describe("option names", () => {
  it.each([
    ["useBias", "use_bias"],
    ["units", "units"],
    ["l1", "l1"],
    ["returnStateAndSequences", "return_state_and_sequences"],
  ])("%s and %s translate into each other", (camel, snake) => {
    expect(camelToSnake(camel)).toBe(snake);
    expect(snakeToCamel(snake)).toBe(camel);
  });

  it("keeps a leading underscore and joins digits", () => {
    expect(snakeToCamel("_private_key")).toBe("_privateKey");
    expect(snakeToCamel("beta_1")).toBe("beta1");
  });
});

describe("automatic names", () => {
  it("counts per prefix, the first without a number", () => {
    expect([autoName("Dense"), autoName("Dense"), autoName("Conv2D"), autoName("Dense")]).toEqual([
      "dense",
      "dense_1",
      "conv2d",
      "dense_2",
    ]);
  });

  it("shares the table with getUid", () => {
    expect(getUid("dense")).toBe(1);
    expect(uniquify("dense")).toBe("dense_1");
    expect(getUid("dense")).toBe(3);
  });

  it("starts anew after a reset", () => {
    autoName("Dense");
    resetUids();
    expect(autoName("Dense")).toBe("dense");
  });
});
