interface Media {
  bytes: Uint8Array;
  mediaType: string;
}

/** Bytes in a row of JSON. */
export type KeptMedia = { base64: string; mediaType: string };

export function toKept({ bytes, mediaType }: Media): KeptMedia {
  return { base64: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64"), mediaType };
}

export function fromKept({ base64, mediaType }: KeptMedia): Media {
  return { bytes: new Uint8Array(Buffer.from(base64, "base64")), mediaType };
}
