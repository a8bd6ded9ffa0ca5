import type { Json, JsonObject } from "@oven/contract";
import { type Table, type TableRow, WrittenRowsSchema } from "@oven/contract/table";
import { api } from "@oven/ui/api/api-client.ts";
import { useRef, useState } from "react";
import type { SheetRows } from "./use-rows.ts";

/** New values of one row. */
export interface RowEdit {
  row: TableRow;
  values: JsonObject;
}

/** What takes the last edit back. */
type Undo =
  | { kind: "values"; edits: { id: number; values: JsonObject }[]; versions: Map<number, number> }
  | { kind: "added"; rows: { id: number; version: number }[] }
  | { kind: "deleted"; rows: JsonObject[] };

export interface Edits {
  busy: boolean;
  failure: unknown;
  dismiss: () => void;
  canUndo: boolean;
  /** Writes new values and new rows, as one act that can be taken back. */
  write: (edits: readonly RowEdit[], added?: readonly JsonObject[]) => Promise<boolean>;
  remove: (rows: readonly TableRow[]) => Promise<boolean>;
  undo: () => Promise<void>;
}

const MOST_UNDONE = 50;

/** Edits of a sheet: stored at once, by the versions that were seen, and taken back one by one. */
export function useEdits(table: Table, rows: SheetRows, onCounted: () => void): Edits {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const stack = useRef<Undo[]>([]);
  const [depth, setDepth] = useState(0);
  const path = `tables/${table.id}/rows`;

  const attempt = async (work: () => Promise<Undo[]>): Promise<boolean> => {
    setBusy(true);
    setFailure(null);
    try {
      stack.current = [...stack.current, ...(await work())].slice(-MOST_UNDONE);
      setDepth(stack.current.length);
      return true;
    } catch (error) {
      setFailure(error);
      // What others have changed meanwhile is shown.
      rows.reload();
      return false;
    } finally {
      setBusy(false);
    }
  };
  const change = async (changes: readonly { id: number; version: number; values: JsonObject }[]) => {
    const { json } = await api(path, { method: "PATCH", body: { changes } });
    const written = WrittenRowsSchema.parse(json).rows;
    rows.replace(written);
    return written;
  };
  const add = async (values: readonly JsonObject[]) => {
    const { json } = await api(path, { method: "POST", body: { rows: values } });
    rows.reload();
    onCounted();
    return WrittenRowsSchema.parse(json).rows.map(({ id, version }) => ({ id, version }));
  };
  const drop = async (named: readonly { id: number; version: number }[]) => {
    await api(`${path}/delete`, { method: "POST", body: { rows: named } });
    rows.reload();
    onCounted();
  };

  return {
    busy,
    failure,
    dismiss: () => setFailure(null),
    canUndo: depth > 0,
    write: (edits, added = []) =>
      attempt(async () => {
        const undone: Undo[] = [];
        if (edits.length > 0) {
          const written = await change(edits.map(({ row, values }) => ({ id: row.id, version: row.version, values })));
          undone.push({
            kind: "values",
            edits: edits.map(({ row, values }) => ({ id: row.id, values: pick(row.values, Object.keys(values)) })),
            versions: new Map(written.map(({ id, version }) => [id, version])),
          });
        }
        if (added.length > 0) undone.push({ kind: "added", rows: await add(added) });
        return undone;
      }),
    remove: (removed) =>
      attempt(async () => {
        await drop(removed.map(({ id, version }) => ({ id, version })));
        return [{ kind: "deleted", rows: removed.map(({ values }) => values) }];
      }),
    async undo() {
      const last = stack.current.at(-1);
      if (last === undefined) return;
      stack.current = stack.current.slice(0, -1);
      setDepth(stack.current.length);
      await attempt(async () => {
        if (last.kind === "values") {
          const written = await change(
            last.edits.map(({ id, values }) => ({ id, version: last.versions.get(id) ?? 0, values })),
          );
          follow(stack.current, written);
        } else if (last.kind === "added") await drop(last.rows);
        else await add(last.rows);
        return [];
      });
    },
  };
}

/** Earlier edits of the same rows are taken back from the versions that these have now. */
function follow(stack: readonly Undo[], written: readonly TableRow[]): void {
  for (const undo of stack)
    if (undo.kind === "values")
      for (const { id, version } of written) if (undo.versions.has(id)) undo.versions.set(id, version);
}

function pick(values: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name): [string, Json] => [name, values[name] ?? null]));
}
