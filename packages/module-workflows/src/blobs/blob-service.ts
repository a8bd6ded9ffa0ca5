import {
  type Json,
  type JsonObject,
  notFound,
  OvenError,
  type Principal,
  parseJson,
  SHARED_TENANT,
} from "@oven/contract";
import { type Artefact, type BlobReference, BlobReferenceSchema } from "@oven/contract/run";
import { decodeText, mediaTypeOf } from "@oven/contract/text";
import type { Database } from "@oven/db";
import { sha256Of, summarise, toBlobStub } from "./blob-stub.ts";

/**
 * In place of a run's node, for content that belongs to no run; ids of runs begin at 1. Without a name of its own in `nodeId` it
 * becomes as old as details of runs may.
 */
export const NO_RUN = { executionId: 0, nodeId: "", visit: 1, item: null } as const;

/** The node run that content belongs to; it goes when the run's details go. */
export interface BlobPosition {
  tenantId: number;
  executionId: number;
  nodeId: string;
  visit: number;
  item: string | null;
}

export interface BlobInfo {
  id: number;
  /** 0: of no run. */
  executionId: number;
  mediaType: string;
  bytes: number;
  sha256: string;
}

/** Content kept outside of rows, byte for byte. */
export interface BlobService {
  /**
   * Keeps content; the same content of the same node run is kept once, so that a repeated step leaves nothing behind.
   * @param summary what references show; else the beginning of a text, else the media type
   * @throws OvenError BLOB_TOO_LARGE over 64 MiB
   */
  write(position: BlobPosition, mediaType: string, bytes: Uint8Array, summary?: string): Promise<BlobReference>;
  /** Keeps an output as JSON; its reference goes into the row instead. @throws OvenError BLOB_TOO_LARGE */
  writeOutput(position: BlobPosition, output: Json): Promise<BlobReference>;
  /** @throws OvenError NOT_FOUND, also for content of other tenants */
  find(id: number, principal: Pick<Principal, "tenantId">): Promise<BlobInfo>;
  /** What runs made, the oldest first, and how many there are. */
  list(
    executionIds: readonly number[],
    principal: Pick<Principal, "tenantId">,
    range: { first: number; last: number },
  ): Promise<{ rows: Artefact[]; total: number }>;
  /** @throws OvenError NOT_FOUND */
  read(id: number, principal: Pick<Principal, "tenantId">): Promise<BlobInfo & { data: Uint8Array }>;
  /** Bytes from `start` up to, not including, `end`, read as they are wanted. @throws OvenError NOT_FOUND */
  stream(blob: BlobInfo, start?: number, end?: number): ReadableStream<Uint8Array>;
  /**
   * What a reference in a run's data stands for: JSON as its value, text as text in the charset of its media type, anything else
   * as base64. A file that says it is JSON, and is not, is text.
   * @throws OvenError NOT_FOUND when it is gone, another tenant's, or not what the reference says; TEXT_UNDECODABLE 422
   */
  load(reference: JsonObject, tenantId: number): Promise<Json>;
}

declare module "@oven/module-registry" {
  interface ServiceMap {
    blobs: BlobService;
  }
}

const MAX_BYTES = 64 * 1_048_576;
const PIECE = 1_048_576;

interface BlobRow extends Record<string, unknown> {
  id: number;
  execution_id: number;
  media_type: string;
  size: number;
  sha256: string;
}

