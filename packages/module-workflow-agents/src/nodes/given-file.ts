import { OvenError } from "@oven/contract";
import { type BlobReference, BlobReferenceSchema, type GivenFile } from "@oven/contract/run";
import type { NodeContext } from "@oven/module-registry";

const DATA_URL = /^data:([^,]{0,200}?)(;base64)?,/;

/** A file with its content. */
export interface ReadFile {
  data: Uint8Array;
  /** Its name, or the end of its address; null: it has none. */
  name: string | null;
  /** What its sender says that it is; null: nothing. */
  contentType: string | null;
}

type Context = Pick<NodeContext, "services" | "principal" | "signal">;

/**
 * Reads a file that came into a run.
 * @param maxBytes of an address; of other content its own size is checked before it is read
 * @throws OvenError CONTENT_UNAVAILABLE, DOCUMENT_TOO_LARGE, NOT_FOUND, OUTBOUND_*, INPUT_INVALID for a text that is neither an address nor data
 */
export async function readGivenFile(context: Context, file: GivenFile, maxBytes: number): Promise<ReadFile> {
  if (typeof file === "string") return readText(context, file, maxBytes);
  const reference = BlobReferenceSchema.safeParse("blob" in file ? file.blob : file).data;
  const name = "filename" in file && typeof file.filename === "string" ? file.filename : null;
  const contentType = "contentType" in file && typeof file.contentType === "string" ? file.contentType : null;
  if (reference !== undefined) return readBlob(context, reference, { name, contentType }, maxBytes);
  return { data: fromBase64("base64" in file ? String(file.base64) : "", maxBytes), name, contentType };
}

async function readText(context: Context, text: string, maxBytes: number): Promise<ReadFile> {
  const [head, contentType = "", isBase64] = DATA_URL.exec(text) ?? [];
  if (head !== undefined) {
    const content = text.slice(head.length);
    const data = isBase64 === undefined ? fromPercents(content) : fromBase64(content, maxBytes);
    return { data, name: null, contentType: contentType === "" ? null : contentType };
  }
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw invalid(
      "A file is no address and no data: URL",
      "Give an http or https address, a data: URL, or a file of the run.",
    );
  return readAddress(context, url, maxBytes);
}

async function readAddress({ services, signal }: Context, url: URL, maxBytes: number): Promise<ReadFile> {
  const response = await services.outbound.fetch(url, { signal, maxBytes });
  try {
    if (!response.ok)
      throw new OvenError("CONTENT_UNAVAILABLE", `${url.host} answers ${response.status} instead of a file`, {
        status: 422,
        retryable: response.status >= 500,
        fix: "Check that the address opens without signing in.",
      });
    const data = new Uint8Array(await response.arrayBuffer());
    return { data, name: url.pathname.split("/").at(-1) || null, contentType: response.headers.get("content-type") };
  } finally {
    if (!response.bodyUsed) await response.body?.cancel();
  }
}

async function readBlob(
  { services, principal }: Context,
  { $blob, sha256, bytes }: BlobReference,
  named: Pick<ReadFile, "name" | "contentType">,
  maxBytes: number,
): Promise<ReadFile> {
  if (bytes > maxBytes) throw tooLarge(bytes, maxBytes);
  const blob = await services.blobs.read($blob, principal);
  // A reference is followed only when it is right, so that none can be made up.
  if (blob.sha256 !== sha256)
    throw new OvenError("NOT_FOUND", `Blob ${$blob} has another content than the reference says`, {
      status: 404,
      fix: "Hand the reference on as it came.",
    });
  const { data, mediaType } = blob;
  return { data, name: named.name, contentType: named.contentType ?? mediaType };
}

function fromBase64(text: string, maxBytes: number): Uint8Array {
  const isWhole = /^[A-Za-z0-9+/_-]*={0,2}$/.test(text);
  if (!isWhole) throw invalid("The data of a file is no base64", "Encode it anew; line breaks must not be in it.");
  const bytes = Math.floor((text.length * 3) / 4);
  if (bytes > maxBytes + 2) throw tooLarge(bytes, maxBytes);
  return Buffer.from(text, "base64");
}

function fromPercents(text: string): Uint8Array {
  const unescaped = text.replaceAll(/%([0-9a-fA-F]{2})|[^ -~]+/g, (whole, hex?: string) =>
    hex === undefined ? Buffer.from(whole).toString("latin1") : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(unescaped, "latin1");
}

function tooLarge(bytes: number, maxBytes: number): OvenError {
  return new OvenError("DOCUMENT_TOO_LARGE", `A file has ${bytes} bytes, and ${maxBytes} are taken`, {
    status: 413,
    fix: "Split it into several files",
    details: { limit: maxBytes },
  });
}

function invalid(message: string, fix: string): OvenError {
  return new OvenError("INPUT_INVALID", message, { status: 422, fix });
}
