import CloseRounded from "@mui/icons-material/CloseRounded";
import Box from "@mui/material/Box";
import IconButton from "@mui/material/IconButton";
import Typography from "@mui/material/Typography";
import { getOwn, type Json, type JsonObject } from "@oven/contract";
import type { NodeType } from "@oven/contract/node";
import { t } from "@oven/i18n";
import { toSegments } from "@oven/ui/components/json-editor/json-positions.ts";
import { JsonView } from "@oven/ui/components/json-view.tsx";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import { KindIcon, toGraph } from "@oven/workflow-editor";
import type { ReactElement } from "react";

function valueAt(root: Json, path: string): Json {
  let value: Json | undefined = root;
  for (const segment of toSegments(path)) {
    if (typeof value !== "object" || value === null) return null;
    value = Array.isArray(value) ? value[Number(segment)] : getOwn(value, String(segment));
  }
  return value ?? null;
}

export interface StateInspectorProps {
  definition: JsonObject;
  nodeTypes: readonly NodeType[] | undefined;
  stateId: string;
  onClose: () => void;
}

/** What the selected state is, where it leads, and its JSON. */
export function StateInspector({ definition, nodeTypes, stateId, onClose }: StateInspectorProps): ReactElement | null {
  const graph = toGraph(definition, nodeTypes);
  const node = graph.nodes.find((entry) => entry.id === stateId);
  if (node === undefined) return null;
  const type = nodeTypes?.find((entry) => entry.id === node.nodeType);
  const edges = graph.edges.filter((edge) => edge.source === stateId);
  const labelOf = (id: string): string => graph.nodes.find((entry) => entry.id === id)?.label ?? id;
  return (
    <Box
      component="aside"
      aria-label={t("Details of {{label}}", { label: node.label })}
      sx={{ p: 2, display: "grid", gap: 1.5, alignContent: "start" }}
    >
      <Box sx={{ display: "flex", alignItems: "flex-start", gap: 1 }}>
        <KindIcon kind={node.kind} size={20} title={node.kind} />
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography variant="h2">{node.label}</Typography>
          <Box sx={{ fontSize: 12.5, color: "text.secondary", fontFamily: MONOSPACE, overflowWrap: "anywhere" }}>
            {[stateId, node.nodeType ?? node.title].filter((part) => part !== "").join(" · ")}
          </Box>
        </Box>
        <IconButton size="small" aria-label={t("Close the details")} onClick={onClose}>
          <CloseRounded sx={{ fontSize: 18 }} />
        </IconButton>
      </Box>
      {type === undefined ? null : (
        <Typography variant="body2" color="text.secondary" sx={{ whiteSpace: "pre-line" }}>
          {type.docs}
        </Typography>
      )}
      {edges.length === 0 ? null : (
        <Box
          component="ul"
          aria-label={t("Goes on to")}
          sx={{ m: 0, p: 0, listStyle: "none", display: "grid", gap: 0.5, fontSize: 13 }}
        >
          {edges.map((edge) => (
            <li key={edge.id}>
              <Box component="span" sx={{ color: edge.tone === "error" ? "error.main" : "text.secondary" }}>
                {edge.label || t("then")} →{" "}
              </Box>
              {labelOf(edge.target)}
            </li>
          ))}
        </Box>
      )}
      <JsonView
        value={valueAt(definition, node.path)}
        what={t("the JSON of {{stateId}}", { stateId })}
        maxHeight={420}
      />
    </Box>
  );
}
