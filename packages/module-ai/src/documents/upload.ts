import { getOwn, JsonObjectSchema, OvenError } from "@oven/contract";
import { type DocumentType, DocumentTypeSchema } from "@oven/contract/ai";
import { limitBody } from "@oven/module-registry";
import { type AddedDocument, MAX_DOCUMENT_BYTES } from "./document-service.ts";

/** Beside the file: names, title and metadata. */
const FORM_BYTES = 1_048_576;
const BY_ENDING: Record<string, DocumentType> = {
  txt: "text/plain",
  md: "text/markdown",
  markdown: "text/markdown",
  html: "text/html",
  htm: "text/html",
  pdf: "application/pdf",
};

/**
 * The parts `file`, and perhaps `title`, `key` and `metadata` (JSON), of a multipart form.
 * @throws OvenError BODY_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, UPLOAD_INVALID, DOCUMENT_TYPE_UNKNOWN
 */
export async function readUpload(request: Request): Promise<AddedDocument> {
  if (!/^multipart\/form-data\b/i.test(request.headers.get("content-type") ?? "")) {
    throw new OvenError("UNSUPPORTED_MEDIA_TYPE", "An upload is multipart/form-data", {
      status: 415,
      fix: "Send a form with the part `file`, or JSON to …/documents",
    });
  }
  const limited = await limitBody(request, MAX_DOCUMENT_BYTES + FORM_BYTES);
  const form = await limited.formData().catch((error: unknown) => {
    throw invalid(`The form cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  });
  const file = form.get("file");
  if (!(file instanceof File)) throw invalid("The form has no file in the part `file`");
  const title = textOf(form, "title") ?? file.name;
  const key = textOf(form, "key");
  return {
    title: title.slice(0, 300),
    ...(key === undefined ? {} : { key: key.slice(0, 200) }),
    mediaType: typeOf(file),
    data: new Uint8Array(await file.arrayBuffer()),
    metadata: toMetadata(textOf(form, "metadata")),
  };
}

function textOf(form: FormData, name: string): string | undefined {
  const value = form.get(name);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/** By the name's ending: browsers know no type for Markdown. @throws OvenError DOCUMENT_TYPE_UNKNOWN */
export function typeOf({ name, type }: Pick<File, "name" | "type">): DocumentType {
  const ending = getOwn(BY_ENDING, name.split(".").at(-1)?.toLowerCase() ?? "");
  const declared = DocumentTypeSchema.safeParse(type.split(";")[0]?.trim());
  const known = ending ?? (declared.success ? declared.data : undefined);
  if (known !== undefined) return known;
  throw new OvenError("DOCUMENT_TYPE_UNKNOWN", `Files such as ${name} (${type || "no type"}) cannot be read`, {
    status: 415,
    fix: `Text, Markdown, HTML and PDF can: ${Object.keys(BY_ENDING).join(", ")}`,
  });
}

function toMetadata(text: string | undefined) {
  if (text === undefined) return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalid(`The part \`metadata\` is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const parsed = JsonObjectSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalid("The part `metadata` is not a JSON object");
}

function invalid(message: string): OvenError {
  return new OvenError("UPLOAD_INVALID", message, {
    fix: "Send a form with the part `file`, and perhaps `title`, `key` and `metadata` as JSON",
  });
}
