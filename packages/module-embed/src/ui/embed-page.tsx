import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import type { Embed } from "@oven/contract/embed";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { CodeBlock } from "@oven/ui/components/code-block.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { useRecord } from "@oven/ui/components/use-record.ts";
import { type FormEvent, type ReactElement, useState } from "react";
import { useNavigate, useParams } from "react-router-dom";
import { type EmbedDraft, NEW_EMBED, toDraft, toSettings } from "./embed-draft.ts";
import { EmbedFields } from "./embed-fields.tsx";
import { EmbedPreview } from "./embed-preview.tsx";
import { stateOf } from "./embed-words.ts";

const PARENT = { to: "/embeds", label: t("Embeds") };

/** A new embed, or one as it was saved. */
export function EmbedPage(): ReactElement {
  const { id } = useParams();
  return id === undefined ? <EmbedEditor embed={null} /> : <SavedEmbed id={id} />;
}

function SavedEmbed({ id }: { id: string }): ReactElement {
  const { data, error, refetch } = useRecord<Embed>("embeds", id);
  if (error)
    return (
      <>
        <PageHeader title={t("Embed {{id}}", { id })} parent={PARENT} />
        <ErrorPanel error={error} title={t("This embed could not be loaded")} onRetry={refetch} />
      </>
    );
  if (data === undefined) return <Skeleton variant="rounded" height={360} />;
  return <EmbedEditor key={data.updatedAt} embed={data} reload={refetch} />;
}

function EmbedEditor({ embed, reload }: { embed: Embed | null; reload?: () => void }): ReactElement {
  const [draft, setDraft] = useState<EmbedDraft>(embed === null ? NEW_EMBED : toDraft(embed));
  const [isInputValid, setIsInputValid] = useState(true);
  const may = useCan(embed === null ? "embeds.create" : "embeds.update");
  const navigate = useNavigate();
  const { busy, failure, run } = useAction(async () => {
    const body = toSettings(draft);
    if (embed === null) {
      const { json } = await api("embeds", { method: "POST", body });
      navigate(`/embeds/${(json as Embed).id}`); // cast: the shape of the route
    } else {
      await api(`embeds/${embed.id}`, { method: "PUT", body });
      reload?.();
    }
  });
  return (
    <Box
      component="form"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void run();
      }}
    >
      <PageHeader
        title={embed?.name ?? t("New embed")}
        parent={PARENT}
        badges={embed === null ? undefined : <ToneChip {...stateOf(embed)} />}
        actions={
          may ? (
            <Button type="submit" variant="contained" disabled={busy || draft.target === "" || !isInputValid}>
              {embed === null ? t("Create the embed") : t("Save")}
            </Button>
          ) : null
        }
      />
      <Box
        sx={{
          display: "grid",
          gap: 2,
          alignItems: "start",
          gridTemplateColumns: { xs: "minmax(0, 1fr)", lg: "minmax(0, 3fr) minmax(0, 2fr)" },
        }}
      >
        <Box sx={{ display: "grid", gap: 2 }}>
          {failure === null ? null : <ErrorPanel error={failure} title={t("The embed was not saved")} />}
          {embed?.lastError ? (
            <Alert severity="error">
              {t("A visitor's message could not start a run: {{reason}}", { reason: embed.lastError })}
            </Alert>
          ) : null}
          <EmbedFields
            draft={draft}
            change={(part) => setDraft((before) => ({ ...before, ...part }))}
            onInputValid={setIsInputValid}
          />
        </Box>
        <Box sx={{ display: "grid", gap: 2, position: { lg: "sticky" }, top: { lg: 72 } }}>
          {embed === null ? null : (
            <Panel title={t("In your pages")}>
              <CodeBlock text={snippetOf(embed)} what={t("the line for your pages")} />
            </Panel>
          )}
          <Panel title={t("Preview")}>
            <EmbedPreview settings={draft} />
          </Panel>
        </Box>
      </Box>
    </Box>
  );
}

function snippetOf({ publicId, mode }: Embed): string {
  const where = mode === "form" ? ' data-mode="form"' : "";
  return `<script src="${location.origin}/embed/v1.js" data-embed="${publicId}"${where} async></script>`;
}
