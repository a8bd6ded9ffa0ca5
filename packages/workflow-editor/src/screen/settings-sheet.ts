import type { Workflow } from "@oven/contract/workflow";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import type { ComponentType } from "react";

/** What the sheet with the settings of a workflow is given: name, slug, tags and the like, which no version holds. */
export interface SettingsSheetProps {
  kind: WorkflowKind;
  workflow: Workflow;
  onClose: () => void;
}

/** The module that has workflows brings it. */
export type SettingsSheet = ComponentType<SettingsSheetProps>;
