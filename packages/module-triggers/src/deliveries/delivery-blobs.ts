import type { BlobReference } from "@oven/contract/run";
import { declaredCharset } from "@oven/contract/text";
import { type BlobService, NO_RUN } from "@oven/module-workflows";

/** What blobs of deliveries name instead of a node; `item` is then `<trigger>:<key of the delivery>`. */
export const DELIVERY_BLOB = "trigger-delivery";

/** The delivery that files belong to: the same one, come again, keeps the same content. */
export interface FilesOf {
  blobs: Pick<BlobService, "write">;
  tenantId: number;
  triggerId: number;
  key: string;
}

/** Stores a file that arrived with a delivery. @param contentType as its sender declares it, with parameters */
export function storeFile(
  { blobs, tenantId, triggerId, key }: FilesOf,
  { filename, contentType, data }: { filename: string; contentType: string; data: Uint8Array },
): Promise<BlobReference> {
  const position = { ...NO_RUN, tenantId, nodeId: DELIVERY_BLOB, item: `${triggerId}:${key}` };
  return blobs.write(position, toMediaType(contentType), data, (filename || contentType).slice(0, 500));
}

/** The sender says what it is, and what its text is encoded in. */
function toMediaType(contentType: string): string {
  const type = contentType.split(";")[0]?.trim() ?? "";
  if (!/^[\w.+-]{1,80}\/[\w.+-]{1,80}$/.test(type)) return "application/octet-stream";
  const charset = declaredCharset(contentType);
  return charset === undefined ? type : `${type}; charset=${charset}`;
}
