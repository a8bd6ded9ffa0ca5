import AddRounded from "@mui/icons-material/AddRounded";
import BoltOutlined from "@mui/icons-material/BoltOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Chip from "@mui/material/Chip";
import Switch from "@mui/material/Switch";
import type { Trigger } from "@oven/contract/trigger";
import { t, tx } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { FilterChips, ListBody, SearchField } from "@oven/ui/components/list-page.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowItem, RowList, RowPart } from "@oven/ui/components/row-item.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { useTargetNames } from "@oven/ui/components/use-target-names.ts";
import type { ReactElement } from "react";
import { ListBase, useListContext, useNotify, useRefresh } from "react-admin";
import { Link } from "react-router-dom";
import { useTriggerTypes } from "./use-trigger-types.ts";

/** Everything that starts workflows by itself. */
export function TriggerList(): ReactElement {
  const mayCreate = useCan("triggers.create");
  const { types } = useTriggerTypes();
  const create = mayCreate ? (
    <Button component={Link} to="/triggers/create" variant="contained" startIcon={<AddRounded />}>
      {t("New trigger")}
    </Button>
  ) : null;
  return (
    <ListBase resource="triggers" sort={{ field: "id", order: "DESC" }} perPage={25}>
      <PageHeader
        title={t("Triggers & schedules")}
        line={t("What starts workflows by itself: a schedule, an event, a call from outside.")}
        actions={create}
      />
      <ListBody
        noun={t("triggers")}
        filters={
          <>
            <SearchField label={t("Search name")} />
            <FilterChips
              field="type"
              label={t("Kind")}
              choices={types.map(({ id, title }) => ({ label: title, value: id }))}
            />
          </>
        }
        empty={
          <EmptyState
            icon={<BoltOutlined />}
            title={t("Nothing starts by itself yet")}
            text={t("A trigger starts a workflow at a time, when something happens, or when another system calls.")}
            action={create}
          />
        }
      >
        <TriggerRows />
      </ListBody>
    </ListBase>
  );
}

function TriggerRows(): ReactElement {
  const { data } = useListContext<Trigger>();
  const { titleOf } = useTriggerTypes();
  const nameOf = useTargetNames();
  const mayUpdate = useCan("triggers.update");
  const refresh = useRefresh();
  const notify = useNotify();
  const { failure, run } = useAction(async (trigger: Trigger) => {
    await api(`triggers/${trigger.id}`, { method: "PUT", body: { enabled: !trigger.enabled } });
    notify(
      trigger.enabled ? t("{{name}} is off", { name: trigger.name }) : t("{{name}} is on", { name: trigger.name }),
    );
    refresh();
  });
  return (
    <>
      {failure === null ? null : (
        <Box sx={{ p: 2 }}>
          <ErrorPanel error={failure} title={t("The trigger was not changed")} />
        </Box>
      )}
      <RowList label={t("Triggers")}>
        {(data ?? []).map((trigger) => (
          <RowItem key={trigger.id}>
            <RowPart basis={240} grow={1}>
              <Box component={Link} to={`/triggers/${trigger.id}/show`} sx={{ fontWeight: 600, color: "text.primary" }}>
                {trigger.name}
              </Box>
              <Box sx={{ fontSize: 13, color: "text.secondary" }}>
                {t("starts {{target}}", { target: nameOf(trigger.target) })}
              </Box>
              {trigger.problem === null ? null : (
                <Box sx={{ fontSize: 13, color: "error.main" }}>{trigger.problem.message}</Box>
              )}
            </RowPart>
            <RowPart basis={110}>
              <Chip size="small" variant="outlined" label={titleOf(trigger.type)} />
            </RowPart>
            {trigger.problem === null ? null : (
              <RowPart basis={110}>
                <ToneChip tone="failed" word={t("does not fit")} />
              </RowPart>
            )}
            <RowPart basis={170} quiet>
              {trigger.dueAt === null ? "–" : tx("next {{time}}", { time: <RelativeTime at={trigger.dueAt} /> })}
            </RowPart>
            <Switch
              checked={trigger.enabled}
              disabled={!mayUpdate}
              onChange={() => void run(trigger)}
              slotProps={{ input: { "aria-label": t("{{name}} is on", { name: trigger.name }) } }}
            />
          </RowItem>
        ))}
      </RowList>
    </>
  );
}
