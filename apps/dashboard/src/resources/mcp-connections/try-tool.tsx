import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { Json, JsonObject } from "@oven/contract";
import { type ReactElement, useState } from "react";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { SchemaForm } from "../../components/schema-form/schema-form.tsx";
import { useAction } from "../../components/use-action.ts";

export interface Tried {
  result: Json;
  error: { code: string; message: string } | null;
  durationMs: number;
}

/** One call by hand: a form from the tool's schema, and what came back. It is a real call. */
export function TryTool({
  schema,
  name,
  call,
}: {
  schema: JsonObject;
  name: string;
  call: (args: Json) => Promise<Tried>;
}): ReactElement {
  const [open, setOpen] = useState(false);
  const [draft, setDraft] = useState<{ value: Json; valid: boolean }>({ value: {}, valid: true });
  const [tried, setTried] = useState<Tried | null>(null);
  const { busy, failure, run } = useAction(async () => {
    setTried(null);
    setTried(await call(draft.value));
  });
  if (!open) {
    return (
      <Box>
        <Button variant="outlined" aria-label={`Try ${name}`} onClick={() => setOpen(true)}>
          Try it
        </Button>
      </Box>
    );
  }
  return (
    <Box
      component="section"
      aria-label={`Try ${name}`}
      sx={{ display: "grid", gap: 1.5, p: 1.5, border: 1, borderColor: "divider", borderRadius: 1 }}
    >
      <SchemaForm
        label={`Arguments of ${name}`}
        schema={schema}
        value={draft.value}
        onChange={(value, valid) => setDraft({ value, valid })}
      />
      <Box sx={{ display: "flex", gap: 1 }}>
        <Button variant="contained" loading={busy} disabled={!draft.valid} onClick={() => void run()}>
          Call it
        </Button>
        <Button onClick={() => setOpen(false)}>Close</Button>
      </Box>
      {failure === null ? null : <ErrorPanel error={failure} title="The tool was not called" />}
      {tried === null ? null : (
        <Box role="status" sx={{ display: "grid", gap: 1 }}>
          {tried.error === null ? null : (
            <Alert severity="error" sx={{ overflowWrap: "anywhere" }}>
              {tried.error.message}
            </Alert>
          )}
          <Box sx={{ fontSize: 12.5, color: "text.secondary" }}>answered in {tried.durationMs} ms</Box>
          {tried.result === null ? null : <JsonView value={tried.result} what="the result" maxHeight={340} />}
        </Box>
      )}
    </Box>
  );
}
