import { EmbedSchema, EmbedSettingsSchema } from "@oven/contract/embed";
import { type Route, rowRoutes } from "@oven/module-registry";
import { z } from "zod";
import type { EmbedService } from "./embeds/embed-service.ts";

/** What administrators set. None is an operation: an embed hands out what its saver may do. */
export function embedRoutes(embeds: () => EmbedService): Route[] {
  return rowRoutes({
    path: "embeds",
    operation: false,
    permission: (action) => `embeds.${action}`,
    summaries: {
      list: "List the embeds: agents and workflows that pages of other sites show",
      create: "Make an embed; its runs have your permissions",
      get: "Get an embed",
      update:
        "Change an embed; its runs have your permissions from then on. Switching it off ends its sessions at once",
      delete: "Delete an embed, with its visitors and what they said",
    },
    params: z.object({ id: z.coerce.number().int().positive() }),
    row: EmbedSchema,
    create: EmbedSettingsSchema,
    update: EmbedSettingsSchema,
    rows: () => embeds(),
  });
}
