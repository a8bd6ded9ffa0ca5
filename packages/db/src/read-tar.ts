/** A file of an archive, or a directory: without content. */
export interface TarEntry {
  name: string;
  content: Uint8Array | undefined;
}

const BLOCK = 512;

/**
 * What is in a tar archive as PGlite writes them (plain names of at most 100 letters). The contents are views of `archive`.
 * @throws Error when it has an entry of another kind than file and directory
 */
export function readTar({ buffer, byteOffset, byteLength }: Uint8Array): TarEntry[] {
  // The slices of a Buffer would be views, not copies.
  const archive = new Uint8Array(buffer, byteOffset, byteLength);
  const entries: TarEntry[] = [];
  let at = 0;
  while (at + BLOCK <= archive.length) {
    const path = textAt(archive, at, 100);
    // The archive ends with empty blocks.
    if (path === "") break;
    const size = Number.parseInt(textAt(archive, at + 124, 12), 8);
    const kind = textAt(archive, at + 156, 1);
    const name = path.replace(/^\.?\//, "").replace(/\/$/, "");
    const begin = at + BLOCK;
    if (kind === "5" || path.endsWith("/")) entries.push({ name, content: undefined });
    else if (kind === "0" || kind === "") entries.push({ name, content: archive.subarray(begin, begin + size) });
    else throw new Error(`The archive's entry ${path} is of the kind ${kind}, which is not read`);
    at = begin + Math.ceil(size / BLOCK) * BLOCK;
  }
  return entries;
}

/** Up to the first zero byte. */
function textAt(archive: Uint8Array, at: number, length: number): string {
  const end = archive.subarray(at, at + length).indexOf(0);
  return Buffer.from(archive.buffer, archive.byteOffset + at, end === -1 ? length : end)
    .toString("latin1")
    .trim();
}
