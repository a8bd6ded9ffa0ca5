import { type Embed, EmbedSettingsSchema } from "@oven/contract/embed";
import type { embeds } from "../tables/embeds.table.ts";

export type EmbedRow = typeof embeds.$inferSelect;

export function toEmbed({ id, publicId, settings, enabled, lastError, createdAt, updatedAt }: EmbedRow): Embed {
  return {
    // Settings that were added since have their defaults.
    ...EmbedSettingsSchema.parse(settings),
    enabled,
    id,
    publicId,
    lastError,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
