import type { Base } from "./lock-file.ts";
import type { SyncItems } from "./sync-item.ts";

export type SyncState =
  | "same"
  | "file-changed"
  | "server-changed"
  | "conflict"
  | "only-in-files"
  | "only-on-server"
  | "not-exported";

export interface ComparedFile {
  path: string;
  state: SyncState;
  /** Whether both sides had it when they were last in step. */
  known: boolean;
}

/**
 * Each path of either side, with which side changed since they were last in step.
 * @param base hashes of then. A path that differs and is not in it is a conflict: neither side may win by itself
 * @param notExported paths that the server has and cannot give
 */
export function compareSides(
  files: SyncItems,
  server: SyncItems,
  base: Base,
  notExported: ReadonlySet<string> = new Set(),
): ComparedFile[] {
  const paths = [...new Set([...files.keys(), ...server.keys(), ...notExported])].toSorted();
  return paths.map((path) => {
    const known = base.get(path);
    const state = notExported.has(path)
      ? "not-exported"
      : stateOf(files.get(path)?.hash, server.get(path)?.hash, known);
    return { path, state, known: known !== undefined };
  });
}

function stateOf(file: string | undefined, server: string | undefined, base: string | undefined): SyncState {
  if (file === server) return "same";
  if (server === undefined) return "only-in-files";
  if (file === undefined) return "only-on-server";
  if (server === base) return "file-changed";
  return file === base ? "server-changed" : "conflict";
}

/** The hashes of what is in step now; where it is not, those of before, as long as one side has it. */
export function nextBase(files: SyncItems, server: SyncItems, base: Base): Base {
  const next = new Map<string, string>();
  for (const path of new Set([...files.keys(), ...server.keys()])) {
    const [file, there] = [files.get(path)?.hash, server.get(path)?.hash];
    const hash = file === there ? file : base.get(path);
    if (hash !== undefined) next.set(path, hash);
  }
  return next;
}

const WORDS: Record<SyncState, string> = {
  same: "same",
  "file-changed": "changed in the file",
  "server-changed": "changed on the server",
  conflict: "CONFLICT",
  "only-in-files": "only in the files",
  "only-on-server": "only on the server",
  "not-exported": "not exported",
};
const WIDTH = Math.max(...Object.values(WORDS).map(({ length }) => length));

export function toLine(state: SyncState, path: string, more = ""): string {
  return `${WORDS[state].padEnd(WIDTH)}  ${path}${more === "" ? "" : `  (${more})`}\n`;
}
