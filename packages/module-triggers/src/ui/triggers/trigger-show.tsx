import BoltOutlined from "@mui/icons-material/BoltOutlined";
import EditOutlined from "@mui/icons-material/EditOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import type { Json } from "@oven/contract";
import type { SchedulePreview, Trigger } from "@oven/contract/trigger";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { JsonView } from "@oven/ui/components/json-view.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { useRecord } from "@oven/ui/components/use-record.ts";
import { useTargetNames } from "@oven/ui/components/use-target-names.ts";
import { type ReactElement, useEffect, useState } from "react";
import { useRefresh } from "react-admin";
import { Link, useParams } from "react-router-dom";
import { DeliveryLog } from "./delivery-log.tsx";
import { FireDialog } from "./fire-dialog.tsx";
import { inZone } from "./in-zone.ts";
import { TriggerAddress } from "./trigger-address.tsx";
import { TriggerProblem } from "./trigger-problem.tsx";
import { useTriggerTypes } from "./use-trigger-types.ts";

const PARENT = { to: "/triggers", label: t("Triggers & schedules") };

/** A trigger: its terms, when it fires next, and what arrived at it. */
export function TriggerShow(): ReactElement {
  const { id = "" } = useParams();
  const { data: trigger, error, refetch } = useRecord<Trigger>("triggers", id);
  const { titleOf, types } = useTriggerTypes();
  const nameOf = useTargetNames();
  const refresh = useRefresh();
  const [firing, setFiring] = useState(false);
  const may = { fire: useCan("triggers.fire"), update: useCan("triggers.update") };
  if (error) {
    return (
      <>
        <PageHeader title={t("Trigger {{id}}", { id })} parent={PARENT} />
        <ErrorPanel error={error} title={t("This trigger could not be loaded")} onRetry={refetch} />
      </>
    );
  }
  if (trigger === undefined) return <Skeleton variant="rounded" height={360} />;
  const { filter, input, shaping, overlap } = trigger;
  const terms = {
    ...trigger.config,
    ...(filter && { filter }),
    ...(input && { input }),
    ...(shaping && { shaping }),
    overlap,
  };
  return (
    <>
      <PageHeader
        title={trigger.name}
        parent={PARENT}
        badges={
          <>
            {trigger.enabled ? null : <ToneChip tone="cancelled" word={t("off")} />}
            {trigger.problem === null ? null : <ToneChip tone="failed" word={t("does not fit")} />}
          </>
        }
        line={t("{{titleOf}} · starts {{nameOf}}", { titleOf: titleOf(trigger.type), nameOf: nameOf(trigger.target) })}
        actions={
          <>
            {may.fire ? (
              <Button startIcon={<BoltOutlined />} onClick={() => setFiring(true)}>
                {t("Try or fire")}
              </Button>
            ) : null}
            {may.update ? (
              <Button component={Link} to={`/triggers/${trigger.id}`} variant="outlined" startIcon={<EditOutlined />}>
                {t("Edit")}
              </Button>
            ) : null}
          </>
        }
      />
      <TriggerProblem problem={trigger.problem} {...(may.update ? { editPath: `/triggers/${trigger.id}` } : {})} />
      <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "minmax(0, 3fr) 2fr" } }}>
        <DeliveryLog triggerId={trigger.id} mayReplay={may.fire} />
        <Box sx={{ display: "grid", gap: 2, alignContent: "start" }}>
          {trigger.type === "schedule" ? <NextInstants trigger={trigger} /> : null}
          <TriggerAddress trigger={trigger} />
          <Panel title={t("Terms")}>
            <JsonView value={terms as Json} what={t("the terms")} />
          </Panel>
        </Box>
      </Box>
      {firing ? (
        <FireDialog
          trigger={trigger}
          type={types.find((type) => type.id === trigger.type)}
          onClose={() => {
            setFiring(false);
            refresh();
          }}
        />
      ) : null}
    </>
  );
}

function NextInstants({ trigger }: { trigger: Trigger }): ReactElement {
  const [preview, setPreview] = useState<SchedulePreview | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  // Asked again when the trigger was saved.
  useEffect(() => {
    api(`triggers/${trigger.id}/next`).then(
      ({ json }) => setPreview(json as SchedulePreview | null), // cast: the answer of that route
      setFailure,
    );
  }, [trigger.id, trigger.updatedAt]);
  return (
    <Panel title={t("Next")}>
      {failure === null ? null : <ErrorPanel error={failure} title={t("The next instants could not be loaded")} />}
      {preview === null ? null : (
        <>
          <Box sx={{ fontWeight: 600 }}>{preview.says}</Box>
          <Box component="ol" sx={{ m: 0, mt: 1, pl: 2.5, fontSize: 13.5, color: "text.secondary" }}>
            {trigger.enabled
              ? preview.next.map((instant) => <li key={instant}>{inZone(instant, preview.timezone)}</li>)
              : null}
          </Box>
          {trigger.enabled ? null : (
            <Box sx={{ fontSize: 13.5, color: "text.secondary" }}>{t("It is off and does not fire.")}</Box>
          )}
        </>
      )}
    </Panel>
  );
}
