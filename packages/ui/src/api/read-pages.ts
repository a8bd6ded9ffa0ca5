import type { ApiClient, ApiReply } from "./api-client.ts";

/** As many rows as one answer may have. */
const PAGE = 1_000;

/** All rows of a list, page by page: an answer has a bound, and says which rows came. */
export async function readPages<Row>(api: ApiClient, path: string, signal?: AbortSignal): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const range = JSON.stringify([rows.length, rows.length + PAGE - 1]);
    const reply = await api(path, { query: { range }, signal });
    const page = Array.isArray(reply.json) ? (reply.json as Row[]) : []; // cast: the caller names the rows of the list
    rows.push(...page);
    if (page.length === 0 || rows.length >= toTotal(reply, rows)) return rows;
  }
}

/** The total of `Content-Range: agent-workflows 0-24/42`. */
export function toTotal(reply: ApiReply, rows: readonly unknown[]): number {
  const total = /\/(\d+)$/.exec(reply.headers.get("content-range") ?? "")?.[1];
  return total === undefined ? rows.length : Number(total);
}
