import LockOutlined from "@mui/icons-material/LockOutlined";
import Box from "@mui/material/Box";
import type { DefinitionSource } from "@oven/contract/format";
import type { NodeType } from "@oven/contract/node";
import type { Workflow } from "@oven/contract/workflow";
import { t, tx } from "@oven/i18n";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { type ReactElement, useEffect, useState } from "react";
import { LazyWorkflowGraph } from "../canvas/lazy-workflow-graph.tsx";
import { EditorHeader } from "../screen/editor-header.tsx";
import { ConvertButton } from "./convert-button.tsx";

export interface OwnedWorkflowProps {
  kind: WorkflowKind;
  workflow: Workflow;
  source: DefinitionSource;
  nodeTypes: NodeType[] | undefined;
}

/** The canvas of a workflow that a document of another format compiles to: to be looked at. */
export function OwnedWorkflow({ kind, workflow, source, nodeTypes }: OwnedWorkflowProps): ReactElement {
  const [selected, setSelected] = useState<string | null>(null);
  useEffect(() => {
    document.title = `${workflow.name} · Editor · OVEN`;
  }, [workflow.name]);
  return (
    <Box sx={{ display: "flex", flexDirection: "column", height: "100%" }}>
      <EditorHeader kind={kind} workflow={workflow}>
        <Box sx={{ flex: 1 }} />
        <ConvertButton format={source.format} workflow={source.workflow} />
      </EditorHeader>
      <Box
        role="status"
        sx={{
          display: "flex",
          gap: 1,
          alignItems: "center",
          px: 2,
          py: 1,
          fontSize: 13,
          borderBottom: 1,
          borderColor: "divider",
          bgcolor: "var(--oven-sunken)",
        }}
      >
        <LockOutlined sx={{ fontSize: 17 }} />
        <span>
          {tx(
            "Read-only: this workflow is kept by its document ({{format}}). Change it there, or convert it to a copy of your own.",
            { format: <code>{source.format}</code> },
          )}
        </span>
      </Box>
      <Box sx={{ flex: 1, minHeight: 0, position: "relative" }}>
        <LazyWorkflowGraph
          definition={workflow.definition}
          nodeTypes={nodeTypes}
          selected={selected}
          onSelect={setSelected}
          label={t("Graph of {{name}}", { name: workflow.name })}
        />
      </Box>
    </Box>
  );
}
