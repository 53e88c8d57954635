import type { DType, Shape } from "../../core/dtype.js";
import type { NDArray } from "../../core/ndarray.js";
import { FormatError } from "../format-error.js";
import { readAttributes } from "./attributes.js";
import type { H5Attributes } from "./attributes.js";
import { readDataspace } from "./dataspace.js";
import type { Dataspace } from "./dataspace.js";
import { datasetBytes } from "./dataset-bytes.js";
import { readDatatype } from "./datatype.js";
import type { H5Type } from "./datatype.js";
import { readFill } from "./fill.js";
import { readFilters } from "./filters.js";
import type { GlobalHeap } from "./global-heap.js";
import type { H5File } from "./h5-file.js";
import { readLayout } from "./layout.js";
import { readLinks } from "./links.js";
import type { H5Link } from "./links.js";
import { messageType, readObjectHeader } from "./object-header.js";
import type { ObjectHeader } from "./object-header.js";
import { decodeNumbers, decodeStrings, elementCount, numericDType } from "./values.js";

/** A dataset of text may have this many elements whatever its size in the file, and beyond that so many per byte of the file. */
const fewTexts = 2 ** 20;
const textsPerByte = 16;

/** What the objects of one file share. */
export interface H5Context {
  readonly file: H5File;
  readonly heap: GlobalHeap;
}

/** An object's path and attributes. */
abstract class H5Object {
  private cachedAttributes: H5Attributes | undefined;

  constructor(
    protected readonly context: H5Context,
    protected readonly header: ObjectHeader,
    /** Path from the root, without a slash in front; empty for the root. */
    readonly path: string,
  ) {}

  get attributes(): H5Attributes {
    return (this.cachedAttributes ??= readAttributes(this.header, this.context.heap, this.source));
  }

  protected get source(): string {
    return `${this.context.file.source}: /${this.path}`;
  }
}

/** A group of an HDF5 file; its members are read when asked for. */
export class H5Group extends H5Object {
  private cachedLinks: ReadonlyMap<string, H5Link> | undefined;
  private readonly members = new Map<string, H5Group | H5Dataset>();

  /** Use `openHdf5`. `ancestors` are the addresses of the groups that lead here. */
  constructor(
    context: H5Context,
    header: ObjectHeader,
    path: string,
    private readonly ancestors: ReadonlySet<number>,
  ) {
    super(context, header, path);
  }

  /** Names of the members, in the order of the file. */
  keys(): string[] {
    return [...this.links.keys()];
  }

  /** Whether there is something at `path`, names separated by slashes. */
  has(path: string): boolean {
    return this.get(path) !== undefined;
  }

  /**
   * The group or dataset at `path`, names separated by slashes and the empty path this group itself; undefined when there is none.
   * Throws a FormatError for links that lead elsewhere: soft and external ones, and hard links to a group that contains them.
   */
  get(path: string): H5Group | H5Dataset | undefined {
    const names = path.split("/").filter((name) => name !== "");
    return names.reduce<H5Group | H5Dataset | undefined>(
      (node, name) => (node instanceof H5Group ? node.member(name) : undefined),
      this,
    );
  }

  /** The group at `path`; undefined when there is none or a dataset. */
  group(path: string): H5Group | undefined {
    const node = this.get(path);
    return node instanceof H5Group ? node : undefined;
  }

  /** The dataset at `path`; undefined when there is none or a group. */
  dataset(path: string): H5Dataset | undefined {
    const node = this.get(path);
    return node instanceof H5Dataset ? node : undefined;
  }

  private get links(): ReadonlyMap<string, H5Link> {
    return (this.cachedLinks ??= readLinks(this.header));
  }

  private member(name: string): H5Group | H5Dataset | undefined {
    const known = this.members.get(name);
    if (known) return known;
    const link = this.links.get(name);
    if (link === undefined) return undefined;
    const path = this.path === "" ? name : `${this.path}/${name}`;
    const source = `${this.context.file.source}: /${path}`;
    if (typeof link === "string") throw new FormatError(source, `is a ${link} link: only hard links are followed`);
    if (this.ancestors.has(link)) throw new FormatError(source, "leads back to a group that contains it");
    const node = openObject(this.context, link, path, this.ancestors);
    this.members.set(name, node);
    return node;
  }
}

