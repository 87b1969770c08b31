/** A link holds the text, compressed, in its fragment, which browsers send to nobody. */

/** Returns the fragment for a text. */
export async function fragmentOf(text: string): Promise<string> {
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  const characters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(characters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Returns the text of a fragment, and undefined if it holds none. */
export async function textOf(fragment: string): Promise<string | undefined> {
  try {
    const characters = atob(fragment.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(characters, (character) => character.charCodeAt(0));
    const text = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return bytes.length === 0 ? undefined : await new Response(text).text();
  } catch {
    return undefined;
  }
}
