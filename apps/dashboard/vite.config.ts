import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { buildEmbedScript } from "./embed-script.ts";
import { NONCE_PLACEHOLDER } from "./server/pages/page-policy.ts";

const root = import.meta.dirname;

/** What is loaded before the language is known, what every page of the dashboard needs, and what a form does. */
const ENTRIES = {
  start: ["src/main.tsx", "src/form.tsx"],
  frame: ["src/dashboard-app.tsx"],
  form: ["src/form.tsx", "../../packages/module-triggers/src/ui/forms/form-app.tsx"],
};
const parts = { start: new Set<string>(), frame: new Set<string>(), form: new Set<string>() };
/** From elsewhere; by the second, the bundler itself loads files. */
const LIBRARY = /[\\/]node_modules[\\/]|^\0vite\//;
const ADMIN = /[\\/]node_modules[\\/](?:ra-core|@tanstack|react-router)[\\/]/;
/** Words and shared parts of screens: small files, which all pages use. */
const SHARED = /[\\/]packages[\\/](?:ui|i18n)[\\/]src[\\/].*\.tsx?$/;
/** Names everything of its library; what is used of it is a matter of who uses it, and the bundler knows it. */
const BARREL = /[\\/]node_modules[\\/](?:react-admin|ra-[a-z-]+|zod)[\\/](?:.*[\\/])?index\.m?js$/;

/** Finds what the parts consist of. Left to itself, the bundler makes a hundred files of the first screen. */
const findParts: Plugin = {
  name: "find-parts",
  apply: "build",
  buildEnd() {
    const collect = (id: string, found: Set<string>) => {
      if (found.has(id)) return;
      found.add(id);
      if (BARREL.test(id)) return;
      for (const imported of this.getModuleInfo(id)?.importedIds ?? []) collect(imported, found);
    };
    for (const part of ["start", "frame", "form"] as const) {
      const entries = ENTRIES[part].map((path) => join(root, path));
      for (const entry of entries) collect(entry, parts[part]);
      // It runs when its file is loaded, so nothing else is in that file.
      for (const entry of entries) parts[part].delete(entry);
    }
  },
};

/** Each is one file. Libraries come first: what uses them runs at different times, and they do not mind when. */
const GROUPS = [
  { name: "base", test: (id: string) => LIBRARY.test(id) && (parts.start.has(id) || parts.form.has(id)) },
  { name: "libraries", test: (id: string) => LIBRARY.test(id) && parts.frame.has(id) },
  // What most pages use of React Admin.
  { name: "admin", test: (id: string) => ADMIN.test(id), minShareCount: 25 },
  { name: "start", test: (id: string) => SHARED.test(id) && parts.start.has(id) },
  { name: "common", test: (id: string) => SHARED.test(id) && parts.form.has(id) && parts.frame.has(id) },
  { name: "ui", test: (id: string) => SHARED.test(id) && parts.frame.has(id) },
].map((group, index, { length }) => ({ ...group, priority: length - index }));

const TEXT = /\.(?:js|css|svg)$/;
const MIN_BYTES = 1_000;
/** Higher levels take seconds for one percent. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** Each file is stored compressed and in no other form: the server unpacks it for those who do not take it so. */
const compressed: Plugin = {
  name: "compressed",
  apply: "build",
  writeBundle({ dir = "" }, bundle) {
    for (const fileName of Object.keys(bundle)) {
      if (!TEXT.test(fileName)) continue;
      const path = join(dir, fileName);
      const bytes = readFileSync(path);
      if (bytes.length < MIN_BYTES) continue;
      writeFileSync(`${path}.br`, brotliCompressSync(bytes, BROTLI));
      rmSync(path);
    }
  },
};

/** Its name has no digest of its content: it stands in pages of others. */
const embedScript: Plugin = {
  name: "embed-script",
  apply: "build",
  async generateBundle() {
    this.emitFile({ type: "asset", fileName: "embed/v1.js", source: await buildEmbedScript() });
  },
};

/** In development the server answers a file of JSON as a script, which a browser refuses where the import asks for JSON. */
const jsonAsScript: Plugin = {
  name: "json-as-script",
  apply: "serve",
  enforce: "pre",
  transform: {
    filter: { code: /with: \{ type: "json" \}/ },
    handler: (code) => code.replace(/, \{ with: \{ type: "json" \} \}/g, ""),
  },
};

export default defineConfig({
  root,
  appType: "custom",
  // Elements show invisible characters of what people and models wrote.
  plugins: [react({ jsxImportSource: "@oven/ui/visible-text" }), findParts, embedScript, compressed, jsonAsScript],
  // The server puts the nonce of each page in its place.
  html: { cspNonce: NONCE_PLACEHOLDER },
  build: {
    target: "es2023",
    // For those who get the built files: what the licences of its libraries ask for.
    license: { fileName: "LICENSES.md" },
    reportCompressedSize: false,
    // The layout of graphs is one file of a library, and loaded by the editor only.
    chunkSizeWarningLimit: 1_500,
    rolldownOptions: {
      input: ["index.html", "form.html"],
      output: {
        codeSplitting: { groups: GROUPS },
      },
    },
  },
});
