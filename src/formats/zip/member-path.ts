/** Why `name` may not be a path inside an archive, as the end of a sentence; null when it may. */
export function pathProblem(name: string): string | null {
  if (name === "") return "is empty";
  if (name.includes("\0")) return "contains a NUL character";
  if (name.includes("\\")) return "contains a backslash";
  if (name.startsWith("/")) return "is an absolute path";
  if (/^[A-Za-z]:/.test(name)) return "begins with a drive letter";
  if (name.split("/").includes("..")) return 'leaves the archive through ".."';
  if (new TextEncoder().encode(name).length > 0xffff) return "is longer than 65535 bytes";
  return null;
}
