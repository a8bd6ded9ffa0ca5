import type { PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";

type ModuleOptions = Parameters<NodeFS["init"]>[1];

/** The part of Emscripten's NODEFS that gives files their permissions. */
interface NodeFileSystem {
  node_ops: {
    mknod(parent: unknown, name: string, mode: number, device: number): unknown;
    setattr(node: unknown, attributes: { mode?: number | null }): void;
  };
  stream_ops: { setattr?(stream: unknown, attributes: { mode?: number | null }): void };
}

/**
 * The file system of an embedded database that only its own user may read. PGlite makes files that everybody may write (0666),
 * whatever the umask: it sets the mode after it has made them.
 */
export class PrivateNodeFS extends NodeFS {
  override init(pg: PGlite, options: ModuleOptions): ReturnType<NodeFS["init"]> {
    const preRun: ModuleOptions["preRun"] = [
      ...(options.preRun ?? []),
      // cast: Emscripten's types leave out what its file systems are made of
      (module) => refuseOthers(module.FS.filesystems.NODEFS as unknown as NodeFileSystem),
    ];
    return super.init(pg, { ...options, preRun });
  }
}

function refuseOthers({ node_ops, stream_ops }: NodeFileSystem): void {
  const { mknod, setattr } = node_ops;
  node_ops.mknod = (parent, name, mode, device) => mknod(parent, name, toPrivate(mode), device);
  node_ops.setattr = (node, attributes) => setattr(node, toPrivateAttributes(attributes));
  const setattrOfStream = stream_ops.setattr;
  if (setattrOfStream !== undefined)
    stream_ops.setattr = (stream, attributes) => setattrOfStream(stream, toPrivateAttributes(attributes));
}

function toPrivateAttributes<T extends { mode?: number | null }>(attributes: T): T {
  return attributes.mode == null ? attributes : { ...attributes, mode: toPrivate(attributes.mode) };
}

/** Without the rights of group and others; the bits above say what kind of file it is. */
function toPrivate(mode: number): number {
  return mode & ~0o077;
}
