/** Zip archives: reading from memory, writing as chunks. */
export { openZip, ZipArchive } from "./zip-archive.js";
export type { OpenZipOptions, ZipEntry } from "./zip-archive.js";
export { writeZip } from "./write-zip.js";
export type { WriteZipOptions, ZipMember } from "./write-zip.js";
export { pathProblem } from "./member-path.js";
