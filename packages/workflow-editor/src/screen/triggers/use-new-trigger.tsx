import { useCan } from "@oven/ui/components/use-can.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { useUiModules } from "@oven/ui/ui-module.ts";
import { type ReactElement, Suspense, useState } from "react";

export interface NewTrigger {
  /** Asks for a trigger of a kind; null: of one that is chosen there. Absent: none can be made here. */
  ask: ((type: string | null) => void) | undefined;
  sheet: ReactElement | null;
}

interface NewTriggerUse {
  kind: WorkflowKind;
  /** Whether a trigger fires from the time it is saved. */
  enabled: boolean;
  workflowId: () => Promise<number>;
  onSaved: () => void;
  /** Closed without one. */
  onClosed?: () => void;
}

/** The sheet that asks for a new trigger of a workflow, from the module that has triggers. */
export function useNewTrigger({ kind, enabled, workflowId, onSaved, onClosed }: NewTriggerUse): NewTrigger {
  const Sheet = useUiModules().find(({ newTrigger }) => newTrigger !== undefined)?.newTrigger;
  const mayCreate = useCan("triggers.create");
  const [asked, setAsked] = useState<{ type: string | null } | null>(null);
  if (Sheet === undefined || !mayCreate) return { ask: undefined, sheet: null };
  return {
    ask: (type) => setAsked({ type }),
    sheet:
      asked === null ? null : (
        <Suspense fallback={null}>
          <Sheet
            kind={kind.kind}
            type={asked.type}
            enabled={enabled}
            workflowId={workflowId}
            onSaved={() => {
              setAsked(null);
              onSaved();
            }}
            onClose={() => {
              setAsked(null);
              onClosed?.();
            }}
          />
        </Suspense>
      ),
  };
}
