import type { Json, JsonObject } from "@oven/contract";
import type { BlobReference } from "@oven/contract/run";
import type { Attachment } from "mailparser";
import { type FilesOf, storeFile } from "../deliveries/delivery-blobs.ts";

export interface AttachmentLimits {
  maxAttachments: number;
  maxAttachmentBytes: number;
}

export interface AttachmentsOf extends FilesOf {
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

function keep({ contentType, content, filename, headers }: Attachment, files: FilesOf): Promise<BlobReference> {
  const declared = `${contentType}; charset="${charsetIn(headers) ?? ""}"`;
  return storeFile(files, { filename: filename ?? "", contentType: declared, data: content });
}

function charsetIn(headers: Attachment["headers"]): string | undefined {
  const type = headers.get("content-type");
  return typeof type === "object" && "params" in type ? type.params.charset : undefined;
}

function reasonToSkip(
  { index, size, isPart }: { index: number; size: number; isPart: boolean },
  { maxAttachments, maxAttachmentBytes }: AttachmentLimits,
): string | undefined {
  if (index >= maxAttachments) return `Only ${maxAttachments} attachments of a mail are kept`;
  if (size > maxAttachmentBytes) return `It is larger than ${maxAttachmentBytes} bytes`;
  return isPart ? "The mail was too large to be fetched as a whole" : undefined;
}
