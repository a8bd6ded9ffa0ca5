import { z } from "zod";

/** Positive integer id of a row. Ids cross module borders as plain integers. */
export const IdSchema = z.int().positive();

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;
/** Slugs that routes and pages use themselves. */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set(["oven", "new", "import"]);

/** The part of an address that names a row: lower-case letters, digits and hyphens. */
export const SlugSchema = z
  .string()
  .min(1)
  .max(63)
  .regex(SLUG, "lower-case letters, digits and single dashes")
  .refine((slug) => !/^\d+$/.test(slug), "a slug may not be only digits")
  .refine((slug) => !RESERVED_SLUGS.has(slug), "this slug is reserved");

/** A slug made from a name: `Support reply!` becomes `support-reply`, `Crème` `creme`. */
export function toSlug(name: string): string {
  const slug = name
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 63)
    .replace(/-+$/, "");
  if (slug === "") return "workflow";
  return /^\d+$/.test(slug) || RESERVED_SLUGS.has(slug) ? `workflow-${slug}`.slice(0, 63) : slug;
}

const STATE_ID = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
/** Names that lead to a prototype in JavaScript, and so are refused as names of states and variables. */
export const UNSAFE_NAMES: ReadonlySet<string> = new Set(["__proto__", "prototype", "constructor"]);

/** Ids that expressions or JavaScript give another meaning. */
export const REFUSED_STATE_IDS: ReadonlySet<string> = new Set([
  ...UNSAFE_NAMES,
  "trigger",
  "item",
  "index",
  "parent",
  "execution",
  "context",
  "messages",
  "toolCalls",
  "toolResults",
]);

/** Whether a text may be the id of a state. */
export function isStateId(id: string): boolean {
  return STATE_ID.test(id) && !REFUSED_STATE_IDS.has(id);
}

/** `[id]` in a path takes the integer or the slug. */
export const IdOrSlugSchema = z.string().min(1).max(63);
