/** The name of the file that a URI names. */
export function fileName(uri: string): string {
  const path = uri.replace(/[?#].*$/, "");
  return decodeURIComponent(path.slice(path.lastIndexOf("/") + 1));
}

/** An MLIR and its version: `MLIR 22.1.8` for one of LLVM, the name of its package for another one. */
export function mlirName(version: string): string {
  return /mlir/i.test(version) ? version : `MLIR ${version.replace("LLVM ", "")}`;
}
