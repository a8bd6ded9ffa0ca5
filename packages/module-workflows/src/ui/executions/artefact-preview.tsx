import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import { isOvenError, type Json, parseJson } from "@oven/contract";
import type { Artefact } from "@oven/contract/run";
import { decodeText } from "@oven/contract/text";
import { t } from "@oven/i18n";
import { CodeBlock } from "@oven/ui/components/code-block.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { formatBytes } from "@oven/ui/components/format.ts";
import { JsonView } from "@oven/ui/components/json-view.tsx";
import { type ReactElement, useEffect, useState } from "react";
import type { Preview } from "./artefact-kind.ts";

/** Bytes of a text that are shown. */
const SHOWN = 65_536;
export function ArtefactPreview({ artefact, as }: { artefact: Artefact; as: Preview }): ReactElement {
  const { id, nodeId } = artefact;
  if (as !== "image") return <TextPreview artefact={artefact} json={as === "json"} />;
  return (
    <Box
      component="img"
      src={`/api/blobs/${id}`}
      alt={t("What {{nodeId}} made", { nodeId })}
      loading="lazy"
      sx={{ display: "block", maxWidth: "100%", maxHeight: 360, borderRadius: 2, border: 1, borderColor: "divider" }}
    />
  );
}

function TextPreview({ artefact: { id, bytes }, json }: { artefact: Artefact; json: boolean }): ReactElement {
  const [text, setText] = useState<string>();
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    const gone = new AbortController();
    fetch(`/api/blobs/${id}`, { headers: { range: `bytes=0-${SHOWN - 1}` }, signal: gone.signal })
      .then(async (response) => {
        if (!response.ok) throw new Error(`The server answered ${response.status}`);
        const bytes = new Uint8Array(await response.arrayBuffer());
        // The part that is shown may end within a character.
        setText(decodeText(bytes, { contentType: response.headers.get("content-type"), malformed: "mark" }).text);
      })
      .catch((cause: unknown) => {
        if (!gone.signal.aborted) setError(cause);
      });
    return () => gone.abort();
  }, [id]);
  if (error !== null) return <ErrorPanel error={error} title={t("The content could not be read")} />;
  if (text === undefined) return <Skeleton variant="rounded" height={80} />;
  const value = json && bytes <= SHOWN ? parse(text) : undefined;
  if (value !== undefined) return <JsonView value={value} what={t("the content")} maxHeight={360} />;
  return (
    <Box sx={{ "& pre": { maxHeight: 360, overflow: "auto" } }}>
      <CodeBlock text={text} what={t("the content")} />
      {bytes > SHOWN ? (
        <Box sx={{ mt: 0.5, fontSize: 13, color: "text.secondary" }}>
          {t("The first {{shown}} of {{total}}. Download it to see the rest.", {
            shown: formatBytes(SHOWN),
            total: formatBytes(bytes),
          })}
        </Box>
      ) : null}
    </Box>
  );
}

function parse(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    // What is no JSON, or has a number that would be changed, is shown as the text that it is.
    if (error instanceof SyntaxError || isOvenError(error)) return undefined;
    throw error;
  }
}
