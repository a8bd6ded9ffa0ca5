import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rolldown } from "rolldown";

const root = join(import.meta.dirname, "../../..");
const client = join(root, "packages/client");
/** What the client takes from the contract; both files import nothing but each other. */
const FROM_CONTRACT = ["oven-error", "json-value"];

const ENTRIES = { index: "src/index.ts", react: "src/embed/react.ts" };

interface Manifest {
  version: string;
  description: string;
}

/**
 * Packs the client as a file that npm installs: JavaScript in one piece, its types, and no dependency.
 * @param out the folder that gets `oven-client-{version}.tgz`
 * @returns the path of the file
 */
export async function packClient(out: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "oven-client-pack-"));
  try {
    for (const [name, path] of Object.entries(ENTRIES)) {
      const bundle = await rolldown({
        input: join(client, path),
        platform: "neutral",
        external: ["react"],
        resolve: { mainFields: ["module", "main"] },
      });
      await bundle.write({ file: join(folder, `dist/${name}.js`), format: "esm" });
      await bundle.close();
    }
    writeTypes(folder);
    // cast: a package.json
    const { version, description } = JSON.parse(readFileSync(join(client, "package.json"), "utf8")) as Manifest;
    const manifest = {
      ...{ name: "@oven/client", version, description, license: "UNLICENSED", type: "module" },
      sideEffects: false,
      exports: {
        ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
        "./react": { types: "./dist/embed/react.d.ts", default: "./dist/react.js" },
      },
      peerDependencies: { react: ">=18" },
      peerDependenciesMeta: { react: { optional: true } },
      files: ["dist"],
      engines: { node: ">=20" },
    };
    writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
    cpSync(join(client, "README.md"), join(folder, "README.md"));
    mkdirSync(out, { recursive: true });
    execFileSync("npm", ["pack", "--silent", "--pack-destination", out], { cwd: folder, encoding: "utf8" });
    return join(out, `oven-client-${version}.tgz`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Declarations of the client, with those of the contract that it names beside them. */
function writeTypes(folder: string): void {
  const emitted = join(folder, "emitted");
  const options = {
    extends: join(root, "tsconfig.base.json"),
    compilerOptions: {
      ...{
        noEmit: false,
        declaration: true,
        emitDeclarationOnly: true,
        outDir: emitted,
        rootDir: join(root, "packages"),
      },
      ...{ lib: ["ES2024", "DOM", "DOM.Iterable", "DOM.AsyncIterable"], types: [] },
    },
    files: [
      ...Object.values(ENTRIES).map((path) => join(client, path)),
      ...FROM_CONTRACT.map((name) => join(root, `packages/contract/src/${name}.ts`)),
    ],
  };
  const project = join(folder, "tsconfig.json");
  writeFileSync(project, JSON.stringify(options));
  execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", project], { encoding: "utf8" });
  const sources = join(emitted, "client/src");
  for (const file of globSync("**/*.d.ts", { cwd: sources })) {
    // Of the embed, programs import the component alone.
    if (file.startsWith("embed/") && file !== "embed/react.d.ts") continue;
    const depth = file.split("/").length - 1;
    const contract = `${depth === 0 ? "./" : "../".repeat(depth)}contract/`;
    writeDeclaration(join(sources, file), join(folder, "dist", file), contract);
  }
  for (const name of FROM_CONTRACT)
    writeDeclaration(
      join(emitted, "contract/src", `${name}.d.ts`),
      join(folder, "dist/contract", `${name}.d.ts`),
      "./",
    );
  rmSync(emitted, { recursive: true });
  rmSync(project);
}

/** @param contract where the declarations of the contract are, seen from this file */
function writeDeclaration(from: string, to: string, contract: string): void {
  const text = readFileSync(from, "utf8")
    .replaceAll('"@oven/contract/error"', `"${contract}oven-error.js"`)
    .replace(/(from |import\()"(\.[^"]+)\.ts"/g, '$1"$2.js"');
  const other = /"@oven\/[^"]+"/.exec(text);
  if (other !== null) throw new Error(`${from} names ${other[0]}, which the packed client does not have`);
  mkdirSync(join(to, ".."), { recursive: true });
  writeFileSync(to, text);
}
