import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { JsonObject } from "@oven/contract";
import type { NodeType } from "@oven/contract/node";
import { compareDefinitions } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { FieldDiff } from "@oven/ui/components/field-diff.tsx";
import { type ReactElement, useMemo, useState } from "react";
import { LazyWorkflowGraph } from "../../canvas/lazy-workflow-graph.tsx";
import { Cover } from "./cover.tsx";

/** A definition under the name it is spoken of. */
export interface NamedDefinition {
  name: string;
  definition: JsonObject;
}

export interface VersionPreviewProps {
  shown: NamedDefinition;
  nodeTypes: readonly NodeType[] | undefined;
  onRestore: () => void;
  onClose: () => void;
}

/** A version as it was. */
export function VersionPreview({ shown, nodeTypes, onRestore, onClose }: VersionPreviewProps): ReactElement {
  const [selected, setSelected] = useState<string | null>(null);
  return (
    <Cover
      title={t("Preview of {{name}}", { name: shown.name })}
      onClose={onClose}
      actions={
        <Button size="small" variant="contained" onClick={onRestore}>
          {t("Restore into the draft")}
        </Button>
      }
    >
      <LazyWorkflowGraph
        definition={shown.definition}
        nodeTypes={nodeTypes}
        selected={selected}
        onSelect={setSelected}
        label={t("Graph of {{name}}", { name: shown.name })}
      />
    </Cover>
  );
}

const LEGEND = [
  ["+ added", "completed"],
  ["− removed", "failed"],
  ["~ changed", "paused"],
  ["↷ moved", "running"],
] as const;

export interface VersionDiffProps {
  from: NamedDefinition;
  to: NamedDefinition;
  nodeTypes: readonly NodeType[] | undefined;
  onClose: () => void;
}

/** Two definitions in one picture, and field by field beside it. */
export function VersionDiff({ from, to, nodeTypes, onClose }: VersionDiffProps): ReactElement {
  const [selected, setSelected] = useState<string | null>(null);
  const comparison = useMemo(() => compareDefinitions(from.definition, to.definition), [from, to]);
  return (
    <Cover
      title={t("From {{name}} to {{name2}}", { name: from.name, name2: to.name })}
      onClose={onClose}
      line={
        <Box
          component="ul"
          aria-label={t("Legend")}
          sx={{ display: "flex", flexWrap: "wrap", gap: 1.25, m: 0, p: 0, listStyle: "none" }}
        >
          {LEGEND.map(([word, tone]) => (
            <Box
              component="li"
              key={word}
              sx={{ fontSize: 12.5, fontWeight: 600, color: `var(--oven-status-${tone})` }}
            >
              {word}
            </Box>
          ))}
        </Box>
      }
      side={<FieldDiff comparison={comparison} />}
    >
      <LazyWorkflowGraph
        definition={to.definition}
        comparedWith={from.definition}
        nodeTypes={nodeTypes}
        selected={selected}
        onSelect={setSelected}
        label={t("Changes from {{name}} to {{name2}}", { name: from.name, name2: to.name })}
      />
    </Cover>
  );
}
