import type { Json, JsonObject } from "@oven/contract";
import type { BlobReference } from "@oven/contract/run";
import { type BlobService, NO_RUN } from "@oven/module-workflows";
import type { Attachment } from "mailparser";

/** What blobs of deliveries name instead of a node; `item` is then `<trigger>:<key of the delivery>`. */
export const DELIVERY_BLOB = "trigger-delivery";

export interface AttachmentLimits {
  maxAttachments: number;
  maxAttachmentBytes: number;
}

export interface AttachmentsOf {
  blobs: Pick<BlobService, "write">;
  tenantId: number;
  triggerId: number;
  /** Of the delivery: the same mail, looked at again, keeps the same content. */
  key: string;
  limits: AttachmentLimits;
}

/** What is attached, and what stands inside the text (by its `cid`). The content is in the store of blobs. */
export async function keepAttachments(
  attachments: readonly Attachment[],
  { isCut, ...mail }: AttachmentsOf & { isCut: boolean },
): Promise<Json[]> {
  const kept: Json[] = [];
  for (const [index, attachment] of attachments.entries()) {
    const { filename, contentType, size, cid, related } = attachment;
    const described: JsonObject = {
      filename: filename ?? null,
      contentType,
      sizeBytes: size,
      cid: cid ?? null,
      inline: related === true,
    };
    const isLast = index === attachments.length - 1;
    const skipped = reasonToSkip({ index, size, isPart: isCut && isLast }, mail.limits);
    kept.push({ ...described, ...(skipped === undefined ? { blob: await keep(attachment, mail) } : { skipped }) });
  }
  return kept;
}

function keep({ contentType, content, filename }: Attachment, mail: AttachmentsOf): Promise<BlobReference> {
  const { blobs, tenantId, triggerId, key } = mail;
  const position = { ...NO_RUN, tenantId, nodeId: DELIVERY_BLOB, item: `${triggerId}:${key}` };
  return blobs.write(position, mediaTypeOf(contentType), content, (filename ?? contentType).slice(0, 500));
}

/** Whoever wrote the mail says what it is. */
function mediaTypeOf(contentType: string): string {
  return /^[\w.+-]{1,80}\/[\w.+-]{1,80}$/.test(contentType) ? contentType : "application/octet-stream";
}

function reasonToSkip(
  { index, size, isPart }: { index: number; size: number; isPart: boolean },
  { maxAttachments, maxAttachmentBytes }: AttachmentLimits,
): string | undefined {
  if (index >= maxAttachments) return `Only ${maxAttachments} attachments of a mail are kept`;
  if (size > maxAttachmentBytes) return `It is larger than ${maxAttachmentBytes} bytes`;
  return isPart ? "The mail was too large to be fetched as a whole" : undefined;
}
