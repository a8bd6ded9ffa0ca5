import type { Message } from "@oven/contract/ai";
import type { BlobReference } from "@oven/contract/run";
import { mediaTypeOf } from "@oven/contract/text";
import type { FileKind, ModelFiles } from "../providers/model-provider.ts";

/** Of one file; vendors take no larger pictures. */
const MOST_FILE_BYTES = 4_194_304;
/** Of one request: the newest files stay. */
const MOST_BYTES = 12_582_912;
const MOST_FILES = 20;

const TAKEN: Readonly<Record<string, FileKind>> = {
  "image/png": "image",
  "image/jpeg": "image",
  "image/gif": "image",
  "image/webp": "image",
  "audio/wav": "audio",
  "audio/x-wav": "audio",
  "audio/mpeg": "audio",
  "audio/mp3": "audio",
  "audio/ogg": "audio",
  "audio/flac": "audio",
  "audio/aac": "audio",
};

export interface ShownFile {
  mediaType: string;
  data: Uint8Array;
}

/** What a model is shown of the files of one tool's result, and in words what it is not. */
export interface ShownFiles {
  place: ModelFiles["place"];
  shown: ShownFile[];
  leftOut: string[];
}

/** By the part of a tool's result that the files belong to. */
export type FilesOfParts = ReadonlyMap<object, ShownFiles>;

interface Reader {
  files: ModelFiles | undefined;
  modelId: string;
  read: ((file: BlobReference) => Promise<Uint8Array | undefined>) | undefined;
}

const NOT_SHOWN = "A picture of this message is not shown: it is not there any more, or newer ones left no room.";

/**
 * Reads the files of a conversation, the newest first, within what a request may have: those of tools as far as the model is known to take
 * them, and pictures of people's messages always, since the step asks for them to be shown.
 */
export async function readShownFiles(
  messages: readonly Message[],
  { files, modelId, read }: Reader,
): Promise<FilesOfParts> {
  const kinds = read === undefined ? [] : (files?.of(modelId) ?? []);
  const found = new Map<object, ShownFiles>();
  let bytes = 0;
  let count = 0;
  for (const message of messages.toReversed()) {
    if (message.role === "user" && typeof message.content !== "string") {
      for (const part of message.content.toReversed()) {
        if (part.type !== "image") continue;
        const of: ShownFiles = { place: "message", shown: [], leftOut: [] };
        const { file } = part;
        const data = file === undefined || bytes + file.bytes > MOST_BYTES ? undefined : await read?.(file);
        if (file === undefined || data === undefined) of.leftOut.push(NOT_SHOWN);
        else {
          of.shown.push({ mediaType: mediaTypeOf(file.mediaType), data });
          bytes += file.bytes;
          count += 1;
        }
        found.set(part, of);
      }
    }
    if (message.role !== "tool") continue;
    for (const part of message.content.toReversed()) {
      if (part.files === undefined || part.files.length === 0) continue;
      const of: ShownFiles = { place: files?.place ?? "message", shown: [], leftOut: [] };
      for (const file of part.files) {
        const mediaType = mediaTypeOf(file.mediaType);
        const why = unfit(mediaType, file.bytes, kinds) ?? tooMuch(bytes + file.bytes, count + 1);
        const data = why === undefined ? await read?.(file) : undefined;
        if (data === undefined) {
          of.leftOut.push(
            `A file of the result (${mediaType}, ${file.bytes} bytes) is not shown: ${why ?? "it is not there any more"}.`,
          );
          continue;
        }
        of.shown.push({ mediaType, data });
        bytes += file.bytes;
        count += 1;
      }
      found.set(part, of);
    }
  }
  return found;
}

function unfit(mediaType: string, bytes: number, kinds: readonly FileKind[]): string | undefined {
  const kind = TAKEN[mediaType];
  if (kind === undefined) return "no model takes files of this type";
  if (!kinds.includes(kind))
    return kind === "image" ? "this model is not known to see pictures" : "this model is not known to hear sounds";
  return bytes > MOST_FILE_BYTES ? `it has more than ${MOST_FILE_BYTES} bytes` : undefined;
}

function tooMuch(bytes: number, count: number): string | undefined {
  return bytes > MOST_BYTES || count > MOST_FILES
    ? "the conversation has newer files, and no room for more"
    : undefined;
}
