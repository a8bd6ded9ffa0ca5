/** What of the repository goes into a release, as it stands there: what the built server finds by its own place. */
export const RELEASED: readonly string[] = [
  "apps/cli/dist",
  "apps/dashboard/dist",
  "docs/errors",
  "docs/guides",
  // Without the snapshots beside them, which only the making of the next migration reads.
  "packages/*/migrations/*.sql",
  "packages/*/migrations/meta/_journal.json",
  "packages/module-api-connections/services",
  "packages/module-workflows/dist",
  "CHANGELOG.md",
  "SECURITY.md",
];

/** Files of libraries that no running server reads. */
const NEVER_READ =
  /\.(?:map|d\.[cm]?ts|ts|md|markdown|flow)$|\.cdx\.json$|(?:^|\/)(?:test|tests|__tests__|coverage|\.bin|\.github)\//i;
const KEPT_TEXTS = /(?:^|\/)(?:licen[cs]e|notice|copying)[^/]*$/i;

/** Of libraries that come in several editions: what the server reads of them, beside their package.json and licences. */
const READ: Readonly<Record<string, RegExp>> = {
  "tesseract.js-core": /^tesseract-core-simd-lstm\.(?:js|wasm)$/,
  "@tesseract.js-data/deu": /^4\.0\.0_best_int\//,
  "@tesseract.js-data/eng": /^4\.0\.0_best_int\//,
  // Its decoders a second time for systems without WebAssembly, and an interpreter of scripts in documents, which are not run.
  "pdfjs-dist":
    /^(?:legacy\/build\/pdf(?:\.worker)?\.mjs|(?:cmaps|standard_fonts|wasm|iccs)\/(?!.*_nowasm_|quickjs-).*)$/,
  // Threads are for browsers, and every Node that runs OVEN has SIMD.
  "@energetic-ai/core": /^(?!.*-threaded-)(?!dist\/tfjs-backend-wasm\.wasm$).*$/,
  "@electric-sql/pglite": /^dist\/(?!.*\.(?:cjs|tar\.gz)$).*$/,
};

/**
 * Whether a file of an installed library goes into a release.
 * @param library its package
 * @param path of the file in the package, with `/`
 */
export function isReleased(library: string, path: string): boolean {
  if (path === "package.json" || KEPT_TEXTS.test(path)) return true;
  return !NEVER_READ.test(path) && (READ[library]?.test(path) ?? true);
}
