import type { DefinitionChange, Workflow } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { type WorkflowKind, workflowPath } from "@oven/ui/components/workflow-kind.ts";
import { type ReactElement, useState } from "react";
import { useNotify, useRefresh } from "react-admin";
import { useNavigate } from "react-router-dom";
import { ImportReview } from "./import-review.tsx";
import { StartFrom, smallStart } from "./start-from.tsx";
import { WorkflowForm } from "./workflow-form.tsx";
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
  const { resource, title, newWorkflow } = kind;
  const [start, setStart] = useState(() => smallStart(kind));
  const navigate = useNavigate();
  const notify = useNotify();
  const refresh = useRefresh();
  return (
    <>
      <PageHeader
        title={newWorkflow}
        parent={{ to: `/${resource}`, label: title }}
        line={t("Begin with a small one, a template, nothing, or a file; or paste your own.")}
      />
      <StartFrom kind={kind} chosen={start.key} onChoose={setStart} />
      {start.preview === undefined ? null : (
        <ImportReview key={start.text} kind={kind} source={start.text} preview={start.preview} />
      )}
      {start.preview !== undefined ? null : (
        <WorkflowForm
          key={start.key}
          kind={kind}
          initial={{ ...BLANK, name: start.name, text: start.text }}
          draftKey={start.key === "small" ? "new" : `new.${start.key}`}
          creating
          cancelTo={`/${resource}`}
          save={async (draft, definition) => {
            // A file may be in the form of another system: importing rewrites what differs, and says so.
            const { json } = await api(start.foreign ? `${resource}/import` : resource, {
              method: "POST",
              body: {
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
            const data = json as Workflow & { changes?: DefinitionChange[] }; // cast: 201 carries the row
            const rewritten = data.changes?.length ?? 0;
            await saveNotify(kind, data.id, USUAL_NOTIFY, draft.notify);
            notify(
              rewritten === 0
                ? t("“{{name}}” was created", { name: data.name })
                : t("“{{name}}” was created, {{count}} places rewritten", { name: data.name, count: rewritten }),
              {
                type: "success",
              },
            );
            void navigate(workflowPath(kind.kind, data.id));
            refresh();
          }}
        />
      )}
    </>
  );
}
