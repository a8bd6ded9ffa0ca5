import { inflateRawSync } from "node:zlib";

/** Of one entry, unpacked: a few bytes may unpack to gigabytes. */
const MOST_BYTES = 64 * 1_048_576;
const MOST_ENTRIES = 20_000;

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;
/** The end may be followed by a comment of at most so many bytes. */
const MOST_COMMENT = 65_535;
const STORED = 0;
const DEFLATED = 8;

/** One file of an archive, as the directory at its end has it. */
interface Entry {
  method: number;
  /** Bytes in the archive. */
  packed: number;
  /** Bytes of the file. */
  size: number;
  /** Where its local header begins. */
  at: number;
}

export class Archive {
  readonly #view: DataView;
  readonly #data: Uint8Array;
  readonly #entries = new Map<string, Entry>();

  /** Reads the directory of a ZIP archive. Nothing is unpacked yet. @throws Error for what is no archive, is damaged, or has ZIP64 records */
  constructor(data: Uint8Array) {
    this.#data = data;
    this.#view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    const end = this.#findEnd();
    const count = this.#view.getUint16(end + 10, true);
    let at = this.#view.getUint32(end + 16, true);
    if (count > MOST_ENTRIES) throw new Error(`the archive has ${count} entries, and ${MOST_ENTRIES} are read`);
    const decoder = new TextDecoder();
    for (let index = 0; index < count; index++) {
      if (at + 46 > data.byteLength || this.#view.getUint32(at, true) !== CENTRAL)
        throw new Error("the directory of the archive is damaged");
      const [nameBytes, extra, comment] = [28, 30, 32].map((offset) => this.#view.getUint16(at + offset, true));
      const name = decoder.decode(data.subarray(at + 46, at + 46 + (nameBytes ?? 0)));
      this.#entries.set(name, {
        method: this.#view.getUint16(at + 10, true),
        packed: this.#view.getUint32(at + 20, true),
        size: this.#view.getUint32(at + 24, true),
        at: this.#view.getUint32(at + 42, true),
      });
      at += 46 + (nameBytes ?? 0) + (extra ?? 0) + (comment ?? 0);
    }
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** The bytes of a file. @throws Error when it is not there, is damaged, encrypted, or larger than 64 MiB */
  read(name: string): Uint8Array {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw new Error(`the archive has no ${name}`);
    const { at, method, packed, size } = entry;
    if (at + 30 > this.#data.byteLength || this.#view.getUint32(at, true) !== LOCAL)
      throw new Error(`${name} is not where the archive says`);
    if ((this.#view.getUint16(at + 6, true) & 1) !== 0) throw new Error(`${name} is encrypted`);
    const from = at + 30 + this.#view.getUint16(at + 26, true) + this.#view.getUint16(at + 28, true);
    if (from + packed > this.#data.byteLength) throw new Error(`${name} ends early`);
    if (size > MOST_BYTES) throw new Error(`${name} has ${size} bytes, and ${MOST_BYTES} are read`);
    const content = this.#data.subarray(from, from + packed);
    if (method === STORED) return content;
    if (method !== DEFLATED) throw new Error(`${name} is packed by the method ${method}, which is not read`);
    return inflateRawSync(content, { maxOutputLength: MOST_BYTES });
  }

  #findEnd(): number {
    const last = this.#data.byteLength - END_BYTES;
    for (let at = last; at >= Math.max(0, last - MOST_COMMENT); at--)
      if (this.#view.getUint32(at, true) === END) return at;
    throw new Error("the file is no ZIP archive, or ends early");
  }
}
