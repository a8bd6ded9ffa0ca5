import { type Json, type JsonObject, notFound, readJson } from "@oven/contract";
import { type LargeOutput, LargeOutputSchema, type OutputRef } from "@oven/contract/formats/chains.ts";
import { isObject } from "@oven/engine";
import type { ServiceMap } from "@oven/module-registry";
import type { BlobPosition } from "@oven/module-workflows";

/** Bytes of JSON over which an output goes on as a summary with a reference. */
export const INLINE_BYTES = 65_536;
const NODE_RUNS = "agent_workflow_node_executions";
const SHOWN = 200;

/** The value itself where it is small; else it is kept whole beside the run, and what stands for it is answered. */
export async function keepPayload(
  blobs: ServiceMap["blobs"],
  value: Json,
  { position, path }: { position: BlobPosition; path: string },
): Promise<Json> {
  const data = Buffer.from(JSON.stringify(value));
  if (data.byteLength <= INLINE_BYTES) return value;
  const { $blob } = await blobs.write(position, "application/json", data, path);
  const large: LargeOutput = {
    summary: summaryOf(value),
    output_ref: { type: "file", path, blob_id: $blob },
    meta: { count: countOf(value), bytes: data.byteLength },
  };
  return large;
}

/** Undefined: the value is there as it is. */
export function asLarge(value: Json | undefined): LargeOutput | undefined {
  const parsed = LargeOutputSchema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

/** The value, or what it stands for. @throws OvenError NOT_FOUND */
export async function wholeOf(blobs: ServiceMap["blobs"], value: Json, tenantId: number): Promise<Json> {
  const large = asLarge(value);
  if (large === undefined || large.output_ref.type !== "file") return value;
  const { data } = await blobs.read(large.output_ref.blob_id, { tenantId });
  return readJson(Buffer.from(data).toString("utf8")).value;
}

/** Where a small value is: a key of what a node answered, in the record of the run. */
export const refOfNodeRun = (id: number, key: "output" | "received" | "arguments" | "result"): OutputRef => ({
  type: "db",
  table: NODE_RUNS,
  row_id: `${id}.${key}`,
});

/** @throws OvenError NOT_FOUND */
export function nodeRunOf({ table, row_id }: Extract<OutputRef, { type: "db" }>): { id: number; key: string } {
  const [, id, key] = /^(\d{1,15})\.(output|received|arguments|result)$/.exec(row_id) ?? [];
  if (table !== NODE_RUNS || id === undefined || key === undefined) throw notFound("output", `${table}/${row_id}`);
  return { id: Number(id), key };
}

/** Items of the value: of a list its own, else of its longest list. */
function countOf(value: Json): number {
  if (Array.isArray(value)) return value.length;
  const lists = isObject(value) ? Object.values(value).filter(Array.isArray) : [];
  return lists.length === 0
    ? isObject(value)
      ? Object.keys(value).length
      : 1
    : Math.max(...lists.map(({ length }) => length));
}

/** By rule, never by a model: it must not be able to hold a run up. */
export function summaryOf(value: Json): string {
  if (!isObject(value))
    return Array.isArray(value) ? `${value.length} items, the first: ${short(value[0] ?? null)}` : short(value);
  return Object.entries(value as JsonObject)
    .map(
      ([key, part]) =>
        `${key}: ${Array.isArray(part) ? `${part.length} items, the first: ${short(part[0] ?? null)}` : short(part)}`,
    )
    .join("; ")
    .slice(0, 1_000);
}

function short(value: Json): string {
  const text = JSON.stringify(value);
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN - 1)}…`;
}
