import { OvenError } from "@oven/contract";
import type { Message } from "@oven/contract/ai";
import { type BlobReference, BlobReferenceSchema } from "@oven/contract/run";
import type { NodeContext } from "@oven/module-registry";
import { z } from "zod";
import { callerOfNode } from "./model-caller.ts";

/** Vendors take no larger pictures. */
const MOST_BYTES = 4_194_304;
const MOST_IMAGES = 20;
const DATA_URL = /^data:[^;,]*;base64,([A-Za-z0-9+/]*={0,2})$/;
/** Characters of a picture of that size as base64, with what stands before it. */
const MOST_CHARACTERS = Math.ceil(MOST_BYTES / 3) * 4 + 100;

/** A reference may come as webhooks and mails hand it on: with the name of its file. */
const ImageSchema = z.union([
  z.string().min(1).max(MOST_CHARACTERS),
  BlobReferenceSchema,
  z.looseObject({ blob: BlobReferenceSchema }),
]);
type GivenImage = z.output<typeof ImageSchema>;

/** An input of pictures: one, or several. */
export const ImagesSchema = z
  .union([ImageSchema, z.array(ImageSchema).max(MOST_IMAGES)])
  .optional()
  .describe(
    "Pictures that the model sees with the last message of a person: addresses (http or https), `data:` URLs, or references of files of the run, also as webhooks and mails hand them on (`{filename, blob}`). PNG, JPEG, GIF or WebP, at most 4 MiB each",
  );

type Context = NodeContext<{ images?: z.output<typeof ImagesSchema> }>;
type UserMessage = Extract<Message, { role: "user" }>;
type ImagePart = Extract<Exclude<UserMessage["content"], string>[number], { type: "image" }>;

/**
 * The conversation with the step's pictures in its last message of a person. A picture at an address is read once and stored with the run; a
 * run that is answered from a recording reads none.
 * @throws OvenError UNSUPPORTED_MEDIA_TYPE, CONTENT_UNAVAILABLE, BLOB_TOO_LARGE, OUTBOUND_*, INVALID_REQUEST without a message of a person
 */
export async function withImages(context: Context, messages: readonly Message[]): Promise<readonly Message[]> {
  const images = [context.input.images ?? []].flat();
  if (images.length === 0) return messages;
  const at = messages.findLastIndex(({ role }) => role === "user");
  const last = messages[at];
  if (last?.role !== "user")
    throw new OvenError("INVALID_REQUEST", "There is no message of a person that pictures could be shown with", {
      path: "$.images",
      status: 422,
      fix: "Give the step a prompt.",
    });
  const parts: ImagePart[] = [];
  for (const image of images) parts.push(await toPart(context, image));
  const said = typeof last.content === "string" ? [{ type: "text" as const, text: last.content }] : last.content;
  return messages.with(at, { ...last, content: [...said, ...parts] });
}

async function toPart(context: Context, image: GivenImage): Promise<ImagePart> {
  if (typeof image !== "string") {
    const file: BlobReference = BlobReferenceSchema.parse("blob" in image ? image.blob : image);
    requirePicture(file.mediaType, "This file of the run");
    requireSize(file.bytes);
    return { type: "image", file };
  }
  const data = DATA_URL.exec(image)?.[1];
  if (data !== undefined) return { type: "image", file: await store(context, Buffer.from(data, "base64"), "The data") };
  const url = URL.canParse(image) ? new URL(image) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new OvenError("INVALID_REQUEST", "A picture is no address and no data: URL with base64", {
      path: "$.images",
      status: 422,
      fix: "Give an http or https address, a data: URL, or a reference of a file of the run.",
    });
  // The answer is looked up by the address.
  if (callerOfNode(context).recording?.mode === "replay") return { type: "image", url: image };
  return { type: "image", url: image, file: await read(context, url) };
}

async function read(context: Context, url: URL): Promise<BlobReference> {
  const options = { headers: { accept: "image/*" }, signal: context.signal, maxBytes: MOST_BYTES };
  const response = await context.services.outbound.fetch(url, options);
  try {
    if (!response.ok)
      throw new OvenError("CONTENT_UNAVAILABLE", `${url.host} answers ${response.status} instead of a picture`, {
        status: 422,
        retryable: response.status >= 500,
        fix: "Check that the address opens without signing in.",
      });
    return await store(context, new Uint8Array(await response.arrayBuffer()), url.host);
  } finally {
    if (!response.bodyUsed) await response.body?.cancel();
  }
}

async function store({ services, principal, node }: Context, data: Uint8Array, from: string): Promise<BlobReference> {
  requireSize(data.length);
  const mediaType = mediaTypeIn(data);
  requirePicture(mediaType ?? "", from);
  const { executionId, nodeId, visit, item } = node;
  const position = { tenantId: principal.tenantId, executionId, nodeId, visit, item };
  return services.blobs.write(position, mediaType ?? "", data);
}

const TAKEN = /^image\/(?:png|jpeg|gif|webp)$/;

function requirePicture(mediaType: string, from: string): void {
  if (TAKEN.test(mediaType)) return;
  throw new OvenError("UNSUPPORTED_MEDIA_TYPE", `${from} has no picture that models take`, {
    path: "$.images",
    status: 422,
    fix: "Use PNG, JPEG, GIF or WebP.",
  });
}

function requireSize(bytes: number): void {
  if (bytes <= MOST_BYTES) return;
  throw new OvenError("BLOB_TOO_LARGE", `A picture has ${bytes} bytes, and models take ${MOST_BYTES}`, {
    path: "$.images",
    status: 422,
    fix: "Make it smaller.",
  });
}

/** By its first bytes: what a server says of them is often wrong. */
function mediaTypeIn(data: Uint8Array): string | undefined {
  const start = Buffer.from(data.subarray(0, 12)).toString("latin1");
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (start.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(start)) return "image/gif";
  return start.startsWith("RIFF") && start.endsWith("WEBP") ? "image/webp" : undefined;
}
