import type { Artefact } from "@oven/contract/run";

/** Images beyond are downloaded, not drawn. */
const DRAWN = 20 * 1_048_576;
const IMAGES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

export type Preview = "image" | "json" | "text";

/** How it can be looked at here; null: not at all. */
export function toPreview({ mediaType, bytes }: Pick<Artefact, "mediaType" | "bytes">): Preview | null {
  const type = mediaType.split(";")[0]?.trim().toLowerCase() ?? "";
  if (IMAGES.has(type)) return bytes <= DRAWN ? "image" : null;
  if (type === "application/json" || type.endsWith("+json")) return "json";
  return type.startsWith("text/") ? "text" : null;
}
