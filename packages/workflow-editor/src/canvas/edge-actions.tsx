import { t } from "@oven/i18n";
import { ViewportPortal } from "@xyflow/react";
import { type ReactElement, useLayoutEffect, useState } from "react";
import { removeTransition } from "../document/transitions.ts";
import type { EditorStore, Selection } from "../editor/editor-store.ts";
import { transitionOf } from "../editor/gestures.ts";
import type { GraphEdge, GraphModel } from "../graph/graph-model.ts";

export interface EdgeActionsProps {
  edges: readonly GraphEdge[];
  pointed: string | null;
  selection: Selection;
  store: EditorStore;
  model: GraphModel;
  onInsert: (edgeId: string) => void;
}

/** On the line that is pointed at or selected: put a state in between, or take the line away. */
export function EdgeActions({
  edges,
  pointed,
  selection,
  store,
  model,
  onInsert,
}: EdgeActionsProps): ReactElement | null {
  const [selected] = selection.edges.size === 1 ? [...selection.edges] : [];
  const id = pointed ?? selected ?? null;
  const edge = edges.find((entry) => entry.id === id);
  const [middle, setMiddle] = useState<{ x: number; y: number } | null>(null);
  useLayoutEffect(() => {
    if (edge === undefined) {
      setMiddle(null);
      return;
    }
    const path = document.querySelector<SVGPathElement>(
      `.react-flow__edge[data-id=${JSON.stringify(edge.id)}] path.oven-edge`,
    );
    if (path === null) setMiddle(null);
    else {
      const { x, y } = path.getPointAtLength(path.getTotalLength() / 2);
      setMiddle({ x, y });
    }
  }, [edge]);
  if (edge === undefined || middle === null) return null;
  const transition = transitionOf(edge, model);
  return (
    <ViewportPortal>
      <div className="oven-edge-actions nodrag nopan" style={{ transform: `translate(${middle.x}px, ${middle.y}px)` }}>
        <button
          type="button"
          aria-label={t("Add a state between {{source}} and {{target}}", { source: edge.source, target: edge.target })}
          onClick={() => onInsert(edge.id)}
        >
          +
        </button>
        {transition ? (
          <button
            type="button"
            aria-label={t("Delete the line from {{source}} to {{target}}", {
              source: edge.source,
              target: edge.target,
            })}
            onClick={() =>
              store.apply(t("Delete a line"), { document: removeTransition(store.document, transition), select: [] })
            }
          >
            ×
          </button>
        ) : null}
      </div>
    </ViewportPortal>
  );
}
