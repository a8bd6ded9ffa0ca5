import { type PromotedEverything, PromotedEverythingSchema } from "@oven/contract/workflow";
import type { InstallationApi } from "../installation-api.ts";
import { pathOfWorkflow, type SyncItems, toItems } from "./sync-item.ts";

export interface ServerSide {
  items: SyncItems;
  /** Why each cannot be exported, by path. */
  notExported: ReadonlyMap<string, string>;
}

/** @throws Error as the server refuses it, or when it withholds a part */
export async function readServer(api: InstallationApi): Promise<ServerSide> {
  const everything: PromotedEverything = PromotedEverythingSchema.parse(await api.call("GET", "promotions/everything"));
  const { withheld } = everything;
  if (withheld.length > 0)
    throw new Error(
      `the key may not read everything (${withheld.join(", ")}), and a part would look as if the rest had been deleted`,
    );
  return {
    items: toItems(everything),
    notExported: new Map(everything.notExported.map((entry) => [pathOfWorkflow(entry), entry.message])),
  };
}
