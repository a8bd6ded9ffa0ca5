import { OvenError } from "@oven/contract";

export function slugOf(name: string): string {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "");
  return slug === "" ? "workflow" : slug.slice(0, 80);
}

/** The slug itself, or the first with a number behind it that is free. */
export function freeSlug(wanted: string, taken: ReadonlySet<string>): string {
  for (let number = 2, slug = wanted; ; number += 1) {
    if (!taken.has(slug)) return slug;
    slug = `${wanted}-${number}`;
  }
}

export function slugTaken(slug: string): OvenError {
  return new OvenError("SLUG_TAKEN", `You have another workflow with the id ${slug}`, {
    status: 409,
    path: "$.workflow_id",
    fix: "Choose another one, or leave it out.",
  });
}
