import { posix } from "node:path";
import { PARTS, type PartPlace, type PartsRule } from "./layer-rules.ts";

/** A text without spaces that may be a path: relative to its file, or somewhere in it from the root on. */
const QUOTED = /["'`]([^"'`\s]+)["'`]/g;
const IMPORT = /(?:from\s+|import\s+|import\()\s*["'](\.[^"']+)["']/g;

/**
 * Parts that could not be deleted by themselves, or are not in their lists.
 * @param sources text by path, relative to the root, with `/`
 */
export function findPartViolations(
  sources: ReadonlyMap<string, string>,
  rules: readonly PartsRule[] = PARTS,
): string[] {
  return rules.flatMap((rule) => [
    ...[...sources].flatMap(([path, source]) => [
      ...mentionsIn(path, source, rule),
      ...listsReadBy(path, source, rule),
    ]),
    ...rule.places.flatMap((place) => listViolations(sources, place)),
    ...leftOvers(sources, rule),
  ]);
}

/** Files of parts that a source names which is neither of the same part nor the place's list. */
function mentionsIn(path: string, source: string, rule: PartsRule): string[] {
  const own = partOf(path, rule);
  const targets = [...source.matchAll(QUOTED)].map(([, text = ""]) => ({ text, target: toPath(path, text) }));
  return rule.places.flatMap((place) =>
    place.list === path
      ? []
      : targets.flatMap(({ text, target }) => {
          const part = partIn(target, place);
          if (part === undefined || part === own) return [];
          return [`${path}: only ${place.list ?? `files of ${part}`} may name ${text}`];
        }),
  );
}

/** Parts are loaded by their list, so one that imports the list would wait for itself. */
function listsReadBy(path: string, source: string, rule: PartsRule): string[] {
  if (partOf(path, rule) === undefined || path.endsWith(".test.ts")) return [];
  const lists = rule.places.map(({ list }) => list);
  return [...source.matchAll(IMPORT)].flatMap(([, target = ""]) => {
    const imported = toPath(path, target);
    return lists.includes(imported) ? [`${path}: a part may not import ${imported}`] : [];
  });
}

function listViolations(sources: ReadonlyMap<string, string>, place: PartPlace): string[] {
  const { list, path } = place;
  if (list === undefined) return [];
  const lines = (sources.get(list) ?? "").split("\n").map((line) => targetsIn(line, list, place));
  const missing = partsIn(sources, place).flatMap((part) => {
    const count = lines.filter((targets) => targets.some((target) => partIn(target, place) === part)).length;
    return count === 1 ? [] : [`${list}: ${part} has ${count} lines instead of one`];
  });
  const others = lines.flat().flatMap((target) => {
    const entry = path.replace("*", partIn(target, place) ?? "");
    if (target !== entry) return [`${list}: ${target} is no ${posix.basename(entry)}`];
    return sources.has(target) ? [] : [`${list}: ${target} is listed and not there`];
  });
  return [...missing, ...others];
}

function leftOvers(sources: ReadonlyMap<string, string>, { places, deletedWith = {} }: PartsRule): string[] {
  const [home, ...others] = places;
  const parts = home === undefined ? [] : partsIn(sources, home);
  const gone = (part: string) => !parts.includes(part);
  const stale = others.flatMap((place) =>
    partsIn(sources, place)
      .filter(gone)
      .map((part) => place.path.replace("*", part)),
  );
  const files = Object.entries(deletedWith).flatMap(([part, paths]) => (gone(part) ? paths : []));
  return [...stale, ...files.filter((path) => sources.has(path))].map((path) => `${path}: its part is gone`);
}

function targetsIn(text: string, path: string, place: PartPlace): string[] {
  return [...text.matchAll(QUOTED)]
    .map(([, target = ""]) => toPath(path, target))
    .filter((target) => partIn(target, place) !== undefined);
}

function partsIn(sources: ReadonlyMap<string, string>, place: PartPlace): string[] {
  return [...new Set([...sources.keys()].flatMap((path) => partIn(path, place) ?? []))];
}

/** The part that a file belongs to, in whichever place it stands. */
function partOf(path: string, { places, deletedWith = {} }: PartsRule): string | undefined {
  const [user] = Object.entries(deletedWith).find(([, paths]) => paths.includes(path)) ?? [];
  return user ?? places.map((place) => partIn(path, place)).find((part) => part !== undefined);
}

/** Of `packages/x/src/formats/linear/nodes/a.ts` `linear`; undefined: it is not in the place. */
function partIn(path: string, place: PartPlace): string | undefined {
  const [folder = "", rest = ""] = place.path.split("*");
  if (!path.startsWith(folder)) return undefined;
  return path.slice(folder.length).match(rest.startsWith("/") ? /^([\w-]+)\// : /^([\w-]+)\.(?:test\.)?ts$/)?.[1];
}

function toPath(from: string, text: string): string {
  const [, name, file] = /^@oven\/([^/]+)\/(.+)$/.exec(text) ?? [];
  if (name !== undefined) return `packages/${name}/src/${file}`;
  const start = text.search(/packages\/|apps\//);
  return start < 0 ? posix.normalize(posix.join(posix.dirname(from), text)) : posix.normalize(text.slice(start));
}
