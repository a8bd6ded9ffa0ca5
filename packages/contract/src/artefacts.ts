import { z } from "zod";

/** Something that a run, or a run inside it, made and that is kept outside of its rows; read it at `GET blobs/[id]`. */
export const ArtefactSchema = z.strictObject({
  id: z.int().positive(),
  executionId: z.int().positive(),
  nodeId: z.string(),
  visit: z.int(),
  item: z.string().nullable(),
  mediaType: z.string(),
  bytes: z.int().nonnegative(),
  sha256: z.string(),
  createdAt: z.string(),
});
export type Artefact = z.infer<typeof ArtefactSchema>;
