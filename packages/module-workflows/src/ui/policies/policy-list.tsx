import GavelOutlined from "@mui/icons-material/GavelOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { Role } from "@oven/contract/access";
import type { GraphPolicy } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { DeleteButton, EditButton, useCreateButton } from "@oven/ui/components/dialog-buttons.tsx";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { FilterChips, ListBody, SearchField } from "@oven/ui/components/list-page.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { RowItem, RowList, RowPart } from "@oven/ui/components/row-item.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import type { ReactElement } from "react";
import { ListBase, useGetList, useListContext, useRefresh } from "react-admin";
import { PolicyDialog } from "./policy-dialog.tsx";
import { toSentence } from "./policy-words.ts";

const STATES = [
  { label: t("On"), value: true },
  { label: t("Off"), value: false },
];
const SEVERITIES = [
  { label: t("Refuses"), value: "error" },
  { label: t("Warns"), value: "warning" },
];
const ALL = { pagination: { page: 1, perPage: 200 }, sort: { field: "id", order: "ASC" as const } };

/** The rules about workflows that hold for a whole tenant, each as a sentence. */
export function PolicyList(): ReactElement {
  const mayUpdate = useCan("policies.update");
  const create = useCreateButton(t("New policy"), mayUpdate, (close) => <PolicyDialog policy={null} onClose={close} />);
  return (
    <ListBase resource="graph-policies" sort={{ field: "id", order: "DESC" }} perPage={25}>
      <PageHeader
        title={t("Policies")}
        line={t("Rules about workflows that hold for everybody who draws or starts them.")}
        actions={create.button}
      />
      <ListBody
        noun={t("policies")}
        filters={
          <>
            <SearchField label={t("Search policies")} />
            <FilterChips field="enabled" label={t("State")} choices={STATES} />
            <FilterChips field="severity" label={t("What it does")} choices={SEVERITIES} />
          </>
        }
        empty={
          <EmptyState
            icon={<GavelOutlined />}
            title={t("No policies yet")}
            text={t(
              "Write one, such as that people approve before money is moved. You see which workflows it would refuse before you save it.",
            )}
            action={create.button}
          />
        }
      >
        <PolicyRows mayUpdate={mayUpdate} />
      </ListBody>
      {create.dialog}
    </ListBase>
  );
}

function PolicyRows({ mayUpdate }: { mayUpdate: boolean }): ReactElement {
  const { data } = useListContext<GraphPolicy>();
  const roles = useGetList<Role>("roles", ALL, { enabled: useCan("roles.read") }).data ?? [];
  const titleOf = (name: string): string => roles.find((role) => role.name === name)?.title ?? name;
  const refresh = useRefresh();
  const { busy, failure, run } = useAction(async ({ id, enabled }: GraphPolicy) => {
    await api(`graph-policies/${id}`, { method: "PUT", body: { enabled: !enabled } });
    refresh();
  });
  return (
    <>
      {failure === null ? null : <ErrorPanel error={failure} title={t("The policy was not switched")} />}
      <RowList label={t("Policies")}>
        {(data ?? []).map((policy) => (
          <RowItem key={policy.id}>
            <RowPart basis={320} grow={1}>
              <Box sx={{ fontWeight: 600 }}>{policy.name}</Box>
              <Box sx={{ fontSize: 13.5 }}>{toSentence(policy.rule, titleOf)}</Box>
              {policy.description === null ? null : (
                <Box sx={{ fontSize: 12.5, color: "text.secondary" }}>{policy.description}</Box>
              )}
            </RowPart>
            {policy.tenantId === null ? (
              <Box sx={{ fontSize: 12.5, color: "text.secondary" }}>{t("of the whole installation")}</Box>
            ) : null}
            <StateChip policy={policy} />
            {mayUpdate && policy.tenantId !== null ? (
              <Box sx={{ display: "flex" }}>
                <Button
                  size="small"
                  aria-label={
                    policy.enabled
                      ? t("Switch off {{name}}", { name: policy.name })
                      : t("Switch on {{name}}", { name: policy.name })
                  }
                  disabled={busy}
                  onClick={() => void run(policy)}
                >
                  {policy.enabled ? t("Switch off") : t("Switch on")}
                </Button>
                <EditButton
                  label={t("Edit {{name}}", { name: policy.name })}
                  dialog={(close) => <PolicyDialog policy={policy} onClose={close} />}
                />
                <DeleteButton
                  resource="graph-policies"
                  record={policy}
                  label={t("Delete {{name}}", { name: policy.name })}
                  title={t("Delete “{{name}}”?", { name: policy.name })}
                  text={t("What it refuses can be published and run from then on.")}
                />
              </Box>
            ) : null}
          </RowItem>
        ))}
      </RowList>
    </>
  );
}

function StateChip({ policy: { enabled, severity } }: { policy: GraphPolicy }): ReactElement {
  if (!enabled) return <ToneChip tone="stopped" word={t("off")} />;
  return severity === "error" ? (
    <ToneChip tone="failed" word={t("refuses")} />
  ) : (
    <ToneChip tone="paused" word={t("warns")} />
  );
}
