import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import type { CSSProperties, ReactElement } from "react";
import type { DiffMark } from "../compare/drawn-diff.ts";
import type { GraphNode, NodeProgress } from "../graph/graph-model.ts";
import { toCardSize } from "../layout/card-size.ts";
import { KindIcon } from "../look/kind-icon.tsx";
import type { PinMark } from "../overlay/canvas-overlay.ts";
import { MarkBadge, PinBadge, ProgressBadge, toProgressColour } from "./progress-badge.tsx";

/** What is drawn over a card. */
export type CardOverlay = {
  progress: NodeProgress | null;
  pin?: PinMark | null;
  /** What the progress shows is of another definition. */
  stale?: boolean;
  /** What became of it between two versions. */
  mark?: DiffMark | null;
};

export type CardNode = Node<
  CardOverlay & {
    node: GraphNode;
    /** Lines can be drawn from and to it. */
    editable?: boolean;
    /** The worst of what the check found in it. */
    problem?: "error" | "warning" | null;
  }
>;

/** The handles of a card, each with its name, where the layout put them. */
function Handles({ node, editable = false }: { node: GraphNode; editable?: boolean | undefined }): ReactElement {
  const size = toCardSize(node);
  return (
    <>
      {node.shape === "start" ? null : (
        <Handle
          type="target"
          id="in"
          position={Position.Left}
          style={{ top: size.entryY }}
          isConnectable={editable}
          isConnectableStart={false}
        />
      )}
      {node.handles.map((handle) => {
        const hidden = node.shape === "start" || (node.shape === "group" && !editable);
        const top = size.handleY[handle.id] ?? size.entryY;
        return (
          <span key={handle.id}>
            {handle.label === "" || hidden || node.shape === "group" ? null : (
              <span
                className="oven-card__handle"
                data-tone={handle.tone}
                data-offered={handle.offered}
                style={{ top }}
                title={handle.label}
              >
                {handle.label}
              </span>
            )}
            <Handle
              type="source"
              id={handle.id}
              position={Position.Right}
              data-tone={handle.tone}
              data-offered={handle.offered}
              style={{ top, opacity: hidden ? 0 : 1 }}
              isConnectable={editable}
              isConnectableEnd={false}
              {...(editable ? { title: `${handle.label || "then"}: draw a line from here` } : {})}
            />
          </span>
        );
      })}
    </>
  );
}

function toStyle(node: GraphNode, progress: NodeProgress | null): CSSProperties {
  // cast: custom properties are not in React's CSSProperties
  return {
    "--oven-kind": `var(--oven-kind-${node.kind})`,
    "--oven-end": `var(--oven-status-${node.outcome === "failed" || node.shape === "missing" ? "failed" : "completed"})`,
    ...(progress === null ? {} : { "--oven-progress": toProgressColour(progress.status) }),
  } as CSSProperties;
}

export function StateCard({ data, selected }: NodeProps<CardNode>): ReactElement {
  const { node, progress } = data;
  return (
    <div
      className="oven-card"
      data-shape={node.shape}
      data-known={node.known}
      data-selected={selected}
      data-status={progress?.status}
      data-disabled={node.disabled}
      data-problem={data.problem ?? undefined}
      data-mark={data.mark ?? undefined}
      style={toStyle(node, progress)}
    >
      <div className="oven-card__head">
        <div className="oven-card__icon">
          <KindIcon kind={node.kind} size={18} />
        </div>
        <div className="oven-card__names">
          <div className="oven-card__label" title={node.label}>
            {node.label}
          </div>
          <div className="oven-card__title">
            {node.disabled ? "Disabled · " : ""}
            {node.known ? node.title : `Unknown type ${node.nodeType ?? ""}`}
          </div>
        </div>
      </div>
      {node.summary === "" ? null : (
        <div className="oven-card__summary" title={node.summary}>
          {node.summary}
        </div>
      )}
      {progress === null ? null : <ProgressBadge progress={progress} stale={data.stale} />}
      <PinBadge pin={data.pin} />
      <MarkBadge mark={data.mark} />
      <Handles node={node} editable={data.editable} />
    </div>
  );
}

/** A final state, a history state, or a target that does not exist. */
export function EndCard({ data, selected }: NodeProps<CardNode>): ReactElement {
  const { node, progress } = data;
  return (
    <div
      className="oven-card"
      data-shape={node.shape}
      data-known={node.known}
      data-selected={selected}
      data-status={progress?.status}
      data-disabled={node.disabled}
      data-problem={data.problem ?? undefined}
      data-mark={data.mark ?? undefined}
      style={toStyle(node, progress)}
    >
      <div className="oven-final">
        <span className="oven-final__dot" />
        <span className="oven-final__label" title={node.title}>
          {node.shape === "missing" ? `No state “${node.label}”` : node.label}
        </span>
      </div>
      {progress === null || node.shape === "final" ? null : <ProgressBadge progress={progress} />}
      <Handles node={node} editable={data.editable} />
    </div>
  );
}

export function StartDot({ data }: NodeProps<CardNode>): ReactElement {
  return (
    <div className="oven-start">
      <Handles node={data.node} editable={data.editable} />
    </div>
  );
}

export function GroupBox({ data, selected }: NodeProps<CardNode>): ReactElement {
  const { node, progress } = data;
  return (
    <div
      className="oven-group"
      data-selected={selected}
      data-disabled={node.disabled}
      data-problem={data.problem ?? undefined}
      data-mark={data.mark ?? undefined}
      style={toStyle(node, progress)}
    >
      <div className="oven-group__title">
        {node.label}
        <span>{[node.title, node.summary].filter((part) => part !== "").join(" · ")}</span>
      </div>
      {progress === null ? null : <ProgressBadge progress={progress} stale={data.stale} />}
      <PinBadge pin={data.pin} />
      <MarkBadge mark={data.mark} />
      <Handles node={node} editable={data.editable} />
    </div>
  );
}
