import { OvenError } from "@oven/contract";
import { declaredCharset, decodeText, isTextType } from "@oven/contract/text";
import { MultipartParseError, type MultipartPart, parseMultipart } from "@remix-run/multipart-parser";

export interface FormFile {
  /** As its sender calls it; empty for a file without a name. */
  filename: string;
  /** As its sender declares it, with parameters; `application/octet-stream` for none. */
  contentType: string;
  data: Uint8Array;
}

/** A field of a form, or a file in it, in the order of the form. */
export type FormEntry = { name: string; value: string } | { name: string; file: FormFile };

export interface FormOptions {
  /** The `Content-Type` of the whole form. */
  contentType: string;
  /** A label for what declares nothing; UTF-8 by default. */
  assumed?: string | undefined;
  /** Where it came in; the `path` of errors. */
  path?: string;
}

/** Parts of one form; browsers send one for each field. */
const MOST_PARTS = 1_000;
/** Every browser writes the charset of a form into a hidden field of this name (HTML, 4.10.21.5). */
const CHARSET_FIELD = "_charset_";

/**
 * The fields of `application/x-www-form-urlencoded`, or of a query. Escapes are bytes: they are read in the charset that the content
 * type declares, else in that of the field `_charset_`, else in `assumed`.
 * @throws OvenError TEXT_UNDECODABLE
 */
export function readUrlEncoded(
  form: Uint8Array,
  { contentType, assumed, path = "$" }: FormOptions,
): [string, string][] {
  const pairs = Buffer.from(form)
    .toString("latin1")
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair): [string, string] => {
      const at = pair.indexOf("=");
      return at === -1 ? [pair, ""] : [pair.slice(0, at), pair.slice(at + 1)];
    });
  const hidden = pairs.find(([name]) => name === CHARSET_FIELD)?.[1];
  const charset = declaredCharset(`;charset="${hidden ?? ""}"`) ?? assumed;
  const read = (piece: string): string => {
    // What is not escaped is ASCII, whatever the charset of the escapes.
    if (/^[\x20-\x24\x26-\x7e]*$/.test(piece)) return piece.replaceAll("+", " ");
    const bytes = unescapeBytes(piece);
    return decodeText(bytes, { isPiece: true, contentType, assumed: charset, what: "A field of the form", path }).text;
  };
  return pairs.map(([name, value]) => [read(name), read(value)]);
}

function unescapeBytes(text: string): Buffer {
  const bytes = text
    .replaceAll("+", " ")
    .replace(/%([0-9a-f]{2})/gi, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1");
}

/**
 * The fields and files of `multipart/form-data`. A field is read in the charset that its part declares, else in that of the field
 * `_charset_`, else in that of the whole form, else in `assumed`. Empty file inputs are left out.
 * @throws OvenError UPLOAD_INVALID 400, TEXT_UNDECODABLE 400
 */
export function readMultipart(form: Uint8Array, { contentType, assumed, path = "$" }: FormOptions): FormEntry[] {
  const parts = partsOf(form, contentType);
  const hidden = parts.find(({ name }) => name === CHARSET_FIELD)?.text;
  const charset = declaredCharset(`;charset="${hidden ?? ""}"`) ?? declaredCharset(contentType) ?? assumed;
  return parts.flatMap((part): FormEntry[] => {
    const { name, filename } = part;
    if (name === undefined) throw invalid("A part of the form has no name");
    if (`${name}${filename ?? ""}`.includes("\uFFFD")) throw invalid("The name of a field or file is not in UTF-8");
    const type = part.headers["content-type"] ?? "";
    if (filename === "" && part.size === 0) return [];
    const { bytes: data } = part;
    if (filename !== undefined || (type !== "" && !isTextType(type)))
      return [{ name, file: { filename: filename ?? "", contentType: type || "application/octet-stream", data } }];
    const what = `The field ${name} of the form`;
    return [{ name, value: decodeText(data, { isPiece: true, contentType: type, assumed: charset, what, path }).text }];
  });
}

/** Whether a form comes in parts. */
export function isMultipart(contentType: string | null): contentType is string {
  return /^multipart\/form-data\b/i.test(contentType ?? "");
}

function partsOf(form: Uint8Array, contentType: string): MultipartPart[] {
  const found = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;]+))/i.exec(contentType);
  const boundary = found?.[1] ?? found?.[2];
  if (boundary === undefined) throw invalid("The content type of the form has no boundary");
  const size = form.byteLength;
  try {
    return [...parseMultipart(form, { boundary, maxParts: MOST_PARTS, maxFileSize: size, maxTotalSize: size })];
  } catch (cause) {
    if (!(cause instanceof MultipartParseError)) throw cause;
    throw invalid(`The form cannot be read: ${cause.message}`, cause);
  }
}

function invalid(message: string, cause?: unknown): OvenError {
  return new OvenError("UPLOAD_INVALID", message, {
    fix: "Send multipart/form-data as browsers do: RFC 7578.",
    ...(cause === undefined ? {} : { cause }),
  });
}
