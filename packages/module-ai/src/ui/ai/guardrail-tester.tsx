import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import type { Guardrail, TriedGuardrails, TryGuardrails } from "@oven/contract/ai";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { type ReactElement, useState } from "react";
import { ACTION_LOOK } from "./guardrail-words.ts";

interface GuardrailTesterProps {
  /** The one to try; null while it is not whole. Absent: all that are on. */
  guardrail?: Pick<Guardrail, "name" | "direction" | "action" | "enabled" | "rule"> | null;
}

/** A text in; what would be masked or refused, and what would go on. */
export function GuardrailTester({ guardrail }: GuardrailTesterProps): ReactElement | null {
  const mayTry = useCan("ai.generate");
  const [text, setText] = useState("");
  const [side, setSide] = useState<TryGuardrails["side"]>("input");
  const [tried, setTried] = useState<TriedGuardrails | null>(null);
  const { busy, failure, run } = useAction(async () => {
    setTried(null);
    const body =
      guardrail === undefined || guardrail === null
        ? { text, side }
        : { text, side: guardrail.direction === "output" ? "output" : "input", guardrail };
    const { json } = await api("ai-guardrails/try", { method: "POST", body });
    setTried(json as TriedGuardrails); // cast: the shape of the route
  });
  if (!mayTry) return null;
  return (
    <Box
      component="section"
      aria-label={t("Try a text")}
      sx={{ display: "grid", gap: 1.5, p: 1.5, border: 1, borderColor: "divider", borderRadius: 2 }}
    >
      <TextField
        multiline
        minRows={2}
        maxRows={8}
        label={t("A text to try")}
        value={text}
        onChange={(event) => setText(event.target.value)}
        slotProps={{ htmlInput: { maxLength: 20_000 } }}
      />
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1 }}>
        {guardrail === undefined ? (
          <TextField
            select
            label={t("As")}
            value={side}
            onChange={(event) => setSide(event.target.value === "output" ? "output" : "input")}
            sx={{ width: 200 }}
          >
            <MenuItem value="input">{t("what is sent")}</MenuItem>
            <MenuItem value="output">{t("what is answered")}</MenuItem>
          </TextField>
        ) : null}
        <Button
          variant="outlined"
          loading={busy}
          disabled={text.trim() === "" || guardrail === null}
          onClick={() => void run()}
        >
          {t("Try it")}
        </Button>
      </Box>
      {failure === null ? null : <ErrorPanel error={failure} title={t("It could not be tried")} />}
      {tried === null ? null : <Outcome tried={tried} />}
    </Box>
  );
}

function Outcome({ tried: { text, findings, asked } }: { tried: TriedGuardrails }): ReactElement {
  return (
    <Box role="status" sx={{ display: "grid", gap: 1 }}>
      {findings.length === 0 ? (
        <Alert severity="success">
          {asked === 0 ? t("No guardrail looks at this.") : t("It goes through as it is.")}
        </Alert>
      ) : null}
      {findings.map(({ name, action }, index) => (
        <Box key={`${index} ${name}`} sx={{ display: "flex", gap: 1, alignItems: "center", overflowWrap: "anywhere" }}>
          <ToneChip {...ACTION_LOOK[action]} /> {name}
        </Box>
      ))}
      {text === null ? <Alert severity="error">{t("The call is refused: nothing goes on.")}</Alert> : null}
      {text === null || findings.length === 0 ? null : (
        <Box>
          <Box sx={{ mb: 0.5, fontSize: 12, fontWeight: 600, color: "text.secondary" }}>{t("What goes on")}</Box>
          <Box
            sx={{
              p: 1.25,
              borderRadius: 1.5,
              bgcolor: "var(--oven-sunken)",
              whiteSpace: "pre-wrap",
              overflowWrap: "anywhere",
            }}
          >
            {text}
          </Box>
        </Box>
      )}
    </Box>
  );
}
