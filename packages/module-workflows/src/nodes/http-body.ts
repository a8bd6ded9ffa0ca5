import { type Json, type JsonObject, OvenError } from "@oven/contract";
import { BlobReferenceSchema } from "@oven/contract/run";
import { mediaTypeOf } from "@oven/contract/text";
import { isObject } from "@oven/engine";
import type { BlobService } from "../blobs/blob-service.ts";

export const BODY_TYPES = ["json", "text", "form", "multipart"] as const;
export type BodyType = (typeof BODY_TYPES)[number];

/** The bytes of a request, and the content type that says what they are. */
export interface HttpBody {
  bytes: Uint8Array;
  contentType: string;
}

/** Where the files of a body are read from, and whose they must be. */
interface Files {
  blobs: Pick<BlobService, "read">;
  tenantId: number;
}

const FORM = "application/x-www-form-urlencoded";
/** Writes a file's name into a header: what would end it is escaped as in forms of browsers. */
const escapeName = (name: string): string => name.replace(/[\r\n"]/g, (character) => encodeURIComponent(character));

/**
 * A body as it is sent. A body of the type JSON under a form's `Content-Type` is sent as that form: the header says what the
 * service expects.
 * @param header the `Content-Type` that the step sets itself
 * @throws OvenError INPUT_INVALID; NOT_FOUND for a file that is gone
 */
export async function toHttpBody(
  body: Json,
  type: BodyType,
  header: string | undefined,
  files: Files,
): Promise<HttpBody> {
  const isForm = type === "form" || (type === "json" && mediaTypeOf(header) === FORM);
  if (type === "multipart") return toMultipart(fieldsOf(body), files);
  if (type !== "text" && mediaTypeOf(header) === "multipart/form-data")
    throw invalid(
      "A body cannot have the content type multipart/form-data",
      "Use bodyType multipart, without the header.",
    );
  if (isForm) {
    const text = typeof body === "string" ? body : toUrlEncoded(fieldsOf(body));
    return { bytes: encode(text), contentType: FORM };
  }
  if (type === "json") return { bytes: encode(JSON.stringify(body)), contentType: "application/json" };
  if (typeof body === "string") return { bytes: encode(body), contentType: "text/plain; charset=utf-8" };
  throw invalid("A body of the type text must be text", "Use bodyType json.");
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Names and values in order; a list is its name several times, and null is left out. */
function fieldsOf(body: Json): [string, Json][] {
  if (!isObject(body)) throw invalid("A form must be an object of its fields", 'Write it as {"name": "value"}.');
  return Object.entries(body).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((one): [string, Json][] => (one === null ? [] : [[name, one]])),
  );
}

function toUrlEncoded(fields: readonly [string, Json][]): string {
  return new URLSearchParams(fields.map(([name, value]): [string, string] => [name, textOf(name, value)])).toString();
}

async function toMultipart(fields: readonly [string, Json][], files: Files): Promise<HttpBody> {
  const boundary = `oven-${crypto.randomUUID()}`;
  const parts: Uint8Array[] = [];
  for (const [name, value] of fields) {
    const disposition = `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(name)}"`;
    if (isObject(value)) {
      const file = await readReferencedFile(value, files, `The file of the field ${name}`);
      const filename = typeof value.filename === "string" ? value.filename : `blob-${file.id}`;
      parts.push(
        encode(`${disposition}; filename="${escapeName(filename)}"\r\nContent-Type: ${file.mediaType}\r\n\r\n`),
      );
      parts.push(file.data);
    } else parts.push(encode(`${disposition}\r\n\r\n${textOf(name, value)}`));
    parts.push(encode("\r\n"));
  }
  parts.push(encode(`--${boundary}--\r\n`));
  return { bytes: new Uint8Array(Buffer.concat(parts)), contentType: `multipart/form-data; boundary=${boundary}` };
}

/**
 * The content that `{filename, blob}`, or a reference by itself, stands for.
 * @param what for errors: `The file of the field cv`
 * @throws OvenError INPUT_INVALID; NOT_FOUND for a file that is gone
 */
export async function readReferencedFile(value: JsonObject, { blobs, tenantId }: Files, what: string) {
  const reference = BlobReferenceSchema.safeParse(value.blob ?? value);
  if (!reference.success)
    throw invalid(`${what} is neither a value nor a file`, "Write {filename, blob} with a reference to content.");
  const { $blob, sha256 } = reference.data;
  const file = await blobs.read($blob, { tenantId });
  // As wherever a reference is followed: none can be made up.
  if (file.sha256 === sha256) return file;
  throw invalid(`${what} is not what its reference says`, "Hand on the reference as it came.");
}

function textOf(name: string, value: Json): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw invalid(`The field ${name} of a form must be text, a number, true or false`, "Make a text of it first.");
}

function invalid(message: string, fix: string): OvenError {
  return new OvenError("INPUT_INVALID", message, { path: "$.body", fix });
}
