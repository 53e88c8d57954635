import { describe, expect, it } from "vitest";
import "../backend/index.js";
import { NDArray } from "../core/ndarray.js";
import { Tensor, tensor } from "../core/tensor.js";
import { boundingBoxes, normalize, padSequences, toCategorical } from "./index.js";

describe("toCategorical", () => {
  it("makes arrays of host data and tensors of tensors", async () => {
    const rows = toCategorical([[0], [2]]);
    expect(rows).toBeInstanceOf(NDArray);
    expect(rows.dtype).toBe("float64");
    expect(rows.toArray()).toEqual([
      [1, 0, 0],
      [0, 0, 1],
    ]);
    const made = toCategorical(tensor([1, 0], "int32"), { numClasses: 2 });
    expect(made).toBeInstanceOf(Tensor);
    expect(await made.array()).toEqual([
      [0, 1],
      [1, 0],
    ]);
  });
  it("refuses labels outside the classes, and tensors without their number", () => {
    expect(() => toCategorical([3], { numClasses: 3 })).toThrow(/label 3 .* 3 classes/);
    expect(() => toCategorical(tensor([1]))).toThrow(/numClasses/);
  });
});

describe("normalize", () => {
  it("divides by norms of any order and leaves zero vectors", () => {
    const x = NDArray.from([3, 4, 0, 0], "float32").reshape([2, 2]);
    const shorter = normalize(x).toArray() as number[][];
    expect(shorter[0]![0]).toBeCloseTo(0.6);
    expect(shorter[0]![1]).toBeCloseTo(0.8);
    expect(shorter[1]).toEqual([0, 0]);
    expect(normalize(x, { order: 1, axis: 0 }).toArray()).toEqual([
      [1, 1],
      [0, 0],
    ]);
    expect(normalize(x, { order: Infinity }).toArray()).toEqual([
      [0.75, 1],
      [0, 0],
    ]);
  });
});

describe("padSequences", () => {
  it("pads and cuts at the asked side", () => {
    const sequences = [[1], [2, 3], [4, 5, 6]];
    expect(padSequences(sequences).toArray()).toEqual([
      [0, 0, 1],
      [0, 2, 3],
      [4, 5, 6],
    ]);
    const options = { maxlen: 2, padding: "post", truncating: "post", value: 9 } as const;
    expect(padSequences(sequences, options).toArray()).toEqual([
      [1, 9],
      [2, 3],
      [4, 5],
    ]);
  });
  it("takes strings when it is told so", () => {
    expect(padSequences([["a"], ["b", "c"]], { dtype: "string", value: "-" })).toEqual([
      ["-", "a"],
      ["b", "c"],
    ]);
    expect(() => padSequences([[1]], { value: "-" })).toThrow(/does not fit dtype "int32"/);
  });
  it("refuses what is no list of sequences, and values of different shapes", () => {
    expect(() => padSequences([1 as never])).toThrow(/Sequence 0/);
    expect(() => padSequences([[[1, 2]], [[1]]])).toThrow(/shape \[1\].*\[2\]/);
  });
});

describe("bounding boxes", () => {
  it("come back from every format", async () => {
    const boxes = [[10, 20, 40, 80]];
    const formats = [
      "yxyx",
      "xywh",
      "center_xywh",
      "center_yxhw",
      "rel_xyxy",
      "rel_yxyx",
      "rel_xywh",
      "rel_center_xywh",
    ] as const;
    for (const format of formats) {
      const size = { height: 100, width: 200 };
      const there = boundingBoxes.convertFormat(tensor(boxes), "xyxy", format, size);
      const back = await boundingBoxes.convertFormat(there, format, "xyxy", size).data();
      [...back.numbers()].forEach((value, i) => expect(value).toBeCloseTo(boxes[0]![i]!, 4));
    }
    expect(() => boundingBoxes.convertFormat(tensor(boxes), "xyxy", "rel_xyxy")).toThrow(/height.*width/);
    expect(() => boundingBoxes.convertFormat(tensor(boxes), "nope" as never, "xyxy")).toThrow(/"nope"/);
  });
  it("lose their label when nothing is left of them", async () => {
    const boxes = tensor([
      [-5, 2, 5, 8],
      [12, 2, 20, 8],
    ]);
    const clipped = boundingBoxes.clipToImageSize({ boxes, labels: tensor([3, 4], "int32") }, { height: 6, width: 10 });
    expect(await clipped.boxes.array()).toEqual([
      [0, 2, 5, 6],
      [10, 2, 10, 6],
    ]);
    expect(await (clipped.labels as Tensor).array()).toEqual([3, -1]);
  });
  it("come back from their deltas", async () => {
    const [anchors, boxes] = [tensor([[0, 0, 10, 20]]), tensor([[2, 3, 9, 30]])];
    const options = { variance: [0.1, 0.1, 0.2, 0.2] };
    const deltas = boundingBoxes.encodeBoxToDeltas(anchors, boxes, "xyxy", "xyxy", options);
    const back = await boundingBoxes.decodeDeltasToBoxes(anchors, deltas, "xyxy", "xyxy", options).data();
    [2, 3, 9, 30].forEach((value, i) => expect(back.numbers()[i]).toBeCloseTo(value, 3));
  });
  it("overlap by their share, and padding is masked", async () => {
    const one = tensor([
      [0, 0, 2, 2],
      [-1, -1, -1, -1],
    ]);
    const iou = boundingBoxes.computeIou(one, tensor([[1, 0, 3, 2]]), "xyxy", { useMasking: true });
    const [overlap, masked] = (await iou.data()).numbers();
    expect(overlap).toBeCloseTo(1 / 3);
    expect(masked).toBe(-1);
  });
});
