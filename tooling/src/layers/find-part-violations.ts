import { posix } from "node:path";
import { PARTS, type PartsRule } from "./layer-rules.ts";

/** A text without spaces that may be a path: relative to its file, or somewhere in it from the root on. */
const QUOTED = /["'`]([^"'`\s]+)["'`]/g;
const IMPORT = /(?:from\s+|import\s+|import\()\s*["'](\.[^"']+)["']/g;

/**
 * Parts that could not be deleted by themselves, or are not in their list.
 * @param sources text by path, relative to the root, with `/`
 */
export function findPartViolations(
  sources: ReadonlyMap<string, string>,
  rules: readonly PartsRule[] = PARTS,
): string[] {
  return rules.flatMap((rule) => [
    ...[...sources].flatMap(([path, source]) =>
      path === rule.list ? [] : [...mentionsOf(path, source, rule), ...readsOfList(path, source, rule)],
    ),
    ...listViolations(sources, rule),
  ]);
}

/** Files of parts that a source names which is not of the same part. */
function mentionsOf(path: string, source: string, rule: PartsRule): string[] {
  const home = partOf(path, rule);
  return [...source.matchAll(QUOTED)].flatMap(([, text = ""]) => {
    const part = partOf(toPath(path, text), rule);
    return part === undefined || part === home ? [] : [`${path}: only ${rule.list} may name ${text}`];
  });
}

/** Its parts are loaded by the list, and would wait for themselves. */
function readsOfList(path: string, source: string, rule: PartsRule): string[] {
  if (partOf(path, rule) === undefined || path.endsWith(".test.ts")) return [];
  return [...source.matchAll(IMPORT)].flatMap(([, target = ""]) =>
    toPath(path, target) === rule.list ? [`${path}: a part may not import ${rule.list}`] : [],
  );
}

function listViolations(sources: ReadonlyMap<string, string>, rule: PartsRule): string[] {
  const parts = new Set([...sources.keys()].flatMap((path) => partOf(path, rule) ?? []));
  const lines = (sources.get(rule.list) ?? "").split("\n").map((line) => pathsIn(line, rule.list, rule));
  const missing = [...parts].flatMap((part) => {
    const count = lines.filter((paths) => paths.some((path) => partOf(path, rule) === part)).length;
    return count === 1 ? [] : [`${rule.list}: ${part} has ${count} lines instead of one`];
  });
  const others = lines
    .flat()
    .flatMap((path) =>
      path === `${rule.folder}/${partOf(path, rule)}/index.ts` ? [] : [`${rule.list}: ${path} is no index.ts`],
    );
  return [...missing, ...others];
}

function pathsIn(text: string, path: string, rule: PartsRule): string[] {
  return [...text.matchAll(QUOTED)]
    .map(([, target = ""]) => toPath(path, target))
    .filter((target) => partOf(target, rule) !== undefined);
}

/** Of `packages/x/src/formats/linear/index.ts` `linear`; undefined: it is in no part. */
function partOf(path: string, { folder }: PartsRule): string | undefined {
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).match(/^([^/]+)\//)?.[1] : undefined;
}

function toPath(from: string, text: string): string {
  const start = text.search(/packages\/|apps\//);
  return start < 0 ? posix.normalize(posix.join(posix.dirname(from), text)) : posix.normalize(text.slice(start));
}