export function createBlobService(db: Database): BlobService {
  async function write(
    position: BlobPosition,
    content: { mediaType: string; data: Uint8Array; sha256: string; summary: string },
  ): Promise<BlobReference> {
    const { mediaType, data, sha256, summary } = content;
    if (data.byteLength > MAX_BYTES) {
      throw new OvenError("BLOB_TOO_LARGE", `${data.byteLength} bytes are over the limit of ${MAX_BYTES}`, {
        status: 413,
        fix: "Keep it in a store of your own and hand on where it is.",
      });
    }
    const { tenantId, executionId, nodeId, visit, item } = position;
    const key = [tenantId, executionId, nodeId, visit, item, mediaType, sha256];
    const [known] = await db.query<{ id: number }>(
      `select id from run_blobs where tenant_id = $1 and execution_id = $2 and node_id = $3 and visit = $4
         and item is not distinct from $5 and media_type = $6 and sha256 = $7 limit 1`,
      key,
      "blob-known",
    );
    const [row] =
      known === undefined
        ? await db.query<{ id: number }>(
            `insert into run_blobs (tenant_id, execution_id, node_id, visit, item, media_type, sha256, size, data)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning id`,
            [...key, data.byteLength, data],
            "blob-write",
          )
        : [known];
    if (row === undefined) throw new Error("an insert answered no row");
    return { $blob: row.id, mediaType, bytes: data.byteLength, sha256, summary };
  }

  async function find(id: number, { tenantId }: Pick<Principal, "tenantId">): Promise<BlobInfo> {
    const [row] = await db.query<BlobRow>(
      "select id, execution_id, media_type, size, sha256 from run_blobs where id = $1 and tenant_id in ($2, $3)",
      [id, tenantId, SHARED_TENANT],
      "blob-find",
    );
    if (row === undefined) throw notFound("blob", id);
    const { execution_id: executionId, media_type: mediaType, size: bytes, sha256 } = row;
    return { id, executionId, mediaType, bytes, sha256 };
  }

  const list: BlobService["list"] = async (executionIds, { tenantId }, { first, last }) => {
    const of = "from run_blobs where execution_id = any($1::bigint[]) and tenant_id in ($2, $3)";
    const parameters = [executionIds, tenantId, SHARED_TENANT];
    const [counted] = await db.query<{ total: number }>(`select count(*)::int as total ${of}`, parameters);
    const rows = await db.query<Omit<Artefact, "bytes" | "createdAt"> & { bytes: number; createdAt: Date }>(
      `select id, execution_id as "executionId", node_id as "nodeId", visit, item, media_type as "mediaType",
         size as bytes, sha256, created_at as "createdAt" ${of} order by id offset $4 limit $5`,
      [...parameters, first, last - first + 1],
    );
    return {
      rows: rows.map((row) => ({ ...row, createdAt: new Date(row.createdAt).toISOString() })),
      total: counted?.total ?? 0,
    };
  };

  async function piece({ id }: BlobInfo, start: number, length: number): Promise<Uint8Array> {
    const [row] = await db.query<{ piece: Uint8Array }>(
      "select substring(data from $2::int for $3::int) as piece from run_blobs where id = $1",
      [id, start + 1, length],
      "blob-piece",
    );
    if (row === undefined) throw notFound("blob", id);
    return row.piece;
  }

  async function read(id: number, principal: Pick<Principal, "tenantId">): Promise<BlobInfo & { data: Uint8Array }> {
    const blob = await find(id, principal);
    const data = new Uint8Array(blob.bytes);
    for (let at = 0; at < blob.bytes; at += PIECE) data.set(await piece(blob, at, PIECE), at);
    return { ...blob, data };
  }

  return {
    find,
    list,
    read,
    write: (position, mediaType, data, summary) => {
      const shown =
        summary ??
        (mediaType.startsWith("text/")
          ? summarise(decodeText(data, { contentType: mediaType, malformed: "mark" }).text)
          : mediaType);
      return write(position, { mediaType, data, sha256: sha256Of(data), summary: shown });
    },
    writeOutput: (position, output) => {
      const { stub, bytes } = toBlobStub(output);
      return write(position, { mediaType: stub.mediaType, data: bytes, sha256: stub.sha256, summary: stub.summary });
    },
    stream: (blob, start = 0, end = blob.bytes) => {
      let at = start;
      return new ReadableStream({
        pull: async (controller) => {
          if (at < end) {
            const next = await piece(blob, at, Math.min(PIECE, end - at));
            at += next.byteLength;
            controller.enqueue(next);
          }
          if (at >= end) controller.close();
        },
      });
    },
    load: async (reference, tenantId) => {
      const parsed = BlobReferenceSchema.safeParse(reference);
      const id = parsed.success ? parsed.data.$blob : 0;
      const blob = await read(id, { tenantId });
      if (!parsed.success || parsed.data.sha256 !== blob.sha256) throw notFound("blob", id);
      const type = mediaTypeOf(blob.mediaType);
      if (type !== "application/json" && !type.startsWith("text/")) return Buffer.from(blob.data).toString("base64");
      const { text } = decodeText(blob.data, { contentType: blob.mediaType, what: `Blob ${id}`, status: 422 });
      return type === "application/json" ? jsonOr(text, `Blob ${id}`) : text;
    },
  };
}

/** The value of a JSON text; the text itself when it is none. @throws OvenError NUMBER_NOT_EXACT */
function jsonOr(text: string, what: string): Json {
  try {
    return parseJson(text, { what });
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
