import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliDecompress, gzip } from "node:zlib";
import { serveStatic } from "@hono/node-server/serve-static";
import type { MiddlewareHandler } from "hono";
import { getMimeType } from "hono/utils/mime";

const unpack = promisify(brotliDecompress);
const zip = promisify(gzip);

/** What `vite build` names a file that it stores compressed only. */
const PACKED = ".br";

type Encoding = "br" | "gzip" | "identity";

/**
 * The built files of the dashboard. Texts are stored once, as brotli, which most browsers take. Browsers take it over HTTPS only, so for
 * the others each file is made into gzip when it is first asked for, and stays in memory: 1.6 MB for all of them.
 *
 * @param folder of the built pages; a file that comes to it later is not found by its compressed form
 */
export function builtFiles(folder: string): MiddlewareHandler {
  const paths = globSync(`**/*${PACKED}`, { cwd: folder }).map(
    (path) => `/${path.slice(0, -PACKED.length).replaceAll("\\", "/")}`,
  );
  const packed = new Set(paths);
  const zipped = new Map<string, Promise<Buffer>>();
  const others = serveStatic({ root: folder });

  const read = (path: string): Promise<Buffer> => readFile(join(folder, `${path}${PACKED}`));
  const zipOnce = (path: string): Promise<Buffer> => {
    const found = zipped.get(path);
    if (found !== undefined) return found;
    const made = read(path)
      .then(unpack)
      .then((bytes) => zip(bytes));
    zipped.set(path, made);
    made.catch(() => zipped.delete(path));
    return made;
  };
  const contentOf = (path: string, encoding: Encoding): Promise<Buffer> => {
    if (encoding === "br") return read(path);
    return encoding === "gzip" ? zipOnce(path) : read(path).then(unpack);
  };

  return async (context, next) => {
    const { path } = context.req;
    if (!packed.has(path)) return others(context, next);
    const encoding = chooseEncoding(context.req.header("accept-encoding"));
    const content = await contentOf(path, encoding);
    return context.body(new Uint8Array(content), 200, {
      "content-type": getMimeType(path) ?? "application/octet-stream",
      "content-length": String(content.length),
      vary: "Accept-Encoding",
      ...(encoding === "identity" ? {} : { "content-encoding": encoding }),
    });
  };
}

/** The best of what the client takes (RFC 9110, 12.5.3); one with `q=0` is refused by it. */
function chooseEncoding(accepted = ""): Encoding {
  const taken = new Set(
    accepted
      .toLowerCase()
      .split(",")
      .map((one) => one.split(";").map((part) => part.trim()))
      .filter(([, ...parameters]) => !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)))
      .map(([name]) => name),
  );
  if (taken.has("br")) return "br";
  return taken.has("gzip") ? "gzip" : "identity";
}
