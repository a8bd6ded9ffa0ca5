import { MemoryFS, PGlite } from "@electric-sql/pglite";
import type { TarEntry } from "./read-tar.ts";

/** The part of Emscripten's MEMFS that reads and writes a file. */
interface FileNode {
  contents: Uint8Array;
  usedBytes: number;
  stream_ops: { write(stream: { node: FileNode }, ...what: unknown[]): number };
}

/** The files of an archive, and the directory they are put in. */
export interface Placement {
  root: string;
  entries: readonly TarEntry[];
}

/** Where the files of a database are. */
export const DATA_ROOT = PGlite.paths.PGDATA;
/** Where the files of an extension are. */
export const EXTENSION_ROOT = PGlite.paths.PG_ROOT;

/** `S_IFREG` with 0666, as PGlite makes files. */
const REGULAR_FILE = 0o100666;

/**
 * Files in memory that begin as a snapshot, which many databases of a process share: a file is copied when it is first written.
 * `loadDataDir` of PGlite copies all of it for each database, some thousand files by their paths.
 */
export class SnapshotFiles extends MemoryFS {
  readonly #placements: readonly Placement[];
  readonly #onClosed: ((archive: Blob) => Promise<void>) | undefined;

  /** @param onClosed gets the database's files as a tar archive after it has ended in order: the next start need not recover */
  constructor(placements: readonly Placement[], onClosed?: (archive: Blob) => Promise<void>) {
    super();
    this.#placements = placements;
    this.#onClosed = onClosed;
  }

  override async initialSyncFs(): Promise<void> {
    const files = this.pg?.Module.FS;
    if (files === undefined) throw new Error("The files of a database are asked for before it has begun");
    for (const { root, entries } of this.#placements) {
      for (const { name, content } of entries) {
        const path = `${root}/${name}`;
        files.mkdirTree(content === undefined ? path : path.slice(0, path.lastIndexOf("/")));
        // cast: Emscripten's types leave out what its file systems are made of
        if (content !== undefined) share(files.mknod(path, REGULAR_FILE, 0) as unknown as FileNode, content);
      }
    }
  }

  override async closeFs(): Promise<void> {
    await this.#onClosed?.(await this.dumpTar("pgdata", "none"));
    await super.closeFs();
  }
}

function share(node: FileNode, content: Uint8Array): void {
  const { stream_ops: plain } = node;
  node.contents = content;
  node.usedBytes = content.length;
  node.stream_ops = {
    ...plain,
    write: (stream, ...what) => {
      // A file that was cut or grown in between has contents of its own already.
      if (node.contents === content) node.contents = content.slice();
      return plain.write(stream, ...what);
    },
  };
}
