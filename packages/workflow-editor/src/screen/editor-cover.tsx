import type { JsonObject } from "@oven/contract";
import type { NodeType } from "@oven/contract/node";
import type { Execution } from "@oven/contract/run";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import type { ReactElement } from "react";
import { PastRun } from "./running/past-run.tsx";
import { type NamedDefinition, VersionDiff, VersionPreview } from "./versions/version-view.tsx";

/** What is looked at in the place of the canvas. */
export type CoverContent =
  | { is: "version"; shown: NamedDefinition }
  | { is: "run"; id: number }
  | { is: "diff"; from: NamedDefinition; to: NamedDefinition };

export interface EditorCoverProps {
  cover: CoverContent;
  kind: WorkflowKind;
  nodeTypes: NodeType[] | undefined;
  onRestore: (restored: NamedDefinition) => void;
  /** Makes a past run's input and outputs those of the next one. */
  onLoad: (run: Execution, definition: JsonObject) => void;
  /** Draws a run on the canvas. */
  onShowRun: (id: number) => void;
  onContinue: ((run: Execution) => void) | null;
  onClose: () => void;
}

/** A version, a run or a comparison over the canvas. */
export function EditorCover(props: EditorCoverProps): ReactElement {
  const { cover, kind, nodeTypes, onRestore, onLoad, onShowRun, onContinue, onClose } = props;
  switch (cover.is) {
    case "version":
      return (
        <VersionPreview
          shown={cover.shown}
          nodeTypes={nodeTypes}
          onRestore={() => onRestore(cover.shown)}
          onClose={onClose}
        />
      );
    case "run":
      return (
        <PastRun
          key={cover.id}
          kind={kind}
          id={cover.id}
          nodeTypes={nodeTypes}
          onLoad={onLoad}
          onShow={() => onShowRun(cover.id)}
          onContinue={onContinue}
          onClose={onClose}
        />
      );
    case "diff":
      return <VersionDiff from={cover.from} to={cover.to} nodeTypes={nodeTypes} onClose={onClose} />;
  }
}
