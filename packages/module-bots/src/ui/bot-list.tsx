import ForumOutlined from "@mui/icons-material/ForumOutlined";
import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import type { Bot } from "@oven/contract/agent";
import { t, tx } from "@oven/i18n";
import { useCreateButton } from "@oven/ui/components/dialog-buttons.tsx";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { ListBody, SearchField } from "@oven/ui/components/list-page.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowItem, RowList, RowPart } from "@oven/ui/components/row-item.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import type { ReactElement } from "react";
import { ListBase, useListContext } from "react-admin";
import { Link as RouterLink, useNavigate } from "react-router-dom";
import { BotDialog } from "./bot-dialog.tsx";
import { lookOf, MESSENGERS } from "./bot-words.ts";

/** The bots in messengers, and who answers for each. */
export function BotList(): ReactElement {
  const navigate = useNavigate();
  const create = useCreateButton(t("Connect a bot"), useCan("bots.create"), (close) => (
    <BotDialog
      bot={null}
      onClose={(saved) => {
        close(false);
        if (saved !== null) navigate(`/bots/${saved.id}/show`);
      }}
    />
  ));
  return (
    <ListBase resource="bots" sort={{ field: "name", order: "ASC" }} perPage={25}>
      <PageHeader
        title={t("Bots")}
        line={t("Agents and workflows that answer in Slack and Microsoft Teams. A thread is a conversation.")}
        actions={create.button}
      />
      <ListBody
        noun={t("bots")}
        filters={<SearchField label={t("Search bots")} />}
        empty={
          <EmptyState
            icon={<ForumOutlined />}
            title={t("No bot is connected")}
            text={t("Connect an app of Slack or a bot of Microsoft Teams, and choose the agent that answers.")}
            action={create.button}
          />
        }
      >
        <BotRows />
      </ListBody>
      {create.dialog}
    </ListBase>
  );
}

function BotRows(): ReactElement {
  const { data } = useListContext<Bot>();
  return (
    <RowList label={t("Bots")}>
      {(data ?? []).map((bot) => (
        <RowItem key={bot.id}>
          <RowPart basis={220} grow={2}>
            <Link component={RouterLink} to={`/bots/${bot.id}/show`} color="text.primary" sx={{ fontWeight: 600 }}>
              {bot.name}
            </Link>
            <Box sx={{ fontSize: 12.5, color: "text.secondary" }}>
              {MESSENGERS[bot.connection.type]} · {bot.targetName ?? t("nothing answers")}
            </Box>
          </RowPart>
          <RowPart basis={160} quiet>
            {bot.lastMessageAt === null
              ? t("no message yet")
              : tx("last message {{time}}", { time: <RelativeTime at={bot.lastMessageAt} /> })}
          </RowPart>
          <ToneChip {...lookOf(bot)} />
        </RowItem>
      ))}
    </RowList>
  );
}
