import { getOwn, isOvenError, JsonObjectSchema, OvenError, parseJson } from "@oven/contract";
import { type DocumentType, DocumentTypeSchema, recognitionOptions } from "@oven/contract/ai";
import { declaredCharset } from "@oven/contract/text";
import { type FormEntry, isMultipart, limitBody, readMultipart } from "@oven/module-registry";
import { z } from "zod";
import type { AddedDocument } from "./document-service.ts";
import { MAX_DOCUMENT_BYTES } from "./document-size.ts";
import { DOCX } from "./file-kind.ts";
import { toLanguages } from "./recognition/to-languages.ts";

/** Beside the file: names, title and metadata. */
const FORM_BYTES = 1_048_576;
const BY_ENDING: Record<string, DocumentType> = {
  txt: "text/plain",
  md: "text/markdown",
  markdown: "text/markdown",
  html: "text/html",
  htm: "text/html",
  pdf: "application/pdf",
  docx: DOCX,
};

/**
 * The parts `file`, and perhaps `title`, `key`, `charset`, `metadata` (JSON), `recognizeText` (`true` or `false`) and `recognitionLanguages` (`eng,deu`),
 * of a multipart form.
 * @throws OvenError BODY_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, UPLOAD_INVALID, TEXT_UNDECODABLE, DOCUMENT_TYPE_UNKNOWN
 */
export async function readUpload(request: Request): Promise<AddedDocument> {
  const contentType = request.headers.get("content-type");
  if (!isMultipart(contentType)) {
    throw new OvenError("UNSUPPORTED_MEDIA_TYPE", "An upload is multipart/form-data", {
      status: 415,
      fix: "Send a form with the part `file`, or JSON to …/documents",
    });
  }
  const limited = await limitBody(request, MAX_DOCUMENT_BYTES + FORM_BYTES);
  const entries = readMultipart(new Uint8Array(await limited.arrayBuffer()), { contentType });
  const file = entries.flatMap((entry) => (entry.name === "file" && "file" in entry ? [entry.file] : []))[0];
  if (file === undefined) throw invalid("The form has no file in the part `file`");
  const { filename, contentType: type, data } = file;
  const title = textOf(entries, "title") ?? filename;
  const key = textOf(entries, "key");
  return {
    title: title.slice(0, 300),
    ...(key === undefined ? {} : { key: key.slice(0, 200) }),
    mediaType: typeOf({ name: filename, type }),
    data,
    charset: textOf(entries, "charset")?.slice(0, 40) ?? declaredCharset(type),
    metadata: toMetadata(textOf(entries, "metadata")),
    recognition: toRecognition(textOf(entries, "recognizeText"), textOf(entries, "recognitionLanguages")),
  };
}

function textOf(entries: readonly FormEntry[], name: string): string | undefined {
  const entry = entries.find((one) => one.name === name);
  const value = entry !== undefined && "value" in entry ? entry.value.trim() : "";
  return value === "" ? undefined : value;
}

const AskedSchema = z.object({
  recognizeText: z
    .enum(["true", "false"])
    .transform((word) => word === "true")
    .optional(),
  recognitionLanguages: z
    .string()
    .transform((codes) => codes.split(",").map((code) => code.trim()))
    .pipe(recognitionOptions.recognitionLanguages.unwrap())
    .optional(),
});

/** @throws OvenError UPLOAD_INVALID */
function toRecognition(recognizeText: string | undefined, recognitionLanguages: string | undefined) {
  const asked = AskedSchema.safeParse({ recognizeText, recognitionLanguages });
  if (asked.success) return toLanguages(asked.data);
  const { path, message } = asked.error.issues[0] ?? { path: [], message: "" };
  throw invalid(`The part \`${String(path[0])}\` cannot be used: ${message}`);
}

/** By the name's ending: browsers know no type for Markdown. @throws OvenError DOCUMENT_TYPE_UNKNOWN */
export function typeOf({ name, type }: Pick<File, "name" | "type">): DocumentType {
  const ending = getOwn(BY_ENDING, name.split(".").at(-1)?.toLowerCase() ?? "");
  const declared = DocumentTypeSchema.safeParse(type.split(";")[0]?.trim());
  const known = ending ?? (declared.success ? declared.data : undefined);
  if (known !== undefined) return known;
  throw new OvenError("DOCUMENT_TYPE_UNKNOWN", `Files such as ${name} (${type || "no type"}) cannot be read`, {
    status: 415,
    fix: `Text, Markdown, HTML, PDF and Word can: ${Object.keys(BY_ENDING).join(", ")}`,
  });
}

function toMetadata(text: string | undefined) {
  if (text === undefined) return {};
  let value: unknown;
  try {
    value = parseJson(text, { what: "The part `metadata`" });
  } catch (error) {
    if (isOvenError(error)) throw error;
    throw invalid(`The part \`metadata\` is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const parsed = JsonObjectSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalid("The part `metadata` is not a JSON object");
}

function invalid(message: string): OvenError {
  return new OvenError("UPLOAD_INVALID", message, {
    fix: "Send a form with the part `file`, and perhaps `title`, `key`, `charset`, `recognizeText` (true, false), `recognitionLanguages` (eng,deu) and `metadata` as JSON",
  });
}
