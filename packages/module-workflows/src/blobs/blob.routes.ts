import { OvenError, type Principal } from "@oven/contract";
import { ArtefactSchema } from "@oven/contract/run";
import { declaredCharset, mediaTypeOf } from "@oven/contract/text";
import { defineRoute, ListQuerySchema, listReply, type Route, toListParams } from "@oven/module-registry";
import { z } from "zod";
import type { BlobInfo, BlobService } from "./blob-service.ts";
import { parseByteRange } from "./byte-range.ts";

/** Types that no browser runs; everything else is sent as bytes. With the ending of the file's name. */
const SAFE_TYPES: ReadonlyMap<string, { type: string; ending: string }> = new Map(
  Object.entries({
    "application/json": { type: "application/json; charset=utf-8", ending: "json" },
    "text/plain": { type: "text/plain; charset=utf-8", ending: "txt" },
    "text/csv": { type: "text/csv; charset=utf-8", ending: "csv" },
    "text/markdown": { type: "text/plain; charset=utf-8", ending: "md" },
    "image/png": { type: "image/png", ending: "png" },
    "image/jpeg": { type: "image/jpeg", ending: "jpg" },
    "image/gif": { type: "image/gif", ending: "gif" },
    "image/webp": { type: "image/webp", ending: "webp" },
    "application/pdf": { type: "application/pdf", ending: "pdf" },
    "audio/mpeg": { type: "audio/mpeg", ending: "mp3" },
    "audio/wav": { type: "audio/wav", ending: "wav" },
    "video/mp4": { type: "video/mp4", ending: "mp4" },
  }),
);
/** In `SAFE_TYPES` the charset of what declares none. */
const UTF_8 = /(?<=charset=)utf-8$/;
const BYTES = { type: "application/octet-stream", ending: "bin" };

export interface BlobRouteDeps {
  blobs: BlobService;
  /** @throws OvenError NOT_FOUND when the principal may not see the run */
  requireRun(principal: Principal, executionId: number): Promise<void>;
  /** The run and those inside it. */
  familyOf(executionId: number): Promise<number[]>;
}

export function blobRoutes(deps: () => BlobRouteDeps): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "executions/[id]/artefacts",
      operation: false,
      summary: "Files, images and large outputs that a run of either kind, or a run inside it, made; takes `range`",
      access: { permission: "executions.read" },
      effect: "pure",
      keepsToWorkflows: true,
      params: z.object({ id: z.coerce.number().int().positive() }),
      query: ListQuerySchema,
      response: z.array(ArtefactSchema),
      handler: async ({ principal, params, query }) => {
        const { blobs, requireRun, familyOf } = deps();
        await requireRun(principal, params.id);
        const list = toListParams(query);
        const { rows, total } = await blobs.list(await familyOf(params.id), principal, list.range);
        return listReply("artefacts", list, rows, total);
      },
    }),
    defineRoute({
      method: "GET",
      path: "blobs/[id]",
      operation: false,
      summary: "The content that a reference `{$blob: id, …}` in a run stands for; takes `Range`",
      access: { permission: "executions.read" },
      effect: "pure",
      keepsToWorkflows: true,
      params: z.object({ id: z.coerce.number().int().positive() }),
      handler: async ({ principal, params, request }) => {
        const { blobs, requireRun } = deps();
        const blob = await blobs.find(params.id, principal);
        if (principal.workflows !== undefined) await requireRun(principal, blob.executionId);
        const range = parseByteRange(request.headers.get("range"), blob.bytes);
        if (range === null) throw unsatisfiable(blob);
        const { start, end } = range ?? { start: 0, end: blob.bytes };
        return new Response(blobs.stream(blob, start, end), {
          status: range === undefined ? 200 : 206,
          headers: {
            ...headersOf(blob),
            "content-length": String(end - start),
            ...(range && { "content-range": `bytes ${start}-${end - 1}/${blob.bytes}` }),
          },
        });
      },
    }),
  ];
}

function headersOf({ id, mediaType, sha256 }: BlobInfo): Record<string, string> {
  const { type, ending } = SAFE_TYPES.get(mediaTypeOf(mediaType)) ?? BYTES;
  const charset = declaredCharset(mediaType) ?? "utf-8";
  return {
    "content-type": type.replace(UTF_8, charset),
    // A run's data may be anything, also a page with a script.
    "content-disposition": `attachment; filename="blob-${id}.${ending}"`,
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
    "accept-ranges": "bytes",
    etag: `"${sha256}"`,
  };
}

function unsatisfiable({ id, bytes }: BlobInfo): OvenError {
  return new OvenError("RANGE_UNSATISFIABLE", `Blob ${id} has ${bytes} bytes`, {
    status: 416,
    path: "$headers.range",
    fix: "Ask for bytes that exist.",
    details: { bytes },
  });
}