/** A dataset of an HDF5 file; its elements are read when asked for. */
export class H5Dataset extends H5Object {
  /** Size of every axis; empty for a scalar and for a dataset without any element. */
  readonly shape: Shape;
  private readonly space: Dataspace;
  private readonly type: H5Type;

  /** Use `openHdf5`. */
  constructor(context: H5Context, header: ObjectHeader, path: string) {
    super(context, header, path);
    this.space = readDataspace(required(header, messageType.dataspace, "dataspace", this.source));
    this.type = readDatatype(required(header, messageType.datatype, "datatype", this.source));
    this.shape = this.space.shape ?? [];
  }

  /** dtype of the array that `read` gives; "string" for text, undefined for elements without a counterpart. */
  get dtype(): DType | "string" | undefined {
    if (this.type.kind === "string" || this.type.kind === "fixed-string") return "string";
    return numericDType(this.type, this.opaqueDType);
  }

  /**
   * The elements as an array, in place where they lie in the file in one piece and aligned, else as a copy. Opaque elements are
   * bfloat16 or float8 when an attribute `dtype` says so, else bytes along one more axis. Throws a FormatError for text.
   */
  async read(): Promise<NDArray> {
    if (this.dtype === undefined || this.dtype === "string")
      return decodeNumbers(this.raw(new Uint8Array(0)), this.source);
    return decodeNumbers(this.raw(await this.bytes()), this.source);
  }

  /** The elements of a dataset of text, in row-major order. Throws a FormatError for numbers. */
  async readStrings(): Promise<string[]> {
    const { file, heap } = this.context;
    if (this.dtype !== "string") throw new FormatError(this.source, "holds elements that are no text");
    const count = elementCount(this.shape);
    if (count > Math.max(fewTexts, textsPerByte * file.bytes.length)) {
      throw new FormatError(this.source, `declares ${count} texts, more than the file can hold`);
    }
    return decodeStrings(this.raw(await this.bytes()), file, heap, this.source);
  }

  private get opaqueDType(): string | undefined {
    if (this.type.kind !== "opaque") return undefined;
    const name = this.attributes.get("dtype");
    return typeof name === "string" ? name : undefined;
  }

  private raw(bytes: Uint8Array) {
    const shape = this.space.shape ?? [0];
    return { type: this.type, shape, bytes, opaqueAs: this.opaqueDType };
  }

  private bytes(): Promise<Uint8Array> {
    const { header, space, source } = this;
    if (header.has(messageType.externalFiles)) {
      throw new FormatError(source, "keeps its elements in other files, which is not allowed");
    }
    const filters = header.first(messageType.filters);
    const count = elementCount(this.shape);
    if (!Number.isSafeInteger(count * this.type.size)) throw new FormatError(source, `declares ${count} elements`);
    return datasetBytes({
      file: this.context.file,
      source,
      space,
      elementSize: this.type.size,
      layout: readLayout(required(header, messageType.layout, "layout", source)),
      filters: filters ? readFilters(filters) : [],
      fill: readFill(header, this.type.size),
    });
  }
}

/** Reads the header at `address` and tells groups from datasets. */
export function openObject(
  context: H5Context,
  address: number,
  path: string,
  ancestors: ReadonlySet<number>,
): H5Group | H5Dataset {
  const header = readObjectHeader(context.file, address);
  if (header.has(messageType.layout)) return new H5Dataset(context, header, path);
  if (header.has(messageType.datatype)) {
    throw new FormatError(`${context.file.source}: /${path}`, "is a named datatype. Expected a group or dataset");
  }
  return new H5Group(context, header, path, new Set([...ancestors, address]));
}

function required(header: ObjectHeader, type: number, what: string, source: string) {
  const message = header.first(type);
  if (!message) throw new FormatError(source, `is damaged: it has no ${what}`);
  return message;
}
