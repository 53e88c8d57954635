/** HDF5 files: reading from memory, writing as chunks. */
export { openHdf5 } from "./open-hdf5.js";
export { H5Dataset, H5Group } from "./h5-nodes.js";
export { H5Attributes } from "./attributes.js";
export type { H5AttributeValue } from "./attributes.js";
export { FixedStrings, H5DatasetNode, H5GroupNode } from "./h5-tree.js";
export type { H5AttributeInput, H5DataInput } from "./h5-tree.js";
export { writeHdf5 } from "./write-hdf5.js";
