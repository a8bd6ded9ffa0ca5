interface Media {
  bytes: Uint8Array;
  mediaType: string;
}

/** Bytes in a row of JSON. */
export type StoredMedia = { base64: string; mediaType: string };

export function toStored({ bytes, mediaType }: Media): StoredMedia {
  return { base64: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64"), mediaType };
}

export function fromStored({ base64, mediaType }: StoredMedia): Media {
  return { bytes: new Uint8Array(Buffer.from(base64, "base64")), mediaType };
}
