import Box from "@mui/material/Box";
import Drawer from "@mui/material/Drawer";
import type { ReactElement, ReactNode } from "react";
import { Inspector, type InspectorProps } from "./inspector/inspector.tsx";
import { SelectionInspector } from "./inspector/selection-inspector.tsx";
import { TOUCH_TARGETS } from "./inspector/touch-targets.ts";
import { WorkflowInspector } from "./inspector/workflow-inspector.tsx";

export interface EditorSideProps {
  subject: Omit<InspectorProps, "stateId" | "focus" | "trial">;
  trial: InspectorProps["trial"];
  /** The states that are selected. */
  selected: readonly string[];
  /** A new number puts the cursor into the first field; 0: the settings were not asked for. */
  focus: number;
  narrow: boolean;
  /** Other things need the room. */
  hidden: boolean;
  onClose: () => void;
  /** Stands above the settings of the workflow. */
  children: ReactNode;
}

/** The settings of what is selected, beside the canvas; on a phone they come from below when they are asked for. */
export function EditorSide(props: EditorSideProps): ReactElement | null {
  const { subject, trial, selected, focus, narrow, hidden, onClose, children } = props;
  const [single] = selected;
  if (narrow) {
    if (single === undefined) return null;
    return (
      <Drawer
        anchor="bottom"
        open={focus > 0}
        onClose={onClose}
        slotProps={{ paper: { "aria-label": `Settings of ${single}` } }}
      >
        <Box sx={{ maxHeight: "75dvh", overflow: "auto", "& > aside": { width: "auto", border: 0 }, ...TOUCH_TARGETS }}>
          <Inspector {...subject} key={single} stateId={single} focus={focus} trial={trial} />
        </Box>
      </Drawer>
    );
  }
  if (hidden) return null;
  if (selected.length > 1)
    return <SelectionInspector store={subject.store} nodeTypes={subject.nodeTypes} ids={selected} />;
  if (single !== undefined) return <Inspector {...subject} key={single} stateId={single} focus={focus} trial={trial} />;
  return (
    <WorkflowInspector {...subject} stateId={null} focus={focus}>
      {children}
    </WorkflowInspector>
  );
}
