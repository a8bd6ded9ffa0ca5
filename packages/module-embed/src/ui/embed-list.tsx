import AddRounded from "@mui/icons-material/AddRounded";
import WebAssetOutlined from "@mui/icons-material/WebAssetOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import type { Embed } from "@oven/contract/embed";
import { t } from "@oven/i18n";
import { DeleteButton } from "@oven/ui/components/dialog-buttons.tsx";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { ListBody, SearchField } from "@oven/ui/components/list-page.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { RowItem, RowList, RowPart } from "@oven/ui/components/row-item.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import type { ReactElement } from "react";
import { ListBase, useListContext } from "react-admin";
import { Link as RouterLink } from "react-router-dom";
import { stateOf } from "./embed-words.ts";

/** What pages of other sites show. */
export function EmbedList(): ReactElement {
  const create = useCan("embeds.create") ? (
    <Button component={RouterLink} to="/embeds/create" variant="contained" startIcon={<AddRounded />}>
      {t("New embed")}
    </Button>
  ) : null;
  return (
    <ListBase resource="embeds" sort={{ field: "name", order: "ASC" }} perPage={25}>
      <PageHeader
        title={t("Embeds")}
        line={t("Agents and workflows as a chat or a form on pages of other sites.")}
        actions={create}
      />
      <ListBody
        noun={t("embeds")}
        filters={<SearchField label={t("Search embeds")} />}
        empty={
          <EmptyState
            icon={<WebAssetOutlined />}
            title={t("No embed yet")}
            text={t("Choose an agent or a workflow, name the origins of the pages, and copy one line into them.")}
            action={create}
          />
        }
      >
        <EmbedRows />
      </ListBody>
    </ListBase>
  );
}

function EmbedRows(): ReactElement {
  const { data } = useListContext<Embed>();
  const mayDelete = useCan("embeds.delete");
  return (
    <RowList label={t("Embeds")}>
      {(data ?? []).map((embed) => (
        <RowItem key={embed.id}>
          <RowPart basis={220} grow={2}>
            <Link component={RouterLink} to={`/embeds/${embed.id}`} color="text.primary" sx={{ fontWeight: 600 }}>
              {embed.name}
            </Link>
            <Box sx={{ fontSize: 12.5, color: "text.secondary", overflowWrap: "anywhere" }}>
              {embed.origins.join(", ")}
            </Box>
          </RowPart>
          <RowPart basis={80} quiet>
            {embed.mode === "form" ? t("A form") : "Chat"}
          </RowPart>
          <ToneChip {...stateOf(embed)} />
          {mayDelete ? (
            <DeleteButton
              resource="embeds"
              record={embed}
              label={t("Delete “{{name}}”", { name: embed.name })}
              title={t("Delete the embed “{{name}}”?", { name: embed.name })}
              text={t("Pages stop showing it, and what visitors said is deleted. Runs stay.")}
            />
          ) : null}
        </RowItem>
      ))}
    </RowList>
  );
}
