import { findState } from "../document/states.ts";
import { nodesById } from "../layout/placement.ts";
import type { CommandContext } from "./commands.ts";

/** The states that are selected; notes, frames and the start are none. */
export function selectedStates({ store, drawn }: Pick<CommandContext, "store" | "drawn">): string[] {
  const byId = nodesById(drawn.model);
  return [...store.getState().selection.nodes].filter((id) => {
    const node = byId.get(id);
    return (
      node !== undefined &&
      node.shape !== "start" &&
      node.shape !== "missing" &&
      findState(drawn.document, id) !== undefined
    );
  });
}
