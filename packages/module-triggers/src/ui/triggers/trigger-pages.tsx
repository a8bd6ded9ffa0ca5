import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import type { Trigger } from "@oven/contract/trigger";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ConfirmDialog } from "@oven/ui/components/confirm-dialog.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { useRecord } from "@oven/ui/components/use-record.ts";
import { type ReactElement, useState } from "react";
import { useNotify } from "react-admin";
import { Link, useNavigate, useParams, useSearchParams } from "react-router-dom";
import { type TriggerDraft, TriggerForm } from "./trigger-form.tsx";
import { TriggerProblem } from "./trigger-problem.tsx";

const PARENT = { to: "/triggers", label: t("Triggers & schedules") };

/** `?target=agent-workflow:7` chooses what is started. */
export function TriggerCreate(): ReactElement {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const [kind, id] = (search.get("target") ?? "").split(":");
  const target =
    (kind === "workflow" || kind === "agent-workflow") && Number(id) > 0 ? { kind, workflowId: Number(id) } : null;
  const start: TriggerDraft = {
    name: "",
    type: "schedule",
    target: target as TriggerDraft["target"], // cast: narrowed above
    config: {},
    filter: null,
    input: null,
    shaping: null,
    overlap: "allow",
    overlapCountsPaused: true,
    problem: null,
  };
  return (
    <>
      <PageHeader title={t("New trigger")} parent={PARENT} line={t("Its runs have your rights.")} />
      <TriggerForm
        start={start}
        isNew
        save={async ({ problem: _, ...draft }) => {
          const { json } = await api("triggers", { method: "POST", body: draft });
          navigate(`/triggers/${(json as Trigger).id}/show`); // cast: 201 carries the row
        }}
      />
    </>
  );
}

export function TriggerEdit(): ReactElement {
  const { id = "" } = useParams();
  const { data: trigger, error, refetch } = useRecord<Trigger>("triggers", id);
  const navigate = useNavigate();
  const notify = useNotify();
  const [deleting, setDeleting] = useState(false);
  const mayDelete = useCan("triggers.delete");
  if (error) {
    return (
      <>
        <PageHeader title={t("Trigger {{id}}", { id })} parent={PARENT} />
        <ErrorPanel error={error} title={t("This trigger could not be loaded")} onRetry={refetch} />
      </>
    );
  }
  if (trigger === undefined) return <Skeleton variant="rounded" height={360} />;
  return (
    <>
      <PageHeader
        title={trigger.name}
        parent={PARENT}
        line={t("From the next time on its runs have your rights.")}
        actions={
          mayDelete ? (
            <Button color="error" onClick={() => setDeleting(true)}>
              {t("Delete")}
            </Button>
          ) : null
        }
      />
      <Box sx={{ maxWidth: 860 }}>
        <TriggerProblem problem={trigger.problem} />
      </Box>
      <TriggerForm
        start={trigger}
        isNew={false}
        save={async ({ name, target, config, filter, input, shaping, overlap, overlapCountsPaused }) => {
          const body = { name, target, config, filter, input, shaping, overlap, overlapCountsPaused };
          await api(`triggers/${trigger.id}`, { method: "PUT", body });
          refetch();
          navigate(`/triggers/${trigger.id}/show`);
        }}
        actions={
          <Button component={Link} to={`/triggers/${trigger.id}/show`}>
            {t("Back")}
          </Button>
        }
      />
      <ConfirmDialog
        open={deleting}
        title={t("Delete {{name}}?", { name: trigger.name })}
        text={t("Its log of deliveries goes with it, and what it holds starts nothing; the runs it started stay.")}
        confirmLabel={t("Delete")}
        onClose={() => setDeleting(false)}
        onConfirm={async () => {
          await api(`triggers/${trigger.id}`, { method: "DELETE" });
          notify(t("{{name}} was deleted", { name: trigger.name }));
          navigate("/triggers");
        }}
      />
    </>
  );
}
