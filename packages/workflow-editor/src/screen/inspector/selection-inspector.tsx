import Box from "@mui/material/Box";
import ButtonBase from "@mui/material/ButtonBase";
import Typography from "@mui/material/Typography";
import type { NodeType } from "@oven/contract/node";
import { t } from "@oven/i18n";
import { findState } from "@oven/scope";
import { type ReactElement, useSyncExternalStore } from "react";
import type { EditorStore } from "../../editor/editor-store.ts";
import { drawnAs } from "../../graph/to-graph.ts";
import { KindIcon } from "../../look/kind-icon.tsx";
import { SIDE_PANEL } from "./side-panel.ts";

export interface SelectionInspectorProps {
  store: EditorStore;
  nodeTypes: readonly NodeType[] | undefined;
  /** At least two states. */
  ids: readonly string[];
}

/** Which states are selected. It has the room of their settings, so that the canvas keeps its width while more are selected. */
export function SelectionInspector({ store, nodeTypes, ids }: SelectionInspectorProps): ReactElement {
  const definition = useSyncExternalStore(store.subscribe, () => store.document);
  return (
    <Box
      component="aside"
      aria-label={t("{{count}} states are selected", { count: ids.length })}
      sx={{
        ...SIDE_PANEL,
        overflow: "auto",
        display: "grid",
        gap: 1.5,
        alignContent: "start",
        p: 2,
      }}
    >
      <Typography variant="h2">{t("{{count}} states are selected", { count: ids.length })}</Typography>
      <Typography variant="body2" color="text.secondary">
        {t("Right-click one of them for what can be done with all, or choose one for its settings.")}
      </Typography>
      <Box component="ul" sx={{ m: 0, mx: -1, p: 0, listStyle: "none" }}>
        {ids.map((id) => {
          const state = findState(definition, id)?.state;
          if (state === undefined) return null;
          const drawn = drawnAs(state, nodeTypes);
          const label = typeof state.label === "string" && state.label !== "" ? state.label : id;
          return (
            <li key={id}>
              <ButtonBase
                onClick={() => store.select([id])}
                sx={{
                  width: "100%",
                  justifyContent: "flex-start",
                  textAlign: "left",
                  gap: 1.25,
                  px: 1,
                  py: 0.75,
                  borderRadius: 1,
                  font: "inherit",
                  "&:hover, &:focus-visible": { bgcolor: "action.hover" },
                }}
              >
                <KindIcon kind={drawn.kind} look={drawn.look} size={18} />
                <Box sx={{ minWidth: 0, flex: 1 }}>
                  <Box sx={{ fontWeight: 500, overflowWrap: "anywhere" }}>{label}</Box>
                  {drawn.title === "" || drawn.title === label ? null : (
                    <Box sx={{ fontSize: 12.5, color: "text.secondary" }}>{drawn.title}</Box>
                  )}
                </Box>
              </ButtonBase>
            </li>
          );
        })}
      </Box>
    </Box>
  );
}
