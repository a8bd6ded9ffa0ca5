import ArticleOutlined from "@mui/icons-material/ArticleOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import Link from "@mui/material/Link";
import type { KnowledgeDocument, VectorStore } from "@oven/contract/ai";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ConfirmDialog } from "@oven/ui/components/confirm-dialog.tsx";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { formatBytes } from "@oven/ui/components/format.ts";
import { FilterChips, ListBody, SearchField } from "@oven/ui/components/list-page.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowItem, RowList, RowPart } from "@oven/ui/components/row-item.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { type ReactElement, useEffect, useState } from "react";
import { ListBase, useListContext } from "react-admin";
import { Link as RouterLink } from "react-router-dom";
import { DocumentNotes } from "./document-notes.tsx";
import { isOpen, shareDone, toStage } from "./document-words.ts";

const STATES = [
  { label: t("Ready"), value: "ready" },
  { label: t("Being taken in"), value: ["queued", "running"] },
  { label: t("Failed"), value: "failed" },
];

interface DocumentListProps {
  store: VectorStore;
  /** Something of the store is other than before. */
  onChanged: () => void;
}

/** The documents of a store with how far each is taken in. */
export function DocumentList({ store, onChanged }: DocumentListProps): ReactElement {
  return (
    <ListBase
      resource={`vector-stores/${store.id}/documents`}
      sort={{ field: "updatedAt", order: "DESC" }}
      perPage={25}
      exporter={false}
      queryOptions={{
        // cast: rows of this list
        refetchInterval: ({ state }) =>
          (state.data?.data as KnowledgeDocument[] | undefined)?.some(isOpen) ? 1_000 : false,
      }}
    >
      <ListBody
        noun={t("documents")}
        filters={
          <>
            <SearchField label={t("Search documents")} />
            <FilterChips field="status" label={t("State")} choices={STATES} />
          </>
        }
        empty={
          <EmptyState
            icon={<ArticleOutlined />}
            title={t("The store is empty")}
            text={t("Drop files above: text, Markdown, HTML, PDF or Word. Each is cut into passages that agents find.")}
          />
        }
      >
        <DocumentRows store={store} onChanged={onChanged} />
      </ListBody>
    </ListBase>
  );
}

function DocumentRows({ store, onChanged }: DocumentListProps): ReactElement {
  const { data, refetch, total } = useListContext<KnowledgeDocument>();
  const [deleting, setDeleting] = useState<KnowledgeDocument | null>(null);
  // What the page's head counts: read again when a document was added or is through.
  const settled = (data ?? []).filter((document) => !isOpen(document)).length;
  useEffect(() => onChanged(), [settled, total]);
  return (
    <>
      <RowList label={t("Documents")}>
        {(data ?? []).map((document) => (
          <DocumentRow
            key={document.id}
            document={document}
            onRetried={() => void refetch()}
            onDelete={() => setDeleting(document)}
          />
        ))}
      </RowList>
      <ConfirmDialog
        open={deleting !== null}
        title={t("Delete “{{title}}”?", { title: deleting?.title })}
        text={t("Its passages are not found any more.")}
        confirmLabel={t("Delete")}
        onClose={() => setDeleting(null)}
        onConfirm={async () => {
          await api(`vector-stores/${store.id}/documents/${deleting?.id}`, { method: "DELETE" });
          await refetch();
          onChanged();
        }}
      />
    </>
  );
}

function DocumentRow({
  document,
  onRetried,
  onDelete,
}: {
  document: KnowledgeDocument;
  onRetried: () => void;
  onDelete: () => void;
}): ReactElement {
  const { id, vectorStoreId, title, bytes, chunks, updatedAt, status } = document;
  const mayUpdate = useCan("vector-stores.update");
  const { busy, failure, run } = useAction(async () => {
    await api(`vector-stores/${vectorStoreId}/documents/${id}/retry`, { method: "POST", body: {} });
    onRetried();
  });
  const share = shareDone(document);
  return (
    <RowItem>
      <RowPart basis={220} grow={2}>
        <Link
          component={RouterLink}
          to={`/vector-stores/${vectorStoreId}/documents/${id}`}
          color="text.primary"
          sx={{ fontWeight: 600 }}
        >
          {title}
        </Link>
      </RowPart>
      <RowPart basis={150} quiet>
        {formatBytes(bytes)}, {chunks} {chunks === 1 ? t("passage") : t("passages")}
      </RowPart>
      <RowPart basis={90} quiet>
        <RelativeTime at={updatedAt} />
      </RowPart>
      <ToneChip {...toStage(document)} />
      {mayUpdate ? (
        <Box sx={{ display: "flex", gap: 0.5 }}>
          {status === "failed" ? (
            <Button
              size="small"
              variant="outlined"
              loading={busy}
              onClick={() => void run()}
              aria-label={t("Try again: {{title}}", { title })}
            >
              {t("Try again")}
            </Button>
          ) : null}
          <Button size="small" onClick={onDelete} aria-label={t("Delete {{title}}", { title })}>
            {t("Delete")}
          </Button>
        </Box>
      ) : null}
      {share === null ? null : (
        <LinearProgress
          variant="determinate"
          aria-label={t("How far {{title}} is taken in", { title })}
          value={100 * share}
          sx={{ flex: "1 1 100%" }}
        />
      )}
      <DocumentNotes document={document} onChanged={onRetried} />
      {failure === null ? null : <ErrorPanel error={failure} title={t("It was not tried again")} />}
    </RowItem>
  );
}
