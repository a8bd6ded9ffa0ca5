import type { Json } from "@oven/contract";

/* PackStream, as far as our queries need it: https://neo4j.com/docs/bolt/current/packstream/ */

export function pack(value: Json): Buffer {
  if (value === null) return Buffer.from([0xc0]);
  if (typeof value === "boolean") return Buffer.from([value ? 0xc3 : 0xc2]);
  if (typeof value === "number") return packNumber(value);
  if (typeof value === "string") {
    const bytes = Buffer.from(value, "utf8");
    return Buffer.concat([sized(bytes.length, 0x80, 0xd0), bytes]);
  }
  if (Array.isArray(value)) return Buffer.concat([sized(value.length, 0x90, 0xd4), ...value.map(pack)]);
  const entries = Object.entries(value);
  return Buffer.concat([
    sized(entries.length, 0xa0, 0xd8),
    ...entries.flatMap(([key, child]) => [pack(key), pack(child)]),
  ]);
}

function packNumber(value: number): Buffer {
  const buffer = Buffer.alloc(9);
  if (Number.isInteger(value)) {
    buffer[0] = 0xcb;
    buffer.writeBigInt64BE(BigInt(value), 1);
  } else {
    buffer[0] = 0xc1;
    buffer.writeDoubleBE(value, 1);
  }
  return buffer;
}

/** The marker for a length: in the low half of one byte, else in one, two or four bytes behind `wide`. */
function sized(length: number, tiny: number, wide: number): Buffer {
  if (length < 16) return Buffer.from([tiny + length]);
  if (length < 256) return Buffer.from([wide, length]);
  const buffer = Buffer.alloc(length < 65_536 ? 3 : 5);
  buffer[0] = length < 65_536 ? wide + 1 : wide + 2;
  if (length < 65_536) buffer.writeUInt16BE(length, 1);
  else buffer.writeUInt32BE(length, 1);
  return buffer;
}

/** A message of Bolt: what it is, and its fields. */
export interface Message {
  tag: number;
  fields: Json[];
}

export function unpackMessage(bytes: Buffer): Message {
  let at = 0;
  const byte = () => bytes[at++] ?? 0;
  const length = (width: 1 | 2 | 4) => {
    const value = bytes.readUIntBE(at, width);
    at += width;
    return value;
  };
  const text = (size: number) => {
    at += size;
    return bytes.toString("utf8", at - size, at);
  };
  const list = (size: number): Json[] => Array.from({ length: size }, read);
  const map = (size: number): Json =>
    Object.fromEntries(Array.from({ length: size }, () => [String(read()), read()] as const));
  function read(): Json {
    const marker = byte();
    const low = marker & 0x0f;
    switch (marker & 0xf0) {
      case 0x80:
        return text(low);
      case 0x90:
        return list(low);
      case 0xa0:
        return map(low);
    }
    if (marker < 0x80) return marker;
    if (marker >= 0xf0) return marker - 256;
    switch (marker) {
      case 0xc0:
        return null;
      case 0xc1:
        at += 8;
        return bytes.readDoubleBE(at - 8);
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      case 0xc8:
        return bytes.readInt8(at++);
      case 0xc9:
        at += 2;
        return bytes.readInt16BE(at - 2);
      case 0xca:
        at += 4;
        return bytes.readInt32BE(at - 4);
      case 0xcb:
        at += 8;
        return Number(bytes.readBigInt64BE(at - 8));
      case 0xd0:
        return text(length(1));
      case 0xd1:
        return text(length(2));
      case 0xd4:
        return list(length(1));
      case 0xd8:
        return map(length(1));
    }
    throw new Error(`a value that begins with ${marker.toString(16)} is not understood`);
  }
  const fields = byte() & 0x0f;
  const tag = byte();
  return { tag, fields: list(fields) };
}
