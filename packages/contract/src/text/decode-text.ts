/// <reference path="./html-encoding-sniffer.d.ts" />
import { getBOMEncoding, normalizeEncoding, TextDecoder } from "@exodus/bytes/encoding-browser.js";
import htmlEncodingSniffer from "html-encoding-sniffer";
import { OvenError } from "../oven-error.ts";

export interface DecodeOptions {
  /** What declares the bytes: a `Content-Type` header or a stored media type, with its parameters. */
  contentType?: string | null | undefined;
  /** A label that the reader of the bytes gives; it counts instead of what sender and text declare. */
  charset?: string | undefined;
  /** A label for bytes that declare nothing; UTF-8 by default. */
  assumed?: string | undefined;
  /**
   * What happens to bytes that are no text in the charset. `refuse` (the default) throws. `mark` puts U+FFFD in their place and
   * counts them, for callers that show the count; a declared label that is unknown is then passed over.
   */
  malformed?: "refuse" | "mark";
  /** The bytes are a piece of a text, such as the value of a form's field: a byte order mark in them is a character. */
  isPiece?: boolean;
  /** What is decoded, as a subject of the error's sentence: `The answer of api.example.com`. */
  what?: string;
  /** Where it came in; the error's `path`. */
  path?: string;
  /** HTTP status of the error; 400 by default. */
  status?: number;
  /** What to do, instead of the general advice. */
  fix?: string;
}

export interface DecodedText {
  /** Without its byte order mark. */
  text: string;
  /** Name of the charset in lower case, as the WHATWG Encoding Standard has it: `iso-8859-1` is `windows-1252`. */
  charset: string;
  /** What said so: `given` is `DecodeOptions.charset`, `header` the content type, `content` the text's own declaration. */
  from: "bom" | "given" | "header" | "content" | "assumed";
  /** How many U+FFFD stand for bytes that could not be read; 0 unless `malformed` is `mark`. */
  malformed: number;
}

const FIX = "Send it in UTF-8, or declare the charset that it is in: `text/plain; charset=windows-1252`.";
/** Browsers look for `<meta charset>` in the first 1,024 bytes; pages that begin with long comments have it later. */
const PRESCAN_BYTES = 4_096;

/**
 * The one way from bytes that came from outside to text. The charset is, in this order, that of the byte order mark, of `charset`,
 * of the content type, of the XML declaration or `<meta>` inside the text, and `assumed`.
 *
 * The decoders are those of `@exodus/bytes`: the `TextDecoder` of Node reads parts of EUC-KR and Big5 as other characters.
 * @throws OvenError TEXT_UNDECODABLE when the charset is unknown, or the bytes are no text in it
 */
export function decodeText(bytes: Uint8Array, options: DecodeOptions = {}): DecodedText {
  const { charset, from } = charsetOf(bytes, options);
  try {
    return { text: decode(bytes, charset, { ...options, fatal: true }), charset, from, malformed: 0 };
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    if (options.malformed !== "mark") throw undecodable(`is not valid ${nameOf(charset, from)}`, options, cause);
  }
  const text = decode(bytes, charset, { ...options, fatal: false });
  return { text, charset, from, malformed: text.split("\uFFFD").length - 1 };
}

/** The type of a content type, in lower case and without parameters; empty for none. */
export function mediaTypeOf(contentType: string | null | undefined): string {
  return contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
}

/** Whether what has this content type is text: `text/*`, JSON, XML, forms and scripts. */
export function isTextType(contentType: string | null | undefined): boolean {
  return /^(text\/.+|application\/(json|xml|x-www-form-urlencoded|javascript|x-ndjson|yaml|[\w.+-]+\+(json|xml|yaml)))$/.test(
    mediaTypeOf(contentType),
  );
}

/** The charset that a content type declares, as the Encoding Standard names it; undefined for none, and for one that is not known. */
export function declaredCharset(contentType: string | null | undefined): string | undefined {
  const label = labelIn(contentType);
  return label === undefined ? undefined : toCharset(label);
}

function charsetOf(bytes: Uint8Array, options: DecodeOptions): Pick<DecodedText, "charset" | "from"> {
  const bom = options.isPiece === true ? null : getBOMEncoding(bytes);
  if (options.isPiece !== true && isUtf32(bytes)) throw undecodable("is UTF-32, which is not read", options);
  if (bom !== null) return { charset: bom, from: "bom" };
  if (options.charset !== undefined) return { charset: known(options.charset, options), from: "given" };
  const declared = labelIn(options.contentType);
  if (declared !== undefined && (options.malformed !== "mark" || toCharset(declared) !== undefined))
    return { charset: known(declared, options), from: "header" };
  const inside = toCharset(declaredInside(bytes, options.contentType));
  if (inside !== undefined) return { charset: inside, from: "content" };
  return { charset: known(options.assumed ?? "utf-8", options), from: "assumed" };
}

function labelIn(contentType: string | null | undefined): string | undefined {
  const found = /;\s*charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;]+))/i.exec(contentType ?? "");
  return found?.[1] ?? found?.[2] ?? found?.[3];
}

function declaredInside(bytes: Uint8Array, contentType: string | null | undefined): string {
  const type = mediaTypeOf(contentType);
  if (type === "text/html") return htmlEncodingSniffer(bytes, { defaultEncoding: "", maxPrescanBytes: PRESCAN_BYTES });
  const isXml = /[/+]xml$/.test(type) || String.fromCharCode(...bytes.subarray(0, 5)) === "<?xml";
  return isXml ? htmlEncodingSniffer(bytes, { xml: true, defaultEncoding: "" }) : "";
}

/** @throws OvenError TEXT_UNDECODABLE for a label that no decoder has */
function known(label: string, options: DecodeOptions): string {
  const charset = toCharset(label);
  if (charset !== undefined) return charset;
  throw undecodable(`is in the charset ${JSON.stringify(label.slice(0, 40))}, which is not known`, options);
}

/** `replacement` stands for labels that browsers refuse to decode. */
function toCharset(label: string): string | undefined {
  const charset = normalizeEncoding(label);
  return charset === null || charset === "replacement" ? undefined : charset;
}

function decode(
  bytes: Uint8Array,
  charset: string,
  { isPiece = false, fatal }: DecodeOptions & { fatal: boolean },
): string {
  return new TextDecoder(charset, { fatal, ignoreBOM: isPiece }).decode(bytes);
}

/** Its byte order mark begins with that of UTF-16. */
function isUtf32([a, b, c, d]: Uint8Array): boolean {
  return (a === 0xff && b === 0xfe && c === 0 && d === 0) || (a === 0 && b === 0 && c === 0xfe && d === 0xff);
}

const SOURCES: Record<DecodedText["from"], string> = {
  bom: "as its byte order mark says",
  given: "which was given for it",
  header: "which its content type declares",
  content: "which it declares itself",
  assumed: "which is assumed where nothing is declared",
};

function nameOf(charset: string, from: DecodedText["from"]): string {
  return `${charset}, ${SOURCES[from]}`;
}

function undecodable(why: string, options: DecodeOptions, cause?: unknown): OvenError {
  const { what = "The text", status = 400, path, fix = FIX } = options;
  return new OvenError("TEXT_UNDECODABLE", `${what} ${why}`, {
    status,
    fix,
    ...(path === undefined ? {} : { path }),
    ...(cause === undefined ? {} : { cause }),
  });
}
