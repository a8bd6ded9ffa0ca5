import { OvenError } from "@oven/contract";
import type { AddPage } from "@oven/contract/ai";
import { declaredCharset } from "@oven/contract/text";
import type { OutboundService } from "@oven/module-registry";
import type { AddedDocument } from "./document-service.ts";
import { MAX_DOCUMENT_BYTES } from "./document-size.ts";
import { DOCX } from "./file-kind.ts";
import { toLanguages } from "./recognition/to-languages.ts";
import { typeOf } from "./upload.ts";

const ACCEPT = `text/html,text/markdown,text/plain,application/pdf;q=0.9,${DOCX};q=0.8`;
const TIMEOUT_MS = 60_000;

/**
 * A page or a file of the public internet as a document. Its address is its key: added again, it is read again.
 * @throws OvenError CONTENT_UNAVAILABLE, DOCUMENT_TYPE_UNKNOWN, OUTBOUND_*
 */
export async function readPage(
  outbound: OutboundService,
  { url, title, key, metadata, ...asked }: AddPage,
  signal: AbortSignal,
): Promise<AddedDocument> {
  const options = { headers: { accept: ACCEPT }, signal, maxBytes: MAX_DOCUMENT_BYTES, timeoutMs: TIMEOUT_MS };
  const response = await outbound.fetch(url, options);
  const { pathname, host } = new URL(url);
  try {
    if (!response.ok) {
      throw new OvenError("CONTENT_UNAVAILABLE", `${host} answers ${response.status}`, {
        status: 422,
        fix: "Check that the address opens without signing in, or upload the file",
      });
    }
    const name = pathname.split("/").at(-1) ?? "";
    const contentType = response.headers.get("content-type") ?? "";
    const mediaType = typeOf({ name, type: contentType });
    return {
      title: title ?? `${host}${pathname === "/" ? "" : pathname}`.slice(0, 300),
      key: key ?? url.slice(0, 200),
      mediaType,
      data: new Uint8Array(await response.arrayBuffer()),
      charset: declaredCharset(contentType),
      metadata: { ...metadata, url },
      recognition: toLanguages(asked),
    };
  } finally {
    if (!response.bodyUsed) await response.body?.cancel();
  }
}
