import { basename, dirname, join, relative } from "node:path";
import { type Plugin, rolldown } from "rolldown";
import manifest from "../../../apps/cli/package.json" with { type: "json" };

const root = join(import.meta.dirname, "../../..");
/**
 * Libraries that stay packages, because they look up files of their own (WebAssembly, data, code of the machine): the dependencies of
 * `apps/cli`, where its `dist` finds them. All else that it imports is bundled, and so is a devDependency of it.
 */
const UNBUNDLED = Object.keys(manifest.dependencies);
/** Not in a product that is installed: only `pnpm dev` loads the first two, and `pg` tries the third where it is there. */
const ABSENT: readonly string[] = ["vite", "@vitejs/plugin-react", "pg-native"];
const OWN_CODE = /\/(?:packages|apps|tooling)\/.*\.tsx?$/;
/** Names of functions and classes stay as they are: they stand in stack traces, and libraries compare them. */
const MINIFY = {
  compress: true,
  mangle: { keepNames: { function: true, class: true } },
  codegen: { removeWhitespace: true },
};
const PLACE = /import\.meta\.(?:url|dirname)/;
/** How a thread or a process is started: by the file beside the one that starts it. */
const STARTED_FILE = /new URL\(\s*"(\.[^"]+\.ts)",\s*import\.meta\.url,?\s*\)/g;

function isUnbundled(id: string): boolean {
  return [...UNBUNDLED, ...ABSENT].some((name) => id === name || id.startsWith(`${name}/`));
}

/** @param started is given the files that run as a thread or process of their own, by the folder of each */
function keepPlaces(folder: string, started: Map<string, string>): Plugin {
  return {
    name: "keep-places",
    transform: {
      filter: { id: OWN_CODE, code: PLACE },
      handler(code, id) {
        const parts = code.split(STARTED_FILE);
        return parts
          .map((part, at) => (at % 2 === 0 ? withPlace(part, id, folder) : startedFile(part, id, started)))
          .join("");
      },
    },
  };
}

function startedFile(path: string, from: string, started: Map<string, string>): string {
  const file = join(dirname(from), path);
  const name = relative(root, file)
    .replace(/^(?:packages|apps)\//, "")
    .replace(/\.ts$/, "")
    .replaceAll("/", "-");
  started.set(name, file);
  return `new URL("./${name}/${basename(file, ".ts")}.mjs", import.meta.url)`;
}

function withPlace(code: string, id: string, folder: string): string {
  const way = relative(folder, id);
  return code
    .replaceAll("import.meta.url", `new URL(${JSON.stringify(way)}, import.meta.url).href`)
    .replaceAll(
      "import.meta.dirname",
      `process.getBuiltinModule("node:path").join(import.meta.dirname, ${JSON.stringify(dirname(way))})`,
    );
}

/**
 * Bundles programs that Node runs: each as `<name>.mjs` in `folder`, with the pieces that they share.
 *
 * What the code finds by its own place (migrations, guides, the built dashboard) is found there still: the place of a source file is
 * replaced by the way from the output to it. A file that runs as a thread or process of its own gets a folder of its own, which holds
 * all that it loads.
 * @param inputs files of source by the names of what is made of them
 * @param folder below `apps/cli`, where the libraries that are not bundled are found
 * @returns the files that are in it
 */
export async function bundlePrograms(inputs: Readonly<Record<string, string>>, folder: string): Promise<string[]> {
  const started = new Map<string, string>();
  const bundle = await rolldown({
    input: inputs,
    platform: "node",
    external: isUnbundled,
    plugins: [keepPlaces(folder, started)],
    checks: { pluginTimings: false },
    transform: { define: { "process.env.NODE_ENV": '"production"' } },
    onLog: (level, log, report) => {
      if (log.code !== "EVAL" && log.code !== "COMMONJS_VARIABLE_IN_ESM")
        report(level === "warn" ? "error" : level, log);
    },
  });
  const { output } = await bundle.write({
    dir: folder,
    format: "esm",
    entryFileNames: "[name].mjs",
    chunkFileNames: "[name]-[hash].mjs",
    minify: MINIFY,
  });
  await bundle.close();
  const own = output.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []));
  const theirs: string[] = [];
  for (const [name, file] of started)
    theirs.push(...(await bundlePrograms({ [basename(file, ".ts")]: file }, join(folder, name))));
  return [...own, ...theirs];
}
