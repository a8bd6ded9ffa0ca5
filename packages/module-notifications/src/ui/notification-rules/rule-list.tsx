import CampaignOutlined from "@mui/icons-material/CampaignOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { NotificationRule } from "@oven/contract/system";
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
import { ListBase, useListContext, useRefresh } from "react-admin";
import { Link } from "react-router-dom";
import { KIND_WORDS } from "../notifications/kind-words.ts";
import { toRecipientWords } from "./recipient-words.ts";
import { RuleDialog } from "./rule-dialog.tsx";

const STATES = [
  { label: t("On"), value: true },
  { label: t("Off"), value: false },
];

/** Who is told of what, which way. */
export function NotificationRuleList(): ReactElement {
  const mayCreate = useCan("notification-rules.create");
  const maySeeSent = useCan("notification-deliveries.read");
  const create = useCreateButton(t("New rule"), mayCreate, (close) => <RuleDialog rule={null} onClose={close} />);
  return (
    <ListBase resource="notification-rules" sort={{ field: "id", order: "DESC" }} perPage={25}>
      <PageHeader
        title={t("Notification rules")}
        line={t(
          "Without any rule, people are told in the dashboard when a run of theirs fails and when a review asks them.",
        )}
        actions={
          <>
            {maySeeSent ? (
              <Button variant="outlined" component={Link} to="/notification-deliveries">
                {t("Sent messages")}
              </Button>
            ) : null}
            {create.button}
          </>
        }
      />
      <ListBody
        noun={t("rules")}
        filters={
          <>
            <SearchField label={t("Search rules")} />
            <FilterChips field="enabled" label={t("State")} choices={STATES} />
          </>
        }
        empty={
          <EmptyState
            icon={<CampaignOutlined />}
            title={t("No rules yet")}
            text={t("Make one to tell people by e-mail, or other systems by a webhook or in Slack.")}
            action={create.button}
          />
        }
      >
        <RuleRows />
      </ListBody>
      {create.dialog}
    </ListBase>
  );
}

function RuleRows(): ReactElement {
  const { data } = useListContext<NotificationRule>();
  const [mayUpdate, mayDelete] = [useCan("notification-rules.update"), useCan("notification-rules.delete")];
  const refresh = useRefresh();
  const { busy, failure, run } = useAction(async (rule: NotificationRule) => {
    await api(`notification-rules/${rule.id}`, { method: "PUT", body: { enabled: !rule.enabled } });
    refresh();
  });
  return (
    <>
      {failure === null ? null : <ErrorPanel error={failure} title={t("The rule was not switched")} />}
      <RowList label={t("Notification rules")}>
        {(data ?? []).map((rule) => (
          <RowItem key={rule.id}>
            <RowPart basis={200} grow={1}>
              <Box sx={{ fontWeight: 600 }}>{rule.name}</Box>
              <Box sx={{ fontSize: 12.5, color: "text.secondary" }}>
                {rule.scope.kind === "all" ? t("all workflows") : `${rule.scope.kind} ${rule.scope.workflowId}`}
              </Box>
            </RowPart>
            <RowPart basis={220} grow={2}>
              {rule.events.map((kind) => KIND_WORDS[kind]).join(", ")}
            </RowPart>
            <RowPart basis={200} grow={1} quiet>
              {toRecipientWords(rule)}
            </RowPart>
            <ToneChip tone={rule.enabled ? "completed" : "stopped"} word={rule.enabled ? t("on") : t("off")} />
            <Box sx={{ display: "flex" }}>
              {mayUpdate ? (
                <>
                  <Button
                    size="small"
                    aria-label={
                      rule.enabled
                        ? t("Switch off {{name}}", { name: rule.name })
                        : t("Switch on {{name}}", { name: rule.name })
                    }
                    disabled={busy}
                    onClick={() => void run(rule)}
                  >
                    {rule.enabled ? t("Switch off") : t("Switch on")}
                  </Button>
                  <EditButton
                    label={t("Edit {{name}}", { name: rule.name })}
                    dialog={(close) => <RuleDialog rule={rule} onClose={close} />}
                  />
                </>
              ) : null}
              {mayDelete ? (
                <DeleteButton
                  resource="notification-rules"
                  record={rule}
                  label={t("Delete {{name}}", { name: rule.name })}
                  title={t("Delete “{{name}}”?", { name: rule.name })}
                  text={t("Nobody is told by it any more. What it has sent stays in the log.")}
                />
              ) : null}
            </Box>
          </RowItem>
        ))}
      </RowList>
    </>
  );
}
