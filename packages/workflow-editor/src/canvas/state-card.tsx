import { t } from "@oven/i18n";
import { Handle, type Node, type NodeProps } from "@xyflow/react";
import { type CSSProperties, type ReactElement, useContext } from "react";
import type { DiffMark } from "../compare/drawn-diff.ts";
import type { GraphHandle, GraphNode, NodeProgress } from "../graph/graph-model.ts";
import { toCardSize } from "../layout/card-size.ts";
import { inkOf, KindIcon } from "../look/kind-icon.tsx";
import type { PinMark } from "../overlay/canvas-overlay.ts";
import { CanvasActionsContext } from "./canvas-actions.ts";
import { MarkBadge, PinBadge, ProgressBadge, toProgressColour } from "./progress-badge.tsx";
import { takesLines, toHandlePlace } from "./to-handles.ts";

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

/** Whether a line from a box names the handle, or it is not there yet. */
function leadsOn({ offered, outlet }: GraphHandle): boolean {
  return offered || outlet.transition?.target !== null;
}

/** The handles of a card, each with its name, where the layout put them. */
function Handles({ node, editable = false }: { node: GraphNode; editable?: boolean | undefined }): ReactElement {
  const size = toCardSize(node);
  return (
    <>
      {!takesLines(node) ? null : (
        <Handle
          type="target"
          id="in"
          {...toHandlePlace(size.entry)}
          isConnectable={editable}
          isConnectableStart={false}
        />
      )}
      {node.handles.map((handle) => {
        const hidden = node.shape === "start" || (node.shape === "group" && !editable);
        const place = toHandlePlace(size.handles[handle.id] ?? size.entry);
        const { top } = place.style;
        return (
          <span key={handle.id}>
            {handle.label === "" || hidden || (node.shape === "group" && leadsOn(handle)) ? null : (
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
              position={place.position}
              data-tone={handle.tone}
              data-offered={handle.offered}
              style={{ ...place.style, opacity: hidden ? 0 : 1 }}
              isConnectable={editable}
              isConnectableEnd={false}
              {...(editable
                ? { title: t("{{outlet}}: draw a line from here", { outlet: handle.label || "then" }) }
                : {})}
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
    "--oven-kind": inkOf(node.kind, node.look),
    "--oven-end": `var(--oven-status-${node.outcome === "failed" || node.shape === "missing" ? "failed" : "completed"})`,
    ...(progress === null ? {} : { "--oven-progress": toProgressColour(progress.status) }),
  } as CSSProperties;
}

/** Folds a container, or opens it. */
function FoldButton({ node }: { node: GraphNode }): ReactElement | null {
  const actions = useContext(CanvasActionsContext);
  if (actions === null) return null;
  const open = node.inside === null;
  return (
    <button
      type="button"
      className="oven-fold nodrag nopan"
      aria-expanded={open}
      aria-label={`${open ? "Collapse" : "Expand"} ${node.label}`}
      title={open ? t("Collapse") : t("Expand")}
      onClick={(event) => {
        event.stopPropagation();
        actions.toggle(node.id);
      }}
      onDoubleClick={(event) => event.stopPropagation()}
    >
      <svg width={12} height={12} viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth={3} aria-hidden>
        <path d={open ? "M5 9l7 7 7-7" : "M9 5l7 7-7 7"} />
      </svg>
    </button>
  );
}

export function StateCard({ data, selected }: NodeProps<CardNode>): ReactElement {
  const { node, progress } = data;
  return (
    <div
      className="oven-card"
      data-collapsed={node.inside === null ? undefined : true}
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
          <KindIcon kind={node.kind} look={node.look} size={18} />
        </div>
        <div className="oven-card__names">
          <div className="oven-card__label" title={node.label}>
            {node.label}
          </div>
          <div className="oven-card__title">
            {node.disabled ? `${t("Disabled")} · ` : ""}
            {node.known ? node.title : t("Unknown type {{type}}", { type: node.nodeType ?? "" })}
            {node.shape === "state" ? <span className="oven-card__near"> · {node.id}</span> : null}
          </div>
        </div>
        {node.inside === null ? null : <FoldButton node={node} />}
      </div>
      {node.summary === "" ? null : (
        <div className="oven-card__summary" title={node.summary}>
          {node.description === "" ? null : <span className="oven-card__near">{node.description} · </span>}
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
          {node.shape === "missing" ? t("No state “{{label}}”", { label: node.label }) : node.label}
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
        <FoldButton node={node} />
        <KindIcon kind={node.kind} look={node.look} size={16} />
        <b title={node.label}>{node.label}</b>
        <span>{[node.title, node.summary].filter((part) => part !== "").join(" · ")}</span>
      </div>
      {progress === null ? null : <ProgressBadge progress={progress} stale={data.stale} />}
      <PinBadge pin={data.pin} />
      <MarkBadge mark={data.mark} />
      <Handles node={node} editable={data.editable} />
    </div>
  );
}
