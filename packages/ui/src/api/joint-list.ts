import { MAX_PAGE } from "@oven/contract";
import type { RaRecord } from "react-admin";

/** A row of a list that shows several resources of the API together. */
export interface JointRow<T extends RaRecord = RaRecord> {
  /** Unique in the joint list: `resource:id`. */
  id: string;
  resource: string;
  row: T;
}

export interface JointQuery {
  sort: { field: string; order: string };
  pagination: { page: number; perPage: number };
  /** `resource` narrows the list to one; the rest goes to each of them. */
  filter: Record<string, unknown>;
}

/** Reads rows `first` to `last`, both included, of one resource. */
export type ReadRange = (
  resource: string,
  range: { first: number; last: number },
  filter: Record<string, unknown>,
) => Promise<{ data: RaRecord[]; total: number }>;

const SEPARATOR = "+";

/** The resource of React Admin that stands for several of the API: `agent-workflows+workflows`. */
export function jointResource(resources: readonly string[]): string {
  return SEPARATOR + resources.join(SEPARATOR);
}

/** The resources behind a joint one; undefined for a resource of the API. */
export function resourcesOf(resource: string): string[] | undefined {
  return resource.startsWith(SEPARATOR) ? resource.split(SEPARATOR).filter((name) => name !== "") : undefined;
}

/**
 * One page of several resources, merged in the asked order. Each is read from its start, because where a page of the whole begins in
 * each is known only then; with `filter.resource` just the page is read.
 */
export async function readJointList(
  resources: readonly string[],
  { sort, pagination, filter }: JointQuery,
  read: ReadRange,
): Promise<{ data: JointRow[]; total: number }> {
  const { resource: only, ...others } = filter;
  const chosen = resources.filter((name) => only === undefined || name === only);
  const first = (pagination.page - 1) * pagination.perPage;
  const last = first + pagination.perPage - 1;
  const [single] = chosen.length === 1 ? chosen : [];
  if (single !== undefined) {
    const { data, total } = await read(single, { first, last }, others);
    return { data: data.map((row) => toJointRow(single, row)), total };
  }
  const lists = await Promise.all(chosen.map(async (name) => readUpTo(name, last, others, read)));
  const rows = lists.map(({ data }, index) => data.map((row) => toJointRow(chosen[index] ?? "", row)));
  const direction = sort.order === "ASC" ? 1 : -1;
  const merged = mergeSorted(rows, (a, b) => direction * compareValues(a.row[sort.field], b.row[sort.field]));
  return { data: merged.slice(first, last + 1), total: lists.reduce((sum, { total }) => sum + total, 0) };
}

function toJointRow(resource: string, row: RaRecord): JointRow {
  return { id: `${resource}:${row.id}`, resource, row };
}

/** The rows from the first to `last`, in as many requests as the API's largest page makes necessary. */
async function readUpTo(
  resource: string,
  last: number,
  filter: Record<string, unknown>,
  read: ReadRange,
): Promise<{ data: RaRecord[]; total: number }> {
  const data: RaRecord[] = [];
  for (let first = 0; ; first += MAX_PAGE) {
    const page = await read(resource, { first, last: Math.min(last, first + MAX_PAGE - 1) }, filter);
    data.push(...page.data);
    if (first + MAX_PAGE > last || data.length >= page.total || page.data.length === 0)
      return { data, total: page.total };
  }
}

/** Merges lists that are in order already; the order within each stays as it is even where it differs from `compare`. */
function mergeSorted<T>(lists: readonly T[][], compare: (a: T, b: T) => number): T[] {
  return lists.reduce((merged, list) => {
    const result: T[] = [];
    let at = 0;
    for (const item of merged) {
      for (let next = list[at]; next !== undefined && compare(next, item) < 0; next = list[at]) {
        result.push(next);
        at += 1;
      }
      result.push(item);
    }
    return [...result, ...list.slice(at)];
  }, []);
}

/** As the database orders: null after every value. */
function compareValues(a: unknown, b: unknown): number {
  if (a === b) return 0;
  if (a === null || a === undefined) return 1;
  if (b === null || b === undefined) return -1;
  if (typeof a === "string" && typeof b === "string") return a.localeCompare(b);
  return Number(a) - Number(b);
}
