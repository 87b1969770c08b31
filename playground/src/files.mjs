/** One file of many: the length of a list of paths and sizes, the list as JSON, then the contents. */

/** Returns `contents`, pairs of a path and bytes, as one file. */
export function packed(contents) {
  const list = new TextEncoder().encode(
    JSON.stringify(contents.map(([path, bytes]) => [path, bytes.length])),
  );
  const length = new Uint8Array(new Uint32Array([list.length]).buffer);
  return Buffer.concat([length, list, ...contents.map(([, bytes]) => bytes)]);
}

/** Writes the files of `pack` to the file system of a Python in WebAssembly. */
export function unpack(pack, files) {
  const contents = 4 + new DataView(pack.buffer, pack.byteOffset).getUint32(0, true);
  let start = contents;
  for (const [path, size] of JSON.parse(new TextDecoder().decode(pack.subarray(4, contents)))) {
    files.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    files.writeFile(path, pack.subarray(start, (start += size)));
  }
}
