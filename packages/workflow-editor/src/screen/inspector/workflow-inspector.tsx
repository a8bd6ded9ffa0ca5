import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import { t } from "@oven/i18n";
import { type ReactElement, type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { WORKFLOW_FIELDS } from "./definition-fields.ts";
import { SIDE_PANEL } from "./side-panel.ts";
import { ObjectForm, type Subject } from "./value-form.tsx";

export interface WorkflowInspectorProps extends Subject {
  focus: number;
  /** Stands above the settings. */
  children?: ReactNode;
}

/** What holds for the whole workflow: shown while nothing is selected. */
export function WorkflowInspector({ focus, children, ...subject }: WorkflowInspectorProps): ReactElement {
  const { store } = subject;
  const panel = useRef<HTMLElement>(null);
  const [shown] = useState(focus);
  useEffect(() => {
    if (focus > shown) panel.current?.querySelector<HTMLElement>("input, textarea, button")?.focus();
  }, [focus, shown]);
  const definition = useSyncExternalStore(store.subscribe, () => store.document);
  return (
    <Box
      component="aside"
      ref={panel}
      aria-label={t("Settings of the workflow")}
      sx={{
        ...SIDE_PANEL,
        overflow: "auto",
        display: "grid",
        gap: 2,
        alignContent: "start",
        p: 2,
      }}
    >
      <Typography variant="h2">{t("Workflow")}</Typography>
      {children}
      <ObjectForm {...subject} at={[]} fixed fields={WORKFLOW_FIELDS} value={definition} />
    </Box>
  );
}
