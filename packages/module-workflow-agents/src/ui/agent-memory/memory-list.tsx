import PsychologyOutlined from "@mui/icons-material/PsychologyOutlined";
import Box from "@mui/material/Box";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import type { MemoryEntry } from "@oven/contract/ai";
import { t } from "@oven/i18n";
import { useCreateButton } from "@oven/ui/components/dialog-buttons.tsx";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { ListBody, SearchField } from "@oven/ui/components/list-page.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowCard } from "@oven/ui/components/row-card.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { useIsNarrow } from "@oven/ui/components/use-is-narrow.ts";
import type { ReactElement } from "react";
import { DataTable, ListBase, useListContext } from "react-admin";
import { Link } from "react-router-dom";
import { EmbeddingChip } from "./embedding-chip.tsx";
import { MemoryDialog } from "./memory-dialog.tsx";
import { type Owners, useOwners } from "./use-owners.ts";

/** What agents remember, over all of them. */
export function MemoryList(): ReactElement {
  const owners = useOwners();
  const add = useCreateButton(t("New memory"), useCan("agent-memory.create"), (close) => (
    <MemoryDialog owners={owners} onClose={() => close(false)} />
  ));
  return (
    <ListBase resource="agent-memory" sort={{ field: "updatedAt", order: "DESC" }} perPage={25}>
      <PageHeader title={t("Memory")} line={t("What agents keep from one run for the next.")} actions={add.button} />
      <ListBody
        noun={t("memories")}
        filters={
          <>
            <OwnerFilter owners={owners} />
            <SearchField label={t("Search memories")} />
          </>
        }
        empty={
          <EmptyState
            icon={<PsychologyOutlined />}
            title={t("Nothing is remembered yet")}
            text={t(
              "A workflow with `agent.memoryWrite`, or an agent whose memory is on, keeps facts here. You can also write one by hand.",
            )}
            action={add.button}
          />
        }
      >
        <MemoryRows owners={owners} />
      </ListBody>
      {add.dialog}
    </ListBase>
  );
}

/** The two filters that name an owner, as one choice. */
function OwnerFilter({ owners }: { owners: Owners }): ReactElement {
  const { filterValues, setFilters } = useListContext();
  const { agentId, agentWorkflowId, ...others } = filterValues;
  const chosen =
    agentId !== undefined
      ? `agentId:${agentId}`
      : agentWorkflowId !== undefined
        ? `agentWorkflowId:${agentWorkflowId}`
        : "";
  return (
    <TextField
      select
      label={t("Of")}
      value={owners.choices.some(({ key }) => key === chosen) ? chosen : ""}
      onChange={(event) => {
        const [field = "", id] = event.target.value.split(":");
        setFilters(id === undefined ? others : { ...others, [field]: Number(id) });
      }}
      sx={{ width: { xs: "100%", sm: 220 } }}
      slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
    >
      <MenuItem value="">{t("All agents and workflows")}</MenuItem>
      {owners.choices.map(({ key, name }) => (
        <MenuItem key={key} value={key}>
          {name}
        </MenuItem>
      ))}
    </TextField>
  );
}

function MemoryRows({ owners }: { owners: Owners }): ReactElement {
  const narrow = useIsNarrow();
  const { data } = useListContext<MemoryEntry>();
  if (narrow) {
    return (
      <>
        {(data ?? []).map((entry) => (
          <RowCard
            key={entry.id}
            to={`/agent-memory/${entry.id}/show`}
            title={entry.key}
            aside={<EmbeddingChip entry={entry} />}
          >
            <Box sx={{ width: "100%", color: "text.primary", overflowWrap: "anywhere" }}>{entry.content}</Box>
            <span>{owners.ownerOf(entry).name}</span>
            <span>{t("of {{user}}", { user: owners.userOf(entry) })}</span>
            <RelativeTime at={entry.updatedAt} />
          </RowCard>
        ))}
      </>
    );
  }
  return (
    <DataTable<MemoryEntry> rowClick="show" bulkActionButtons={false}>
      <DataTable.Col
        source="key"
        label={t("About")}
        render={(entry: MemoryEntry) => (
          <Box
            component={Link}
            to={`/agent-memory/${entry.id}/show`}
            onClick={(event: { stopPropagation: () => void }) => event.stopPropagation()}
            sx={{
              fontWeight: 600,
              color: "text.primary",
              textDecoration: "none",
              overflowWrap: "anywhere",
              "&:hover": { textDecoration: "underline" },
            }}
          >
            {entry.key}
          </Box>
        )}
      />
      <DataTable.Col
        disableSort
        label={t("What is remembered")}
        render={(entry: MemoryEntry) => (
          <Box
            sx={{
              maxWidth: 420,
              overflow: "hidden",
              display: "-webkit-box",
              WebkitLineClamp: 2,
              WebkitBoxOrient: "vertical",
              overflowWrap: "anywhere",
            }}
          >
            {entry.content}
          </Box>
        )}
      />
      <DataTable.Col disableSort label={t("Of")} render={(entry: MemoryEntry) => owners.ownerOf(entry).name} />
      <DataTable.Col disableSort label={t("About whom")} render={(entry: MemoryEntry) => owners.userOf(entry)} />
      <DataTable.Col
        disableSort
        label={t("Embedding")}
        render={(entry: MemoryEntry) => <EmbeddingChip entry={entry} />}
      />
      <DataTable.Col
        source="updatedAt"
        label={t("Changed")}
        render={(entry: MemoryEntry) => <RelativeTime at={entry.updatedAt} />}
      />
    </DataTable>
  );
}
