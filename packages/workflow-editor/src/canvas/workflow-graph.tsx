import type { JsonObject } from "@oven/contract";
import type { NodeType } from "@oven/contract/node";
import { t } from "@oven/i18n";
import {
  Background,
  BackgroundVariant,
  Controls,
  type EdgeTypes,
  MiniMap,
  type NodeTypes,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
} from "@xyflow/react";
import "@xyflow/react/dist/style.css";
import { isObject } from "@oven/contract";
import { type ReactElement, useEffect, useMemo, useRef, useState } from "react";
import { toDrawnDiff } from "../compare/drawn-diff.ts";
import { readCollapsed } from "../document/operations/canvas-view.ts";
import { collapse } from "../graph/collapse.ts";
import type { GraphModel, NodeProgress } from "../graph/graph-model.ts";
import { toGraph } from "../graph/to-graph.ts";
import type { Layout } from "../layout/elk-layout.ts";
import { layoutGraph } from "../layout/layout-in-worker.ts";
import { placeNodes } from "../layout/placement.ts";
import { type CanvasActions, CanvasActionsContext } from "./canvas-actions.ts";
import { CLICK_PX } from "./pointer.ts";
import { RoutedEdge } from "./routed-edge.tsx";
import { EndCard, GroupBox, StartDot, StateCard } from "./state-card.tsx";
import { type FlowMarks, toFlow } from "./to-flow.ts";
import { useFittedView } from "./use-fitted-view.ts";
import "./workflow-graph.css";

const NODE_TYPES: NodeTypes = { state: StateCard, end: EndCard, start: StartDot, box: GroupBox };
const EDGE_TYPES: EdgeTypes = { routed: RoutedEdge };
const NO_STATUS: Readonly<Record<string, NodeProgress>> = {};
const MINIMAP_FROM = 9;

export interface WorkflowGraphProps {
  /** The definition's JSON, valid or not. */
  definition: unknown;
  /** From `GET /api/node-types`; while it is absent no type is called unknown. */
  nodeTypes?: readonly NodeType[] | undefined;
  /** By state id: how far a run got. */
  statusByNode?: Readonly<Record<string, NodeProgress>>;
  /** Lines the run took. */
  taken?: ReadonlySet<string> | undefined;
  /** An older definition: what changed since is marked, and what is gone drawn as ghosts. */
  comparedWith?: JsonObject | undefined;
  selected?: string | null;
  onSelect?: (stateId: string | null) => void;
  dark?: boolean;
  label: string;
}

/** The graph of a definition, read only: pan, zoom, select. */
export function WorkflowGraph(props: WorkflowGraphProps): ReactElement {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  );
}

function useLayout(model: GraphModel): { model: GraphModel; layout: Layout } | null {
  const [placed, setPlaced] = useState<{ model: GraphModel; layout: Layout } | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  useEffect(() => {
    let current = true;
    // Where the author placed something, all stand as they do in the editor.
    if (model.nodes.some(({ position }) => position !== null)) {
      setPlaced({ model, layout: { nodes: new Map(placeNodes(model, null)), routes: new Map() } });
      return;
    }
    layoutGraph(model).then(
      (layout) => {
        if (current) setPlaced({ model, layout });
      },
      (error: unknown) => {
        if (current) setFailure(error instanceof Error ? error : new Error(String(error)));
      },
    );
    return () => {
      current = false;
    };
  }, [model]);
  // Thrown while rendering, so that the nearest error boundary shows it.
  if (failure !== null) throw failure;
  return placed;
}

/** What only one of two sets has. */
function different(one: ReadonlySet<string>, other: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...one, ...other].filter((id) => one.has(id) !== other.has(id)));
}

/** What the author folded, but for what was turned since. */
function toFolded(definition: unknown, turned: ReadonlySet<string>): ReadonlySet<string> {
  const folded = isObject(definition) ? readCollapsed(definition) : new Set<string>();
  return different(turned, folded);
}

function Canvas(props: WorkflowGraphProps): ReactElement {
  const { definition, nodeTypes, statusByNode = NO_STATUS, selected = null, onSelect, dark = false, label } = props;
  const { taken, comparedWith } = props;
  const shape = JSON.stringify(definition);
  // Folded or opened here: whoever looks changes nothing.
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  const actions = useMemo(
    (): CanvasActions => ({ toggle: (id) => setTurned((before) => different(before, new Set([id]))) }),
    [],
  );
  // The text stands for the value: a refetch with an equal definition must not lay out again.
  const drawn = useMemo((): { model: GraphModel } & FlowMarks => {
    const parsed: unknown = JSON.parse(shape ?? "null");
    if (comparedWith !== undefined && isObject(parsed)) {
      const { model, nodes, edges } = toDrawnDiff(comparedWith, parsed, nodeTypes);
      return { model, nodes, edges };
    }
    const full = toGraph(parsed, nodeTypes);
    return { model: collapse(full, toFolded(parsed, turned)) };
  }, [shape, nodeTypes, comparedWith, turned]);
  const { model } = drawn;
  const placed = useLayout(model);
  const container = useRef<HTMLDivElement>(null);
  const flow = useReactFlow();
  useFittedView(container, flow, placed);
  const { nodes, edges } = useMemo(
    () =>
      placed === null
        ? { nodes: [], edges: [] }
        : toFlow(placed.model, placed.layout, statusByNode, selected, { ...drawn, taken }),
    [placed, statusByNode, selected, drawn, taken],
  );
  return (
    // A comparison is drawn open: what is folded away would be a change nobody sees.
    <CanvasActionsContext value={comparedWith === undefined ? actions : null}>
      <section className="oven-graph" ref={container} aria-label={label} data-ready={placed !== null}>
        <ReactFlow
          nodes={nodes}
          edges={edges}
          nodeTypes={NODE_TYPES}
          edgeTypes={EDGE_TYPES}
          colorMode={dark ? "dark" : "light"}
          nodesDraggable={false}
          nodesConnectable={false}
          edgesFocusable={false}
          deleteKeyCode={null}
          zoomOnScroll={false}
          preventScrolling={false}
          zoomOnDoubleClick={false}
          minZoom={0.1}
          maxZoom={1.6}
          paneClickDistance={CLICK_PX}
          onNodeClick={(_, node) => onSelect?.(node.id === selected ? null : node.id)}
          onPaneClick={() => onSelect?.(null)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" && event.key !== " ") return;
            const id = event.target instanceof HTMLElement ? event.target.dataset.id : undefined;
            if (id === undefined) return;
            event.preventDefault();
            onSelect?.(id === selected ? null : id);
          }}
        >
          <Background variant={BackgroundVariant.Dots} gap={20} size={1.2} />
          <Controls showInteractive={false} position="bottom-left" />
          {model.nodes.length >= MINIMAP_FROM ? (
            <MiniMap pannable zoomable position="bottom-right" ariaLabel={t("Overview")} />
          ) : null}
        </ReactFlow>
      </section>
    </CanvasActionsContext>
  );
}
