import type { Workflow } from "@oven/contract";
import type { ReactElement } from "react";
import { useDataProvider, useNotify, useRefresh } from "react-admin";
import { useNavigate } from "react-router-dom";
import { PageHeader } from "../../components/page-header.tsx";
import { STARTERS } from "./starters.ts";
import { WorkflowForm } from "./workflow-form.tsx";
import { type WorkflowKind, workflowPath } from "./workflow-kind.ts";
import { saveNotify, USUAL_NOTIFY } from "./workflow-notify.ts";

const BLANK = {
  name: "",
  slug: "",
  description: "",
  enabled: true,
  mcpExport: false,
  tags: [],
  note: "",
  notify: USUAL_NOTIFY,
  baseVersion: 0,
};

export function WorkflowCreate({ kind }: { kind: WorkflowKind }): ReactElement {
  const { resource, title, aWorkflow } = kind;
  const dataProvider = useDataProvider();
  const navigate = useNavigate();
  const notify = useNotify();
  const refresh = useRefresh();
  return (
    <>
      <PageHeader
        title={aWorkflow.replace(/^an? /, "New ")}
        parent={{ to: `/${resource}`, label: title }}
        line="A small one to begin with: change it, or paste your own."
      />
      <WorkflowForm
        kind={kind}
        initial={{ ...BLANK, text: JSON.stringify(STARTERS[kind.kind], null, 2) }}
        draftKey="new"
        creating
        cancelTo={`/${resource}`}
        save={async (draft, definition) => {
          const { data } = await dataProvider.create<Workflow>(resource, {
            data: {
              name: draft.name,
              ...(draft.slug === "" ? {} : { slug: draft.slug }),
              description: draft.description === "" ? null : draft.description,
              enabled: draft.enabled,
              // Left out, a pasted export brings its own.
              ...(draft.tags.length === 0 ? {} : { tags: draft.tags }),
              ...(kind.mcp ? { mcpExport: draft.mcpExport } : {}),
              definition,
            },
          });
          await saveNotify(kind, data.id, USUAL_NOTIFY, draft.notify);
          notify(`“${data.name}” was created`, { type: "success" });
          void navigate(workflowPath(kind.kind, data.id));
          refresh();
        }}
      />
    </>
  );
}
