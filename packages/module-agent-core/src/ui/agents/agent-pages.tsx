import Skeleton from "@mui/material/Skeleton";
import type { Agent } from "@oven/contract/agent";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { useRecord } from "@oven/ui/components/use-record.ts";
import type { ReactElement } from "react";
import { useDataProvider, useNotify, useRefresh } from "react-admin";
import { useNavigate, useParams } from "react-router-dom";
import { NEW_AGENT, toBody, toDraft } from "./agent-draft.ts";
import { AgentForm } from "./agent-form.tsx";

export function AgentCreate(): ReactElement {
  const dataProvider = useDataProvider();
  const navigate = useNavigate();
  return (
    <>
      <PageHeader title={t("New agent")} parent={{ to: "/agents", label: t("Agents") }} />
      <AgentForm
        initial={NEW_AGENT}
        creating
        cancelTo="/agents"
        save={async (draft) => {
          const { data } = await dataProvider.create<Agent>("agents", { data: toBody(draft) });
          void navigate(`/agents/${data.id}/show`);
        }}
      />
    </>
  );
}

export function AgentEdit(): ReactElement {
  const { id = "" } = useParams();
  // No refetch while it is being edited: what was started from must stay what is compared with.
  const { data: agent, error, refetch } = useRecord<Agent>("agents", id, { refetchOnWindowFocus: false });
  const dataProvider = useDataProvider();
  const navigate = useNavigate();
  const notify = useNotify();
  const refresh = useRefresh();
  if (error) return <ErrorPanel error={error} title={t("This agent could not be loaded")} onRetry={refetch} />;
  if (agent === undefined) return <Skeleton variant="rounded" height={480} />;
  const show = `/agents/${agent.id}/show`;
  return (
    <>
      <PageHeader
        title={t("Edit {{name}}", { name: agent.name })}
        parent={{ to: show, label: agent.name }}
        line={t(
          "Based on version {{version}}. A changed setting makes a new one; runs that are going on keep theirs.",
          { version: agent.version },
        )}
      />
      <AgentForm
        key={`${agent.id}.${agent.version}`}
        initial={toDraft(agent)}
        creating={false}
        cancelTo={show}
        save={async (draft) => {
          const { data } = await dataProvider.update<Agent>("agents", {
            id: agent.id,
            previousData: agent,
            data: { ...toBody(draft), version: agent.version },
          });
          notify(
            data.version === agent.version ? t("Saved") : t("Version {{version}} is live", { version: data.version }),
            { type: "success" },
          );
          void navigate(show);
          refresh();
        }}
      />
    </>
  );
}
