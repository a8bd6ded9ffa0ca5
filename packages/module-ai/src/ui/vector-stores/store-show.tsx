import DeleteOutlineRounded from "@mui/icons-material/DeleteOutlineRounded";
import EditOutlined from "@mui/icons-material/EditOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import type { VectorStore } from "@oven/contract/ai";
import { t, tx } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ConfirmDialog } from "@oven/ui/components/confirm-dialog.tsx";
import { CopyButton } from "@oven/ui/components/copy-button.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { TabBar } from "@oven/ui/components/tab-bar.tsx";
import { Code } from "@oven/ui/components/tool-box.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { useRecord } from "@oven/ui/components/use-record.ts";
import { type ReactElement, useState } from "react";
import { useRefresh } from "react-admin";
import { useNavigate, useParams } from "react-router-dom";
import { AddDocuments } from "./add-documents.tsx";
import { DocumentList } from "./document-list.tsx";
import { SearchTester } from "./search-tester.tsx";
import { StoreDialog } from "./store-dialog.tsx";
import { StoreState } from "./store-list.tsx";

const PARENT = { to: "/vector-stores", label: t("Knowledge") };

export function VectorStoreShow(): ReactElement {
  const { id = "" } = useParams();
  const {
    data: store,
    error,
    refetch,
  } = useRecord<VectorStore>("vector-stores", id, {
    askAgain: (row) => ((row?.documentsOpen ?? 0) > 0 ? 2_000 : false),
  });
  if (store === undefined && error) {
    return (
      <>
        <PageHeader title={t("Vector store {{id}}", { id })} parent={PARENT} />
        <ErrorPanel error={error} title={t("This vector store could not be loaded")} onRetry={refetch} />
      </>
    );
  }
  if (store === undefined) return <Skeleton variant="rounded" height={360} />;
  return <LoadedStore store={store} refetch={refetch} />;
}

function LoadedStore({ store, refetch }: { store: VectorStore; refetch: () => void }): ReactElement {
  const mayUpdate = useCan("vector-stores.update");
  const mayAsk = useCan("vector-stores.ask");
  // The list too, which has nothing yet to ask again for.
  const refresh = useRefresh();
  return (
    <>
      <PageHeader
        title={store.name}
        parent={PARENT}
        badges={<StoreState store={store} />}
        line={
          <>
            <Code>{store.slug}</Code>
            <CopyButton text={store.slug} what={t("the store's name")} small />
            <span>
              {[
                t("{{count}} passages by {{model}}", { count: store.items, model: store.embeddingModel }),
                t("{{dimensions}} numbers each", { dimensions: store.dimensions }),
                store.search === "hnsw" ? t("with an index") : t("each compared"),
              ].join(", ")}
            </span>
            <span>{tx("changed {{time}}", { time: <RelativeTime at={store.changedAt} /> })}</span>
          </>
        }
        actions={<Actions store={store} refetch={refetch} />}
      />
      {store.description === null ? null : (
        <Box sx={{ mb: 2, color: "text.secondary", overflowWrap: "anywhere" }}>{store.description}</Box>
      )}
      <Panel flush>
        <TabBar
          label={t("Of this store")}
          tabs={[
            {
              id: "documents",
              label: t("Documents ({{documents}})", { documents: store.documents }),
              content: () => (
                <Box sx={{ display: "grid", gap: 2 }}>
                  {mayUpdate ? <AddDocuments store={store} onAdded={refresh} /> : null}
                  <DocumentList store={store} onChanged={refetch} />
                </Box>
              ),
            },
            { id: "search", label: t("Try a search"), content: () => <SearchTester store={store} mayAsk={mayAsk} /> },
          ]}
        />
      </Panel>
    </>
  );
}

function Actions({ store, refetch }: { store: VectorStore; refetch: () => void }): ReactElement {
  const may = { update: useCan("vector-stores.update"), delete: useCan("vector-stores.delete") };
  const [open, setOpen] = useState<"edit" | "delete" | null>(null);
  const navigate = useNavigate();
  return (
    <>
      {may.update ? (
        <Button variant="outlined" startIcon={<EditOutlined />} onClick={() => setOpen("edit")}>
          {t("Edit")}
        </Button>
      ) : null}
      {may.delete ? (
        <Button variant="outlined" color="error" startIcon={<DeleteOutlineRounded />} onClick={() => setOpen("delete")}>
          {t("Delete")}
        </Button>
      ) : null}
      {open === "edit" ? (
        <StoreDialog
          store={store}
          onClose={(saved) => {
            setOpen(null);
            if (saved !== null) refetch();
          }}
        />
      ) : null}
      <ConfirmDialog
        open={open === "delete"}
        title={t("Delete the vector store “{{name}}”?", { name: store.name })}
        text={t(
          "Its {{documents}} documents and {{items}} passages are gone. Agents and steps that name it fail from then on.",
          { documents: store.documents, items: store.items },
        )}
        confirmLabel={t("Delete")}
        onClose={() => setOpen(null)}
        onConfirm={async () => {
          await api(`vector-stores/${store.id}`, { method: "DELETE" });
          navigate("/vector-stores");
        }}
      />
    </>
  );
}
