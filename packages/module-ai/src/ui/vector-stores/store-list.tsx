import LibraryBooksOutlined from "@mui/icons-material/LibraryBooksOutlined";
import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import type { VectorStore } from "@oven/contract/ai";
import { t, tx } from "@oven/i18n";
import { useCreateButton } from "@oven/ui/components/dialog-buttons.tsx";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { formatBytes } from "@oven/ui/components/format.ts";
import { ListBody, SearchField } from "@oven/ui/components/list-page.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowItem, RowList, RowPart } from "@oven/ui/components/row-item.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import type { ReactElement } from "react";
import { ListBase, useListContext } from "react-admin";
import { Link as RouterLink, useNavigate } from "react-router-dom";
import { StoreDialog } from "./store-dialog.tsx";

const NUMBER = new Intl.NumberFormat("en-US");

/** What agents can look things up in. */
export function VectorStoreList(): ReactElement {
  const navigate = useNavigate();
  const create = useCreateButton(t("New vector store"), useCan("vector-stores.create"), (close) => (
    <StoreDialog
      store={null}
      onClose={(saved) => {
        close(false);
        if (saved !== null) navigate(`/vector-stores/${saved.id}`);
      }}
    />
  ));
  return (
    <ListBase
      resource="vector-stores"
      sort={{ field: "name", order: "ASC" }}
      perPage={25}
      queryOptions={{ refetchInterval: 10_000 }}
    >
      <PageHeader
        title={t("Knowledge")}
        line={t("Documents that agents look things up in, by what they mean and by their words.")}
        actions={create.button}
      />
      <ListBody
        noun={t("vector stores")}
        filters={<SearchField label={t("Search vector stores")} />}
        empty={
          <EmptyState
            icon={<LibraryBooksOutlined />}
            title={t("There is nothing to look things up in")}
            text={t(
              "Make a vector store, drop your documents into it, and try what it finds. Agents then answer from it and name their sources.",
            )}
            action={create.button}
          />
        }
      >
        <StoreRows />
      </ListBody>
      {create.dialog}
    </ListBase>
  );
}

function StoreRows(): ReactElement {
  const { data } = useListContext<VectorStore>();
  return (
    <RowList label={t("Vector stores")}>
      {(data ?? []).map((store) => (
        <RowItem key={store.id}>
          <RowPart basis={220} grow={2}>
            <Link
              component={RouterLink}
              to={`/vector-stores/${store.id}`}
              color="text.primary"
              sx={{ fontWeight: 600 }}
            >
              {store.name}
            </Link>
            <Box sx={{ fontFamily: MONOSPACE, fontSize: 12, color: "text.secondary" }}>{store.embeddingModel}</Box>
          </RowPart>
          <RowPart basis={170} grow={1}>
            {NUMBER.format(store.documents)} {store.documents === 1 ? t("document") : t("documents")},{" "}
            {formatBytes(store.bytes)}
          </RowPart>
          <RowPart basis={120} quiet>
            {NUMBER.format(store.items)} {store.items === 1 ? t("passage") : t("passages")}
          </RowPart>
          <RowPart basis={130} quiet>
            {tx("changed {{time}}", { time: <RelativeTime at={store.changedAt} /> })}
          </RowPart>
          <StoreState store={store} />
        </RowItem>
      ))}
    </RowList>
  );
}

export function StoreState({
  store: { documentsOpen, documentsFailed },
}: {
  store: Pick<VectorStore, "documentsOpen" | "documentsFailed">;
}): ReactElement | null {
  return (
    <>
      {documentsOpen > 0 ? (
        <ToneChip tone="running" word={t("{{documentsOpen}} being taken in", { documentsOpen })} />
      ) : null}
      {documentsFailed > 0 ? (
        <ToneChip tone="failed" word={t("{{documentsFailed}} failed", { documentsFailed })} />
      ) : null}
    </>
  );
}
