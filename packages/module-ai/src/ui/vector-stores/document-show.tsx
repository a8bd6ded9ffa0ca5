import NotesRounded from "@mui/icons-material/NotesRounded";
import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import type { DocumentChunk, KnowledgeDocument, VectorStore } from "@oven/contract/ai";
import { t, tx } from "@oven/i18n";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { formatBytes } from "@oven/ui/components/format.ts";
import { JsonView } from "@oven/ui/components/json-view.tsx";
import { ListBody, SearchField } from "@oven/ui/components/list-page.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useRecord } from "@oven/ui/components/use-record.ts";
import { type ReactElement, useEffect, useState } from "react";
import { ListBase, useGetOne, useListContext } from "react-admin";
import { useParams, useSearchParams } from "react-router-dom";
import { DocumentNotes } from "./document-notes.tsx";
import { isOpen, toStage } from "./document-words.ts";
import { MarkedText } from "./found-passage.tsx";

/** A document with the passages that it is found by. */
export function DocumentShow(): ReactElement {
  const { id = "", documentId = "" } = useParams();
  const [parameters] = useSearchParams();
  // From a search, the one that was found. The list of passages writes the address anew.
  const [chunk] = useState(() => Number(parameters.get("chunk") ?? Number.NaN));
  const { data: store } = useRecord<VectorStore>("vector-stores", id);
  const resource = `vector-stores/${id}/documents`;
  const {
    data: document,
    error,
    refetch,
  } = useGetOne<KnowledgeDocument>(
    resource,
    { id: Number(documentId) },
    { retry: false, refetchInterval: ({ state }) => (state.data !== undefined && isOpen(state.data) ? 1_000 : false) },
  );
  const parent = { to: `/vector-stores/${id}`, label: store?.name ?? t("Vector store") };
  if (document === undefined && error) {
    return (
      <>
        <PageHeader title={t("Document {{documentId}}", { documentId })} parent={parent} />
        <ErrorPanel error={error} title={t("This document could not be loaded")} onRetry={() => void refetch()} />
      </>
    );
  }
  if (document === undefined) return <Skeleton variant="rounded" height={360} />;
  const { title, mediaType, bytes, key, updatedAt, metadata, chunks } = document;
  return (
    <>
      <PageHeader
        title={title}
        parent={parent}
        badges={<ToneChip {...toStage(document)} />}
        line={
          <>
            <span>
              {mediaType}, {formatBytes(bytes)}
            </span>
            <span style={{ overflowWrap: "anywhere" }}>{t("key {{key}}", { key })}</span>
            <span>{tx("changed {{time}}", { time: <RelativeTime at={updatedAt} /> })}</span>
          </>
        }
      />
      <Box sx={{ display: "grid", gap: 2 }}>
        <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1 }}>
          <DocumentNotes document={document} onChanged={() => void refetch()} />
        </Box>
        <ListBase
          key={chunks}
          resource={`${resource}/${documentId}/chunks`}
          sort={{ field: "chunk", order: "ASC" }}
          perPage={25}
          exporter={false}
          storeKey={false}
          filterDefaultValues={{}}
        >
          <ListBody
            noun={t("passages")}
            filters={<SearchField label={t("Search its passages")} />}
            empty={
              <EmptyState
                icon={<NotesRounded />}
                title={t("It has no passages yet")}
                text={t("They are here when the document is ready.")}
              />
            }
          >
            <Passages chunk={chunk} />
          </ListBody>
        </ListBase>
        {Object.keys(metadata).length === 0 ? null : (
          <Panel title={t("Metadata")}>
            <JsonView value={metadata} what={t("the metadata")} maxHeight={240} />
          </Panel>
        )}
      </Box>
    </>
  );
}

function Passages({ chunk: wanted }: { chunk: number }): ReactElement {
  const { data, filterValues, setPage, perPage } = useListContext<DocumentChunk>();
  const query = typeof filterValues.q === "string" ? filterValues.q : "";
  useEffect(() => {
    if (Number.isInteger(wanted) && wanted >= perPage) setPage(Math.floor(wanted / perPage) + 1);
  }, [wanted]);
  return (
    <Box component="ol" aria-label={t("Passages")} sx={{ m: 0, p: 0, listStyle: "none" }}>
      {(data ?? []).map(({ id, chunk, text, headings, start, end }) => (
        <Box
          component="li"
          key={id}
          {...(chunk === wanted ? { "aria-current": "true" as const } : {})}
          ref={(element: HTMLElement | null) => {
            if (chunk === wanted) element?.scrollIntoView({ block: "center" });
          }}
          sx={{
            borderBottom: 1,
            borderColor: "divider",
            "&:last-of-type": { borderBottom: 0 },
            ...(chunk === wanted ? { bgcolor: "action.selected" } : {}),
          }}
        >
          <Box
            sx={{
              display: "flex",
              flexWrap: "wrap",
              columnGap: 1.5,
              px: 1.5,
              pt: 1.25,
              fontSize: 12.5,
              color: "text.secondary",
            }}
          >
            <Box sx={{ flex: "1 1 200px", overflowWrap: "anywhere" }}>
              {chunk + 1}
              {headings.length === 0 ? "" : ` · ${headings.join(" › ")}`}
            </Box>
            <span>{t("characters {{start}}–{{end}}", { start, end })}</span>
          </Box>
          <MarkedText text={text} query={query} />
        </Box>
      ))}
    </Box>
  );
}
