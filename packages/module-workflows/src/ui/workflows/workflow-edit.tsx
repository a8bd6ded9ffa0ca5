import Skeleton from "@mui/material/Skeleton";
import type { Workflow } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { useRecord } from "@oven/ui/components/use-record.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import type { ReactElement } from "react";
import { useDataProvider, useNotify, useRefresh } from "react-admin";
import { useNavigate, useParams } from "react-router-dom";
import { WorkflowForm } from "./workflow-form.tsx";
import { saveNotify, useWorkflowNotify } from "./workflow-notify.ts";

export function WorkflowEdit({ kind }: { kind: WorkflowKind }): ReactElement {
  const { id = "" } = useParams();
  // No refetch while it is being edited: what was started from must stay what is compared with.
  const { data: workflow, error, refetch } = useRecord<Workflow>(kind.resource, id, { refetchOnWindowFocus: false });
  const said = useWorkflowNotify(kind, id);
  const dataProvider = useDataProvider();
  const navigate = useNavigate();
  const notify = useNotify();
  const refresh = useRefresh();
  const show = `/${kind.resource}/${id}/show`;
  const failure = error || said.error;
  if (failure) return <ErrorPanel error={failure} title={t("This workflow could not be loaded")} onRetry={refetch} />;
  const told = said.notify;
  if (workflow === undefined || told === undefined) return <Skeleton variant="rounded" height={480} />;
  return (
    <>
      <PageHeader
        title={t("Edit {{name}}", { name: workflow.name })}
        parent={{ to: show, label: workflow.name }}
        line={t("Based on version {{version}}. Runs that are going on keep theirs.", { version: workflow.version })}
      />
      <WorkflowForm
        key={`${workflow.id}.${workflow.version}`}
        kind={kind}
        draftKey={String(workflow.id)}
        creating={false}
        cancelTo={show}
        initial={{
          name: workflow.name,
          slug: workflow.slug,
          description: workflow.description ?? "",
          enabled: workflow.enabled,
          mcpExport: workflow.mcpExport,
          tags: workflow.tags,
          note: "",
          notify: told,
          text: JSON.stringify(workflow.definition, null, 2),
          baseVersion: workflow.version,
        }}
        save={async (draft, definition, overwrite) => {
          const { data } = await dataProvider.update<Workflow>(kind.resource, {
            id: workflow.id,
            previousData: workflow,
            data: {
              name: draft.name,
              slug: draft.slug,
              description: draft.description === "" ? null : draft.description,
              enabled: draft.enabled,
              tags: draft.tags,
              ...(kind.mcp ? { mcpExport: draft.mcpExport } : {}),
              definition,
              ...(draft.note === "" ? {} : { note: draft.note }),
              ...(overwrite ? {} : { version: draft.baseVersion }),
            },
          });
          await saveNotify(kind, workflow.id, told, draft.notify);
          notify(
            data.version === workflow.version
              ? t("Saved")
              : t("Version {{version}} is live", { version: data.version }),
            { type: "success" },
          );
          void navigate(show);
          refresh();
        }}
      />
    </>
  );
}
