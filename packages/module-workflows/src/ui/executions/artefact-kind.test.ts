import { expect, it } from "vitest";
import { toPreview } from "./artefact-kind.ts";

it.each([
  ["image/png", 10, "image"],
  ["image/png", 30_000_000, null],
  ["image/svg+xml", 10, null],
  ["application/json", 30_000_000, "json"],
  ["application/ld+json; charset=utf-8", 10, "json"],
  ["text/html", 10, "text"],
  ["application/pdf", 10, null],
])("%s of %d bytes is looked at as %s", (mediaType, bytes, preview) => {
  expect(toPreview({ mediaType, bytes })).toBe(preview);
});
