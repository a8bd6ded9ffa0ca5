import { z } from "zod";

/** How many tags one workflow may carry, and how long each may be. */
export const MAX_TAGS = 20;
/** Characters of a tag. */
export const MAX_TAG_LENGTH = 40;

/** A tag as it is kept: `Customer  Care ` becomes `customer care`, so that one word is one tag however it is typed. */
export function toTag(text: string): string {
  return text.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase();
}

/** A tag of a workflow, in lower case. */
export const TagSchema = z
  .string()
  .max(1_000)
  .overwrite(toTag)
  .min(1, "a tag needs a letter or a digit")
  .max(MAX_TAG_LENGTH, `a tag has at most ${MAX_TAG_LENGTH} characters: shorten it`)
  .regex(/^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._:/+-]*$/u, "a tag is of letters, digits, spaces and . _ : / + -");

/** Normalised, each once, in order of the alphabet. */
export const TagsSchema = z
  .array(TagSchema)
  .max(1_000)
  .overwrite((tags) => [...new Set(tags)].sort())
  .max(MAX_TAGS, `at most ${MAX_TAGS} tags: take some off first`);

/** An entry of `GET workflow-tags`: a tag in use, and how many workflows carry it. */
export const TagCountSchema = z.strictObject({ tag: z.string(), count: z.int().positive() });
export type TagCount = z.infer<typeof TagCountSchema>;

/** The body of `POST workflow-tags`: tags that are added to several workflows and taken from them, in one transaction. */
export const ChangeTagsSchema = z.strictObject({
  ids: z.array(z.int().positive()).min(1).max(100),
  add: TagsSchema.default([]),
  remove: TagsSchema.default([]),
});
export type ChangeTags = z.infer<typeof ChangeTagsSchema>;
