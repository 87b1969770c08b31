declare module "*/files.mjs" {
  export function unpack(pack: Uint8Array, files: typeof import("pyodide").PyodideAPI.FS): void;
}
declare module "*.mlir" {
  const text: string;
  export default text;
}
