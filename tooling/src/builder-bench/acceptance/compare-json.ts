import type { Json } from "../../../../packages/contract/src/index.ts";

/** Whether everything that `part` says is so in `whole`; lists must be as long as they are said to be. */
export function hasPart(whole: Json | undefined, part: Json): boolean {
  if (Array.isArray(part))
    return Array.isArray(whole) && whole.length === part.length && part.every((one, at) => hasPart(whole[at], one));
  if (typeof part === "object" && part !== null) {
    if (typeof whole !== "object" || whole === null || Array.isArray(whole)) return false;
    return Object.entries(part).every(([key, one]) => hasPart(whole[key], one));
  }
  return whole === part;
}

/** Whether each part belongs to one thing and each thing to one part, in any order. */
export function pairUp<Thing, Part>(
  things: readonly Thing[],
  parts: readonly Part[],
  fits: (thing: Thing, part: Part) => boolean,
): { missing: Part[]; left: Thing[] } {
  const left = [...things];
  const missing: Part[] = [];
  for (const part of parts) {
    const at = left.findIndex((thing) => fits(thing, part));
    if (at === -1) missing.push(part);
    else left.splice(at, 1);
  }
  return { missing, left };
}
