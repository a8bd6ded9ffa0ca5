import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { Json, JsonObject } from "@oven/contract";
import type { TriedTool } from "@oven/contract/agent";
import type { Effect } from "@oven/contract/node";
import { t } from "@oven/i18n";
import { type ReactElement, useState } from "react";
import { EFFECT_LOOK } from "./effect-words.ts";
import { ErrorPanel } from "./error-panel.tsx";
import { formatDuration } from "./format.ts";
import { JsonView } from "./json-view.tsx";
import { SchemaForm } from "./schema-form/schema-form.tsx";
import { useAction } from "./use-action.ts";

/** One call by hand: a form from the tool's schema, and what came back. It is a real call. */
export function TryTool({
  schema,
  name,
  call,
  effect,
  startsOpen = false,
}: {
  schema: JsonObject;
  name: string;
  call: (args: Json) => Promise<TriedTool>;
  /** Said before the call where it changes something. */
  effect?: Effect;
  /** Stands open and cannot be closed: it is what the page is for. */
  startsOpen?: boolean;
}): ReactElement {
  const [open, setOpen] = useState(startsOpen);
  const [draft, setDraft] = useState<{ value: Json; valid: boolean }>({ value: {}, valid: true });
  const [tried, setTried] = useState<TriedTool | null>(null);
  const { busy, failure, run } = useAction(async () => {
    setTried(null);
    setTried(await call(draft.value));
  });
  const warning = effect === undefined ? null : EFFECT_LOOK[effect].warning;
  if (!open) {
    return (
      <Box>
        <Button variant="outlined" aria-label={t("Try {{name}}", { name })} onClick={() => setOpen(true)}>
          {t("Try")}
        </Button>
      </Box>
    );
  }
  return (
    <Box
      component="section"
      aria-label={t("Try {{name}}", { name })}
      sx={{ display: "grid", gap: 1.5, p: 1.5, border: 1, borderColor: "divider", borderRadius: 1 }}
    >
      {warning === null ? null : <Alert severity="warning">{warning}</Alert>}
      {takesNothing(schema) ? (
        <Box sx={{ fontSize: 13.5, color: "text.secondary" }}>{t("It takes no arguments.")}</Box>
      ) : null}
      <SchemaForm
        label={t("Arguments of {{name}}", { name })}
        schema={schema}
        value={draft.value}
        onChange={(value, valid) => setDraft({ value, valid })}
      />
      <Box sx={{ display: "flex", gap: 1 }}>
        <Button variant="contained" loading={busy} disabled={!draft.valid} onClick={() => void run()}>
          {t("Call it")}
        </Button>
        {startsOpen ? null : <Button onClick={() => setOpen(false)}>{t("Close")}</Button>}
      </Box>
      {failure === null ? null : <ErrorPanel error={failure} title={t("The tool was not called")} />}
      {tried === null ? null : (
        <Box role="status" sx={{ display: "grid", gap: 1, minWidth: 0 }}>
          {tried.error === null ? null : (
            <Alert severity="error" sx={{ overflowWrap: "anywhere" }}>
              {tried.error.message}
              {tried.error.fix === null ? null : <Box sx={{ mt: 0.5 }}>{tried.error.fix}</Box>}
            </Alert>
          )}
          <Box sx={{ fontSize: 12.5, color: "text.secondary" }}>
            {tried.error === null
              ? t("answered in {{duration}}", { duration: formatDuration(tried.durationMs) })
              : t("failed in {{duration}}", { duration: formatDuration(tried.durationMs) })}
          </Box>
          {tried.result === null ? null : <JsonView value={tried.result} what={t("the result")} maxHeight={340} />}
        </Box>
      )}
    </Box>
  );
}

function takesNothing({ properties }: JsonObject): boolean {
  return typeof properties === "object" && properties !== null && Object.keys(properties).length === 0;
}
