import { toSlug } from "@oven/contract";
import type { Workflow } from "@oven/contract/workflow";

/**
 * The slug that goes with a new name: only until the workflow is published for the first time, and only if its slug came from its name.
 * Later its slug is in addresses that others use.
 */
export function followName(
  { name, slug, version }: Pick<Workflow, "name" | "slug" | "version">,
  next: string,
): { slug?: string } {
  const made = toSlug(name);
  const isMade = slug === made || (slug.startsWith(`${made}-`) && /^\d+$/.test(slug.slice(made.length + 1)));
  return version === 1 && isMade ? { slug: toSlug(next) } : {};
}
