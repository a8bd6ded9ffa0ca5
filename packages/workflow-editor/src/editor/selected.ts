import { findState, type TransitionPlace } from "@oven/scope";
import { nodesById } from "../layout/placement.ts";
import type { CommandContext } from "./command-context.ts";
import { transitionOf } from "./gestures.ts";

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

export const NOTE = "note:";
export const FRAME = "frame:";

/** Ids of what is selected among notes or frames. */
export function selectedAnnotations({ store }: Pick<CommandContext, "store">, prefix: string): string[] {
  return [...store.getState().selection.nodes].flatMap((id) =>
    id.startsWith(prefix) ? [id.slice(prefix.length)] : [],
  );
}

/** The lines that are selected; null: that of the start. */
export function selectedLines({ store, drawn }: CommandContext): (TransitionPlace | null)[] {
  const { edges } = store.getState().selection;
  return drawn.model.edges.flatMap((edge) => {
    const transition = edges.has(edge.id) ? transitionOf(edge, drawn.model) : undefined;
    return transition === undefined ? [] : [transition];
  });
}
