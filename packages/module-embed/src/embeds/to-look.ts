import { isOvenError } from "@oven/contract";
import type { EmbedLook } from "@oven/contract/embed";
import { closed } from "../visitors/visitor-service.ts";
import type { EmbedRow } from "./embed-row.ts";
import type { EmbedTargets } from "./embed-targets.ts";

/** What a page needs to draw an embed. @throws OvenError EMBED_CLOSED */
export async function toLook(targets: EmbedTargets, embed: EmbedRow): Promise<EmbedLook> {
  const { mode, theme, form, limits } = embed.settings;
  return { mode, theme, form, messageLength: limits.messageLength, fields: await fieldsOf(targets, embed) };
}

async function fieldsOf(targets: EmbedTargets, embed: EmbedRow): Promise<EmbedLook["fields"]> {
  const { settings } = embed;
  if (settings.mode === "chat") return [];
  const principal = await targets.principalOf(embed);
  if (principal === undefined) throw closed();
  try {
    const { fields } = await targets.formOf(principal, settings);
    // What every run gets is not asked.
    return fields.filter(({ name }) => !Object.hasOwn(settings.input, name));
  } catch (error) {
    if (isOvenError(error) && error.status < 500) throw closed();
    throw error;
  }
}
