import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { isObject } from "@oven/contract";
import type { Review } from "@oven/contract/review";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { type FormEvent, type ReactElement, useState } from "react";
import { decide, isAlreadyDecided } from "../../review/decide.ts";

/** A question with one answer in words. */
export interface AssistantQuestion {
  /** Empty: anything can be answered. */
  options: readonly string[];
}

/** A review as a question of the assistant; null: it is something else. */
export function readQuestion({
  actions,
  schema,
  mayDecide,
}: Pick<Review, "actions" | "schema" | "mayDecide">): AssistantQuestion | null {
  const properties = schema?.properties;
  if (!mayDecide || !actions.includes("submit") || !isObject(properties)) return null;
  const { answer, ...others } = properties;
  if (!isObject(answer) || answer.type !== "string" || Object.keys(others).length > 0) return null;
  const options = Array.isArray(answer.enum) ? answer.enum.filter((option) => typeof option === "string") : [];
  return { options };
}

export interface QuestionViewProps {
  review: Review;
  question: AssistantQuestion;
  onDecided: () => void;
}

/** A question of the assistant, with its answers to choose from or a field for one, and the choice to leave it open. */
export function QuestionView({ review, question: { options }, onDecided }: QuestionViewProps): ReactElement {
  const [text, setText] = useState("");
  const send = useAction(async (answer: string | null) => {
    try {
      await decide(
        review,
        answer === null ? { action: "decline", reason: "" } : { action: "submit", data: { answer }, reason: "" },
      );
    } catch (error) {
      if (!isAlreadyDecided(error)) throw error;
    }
    onDecided();
  });
  return (
    <Box
      component="section"
      aria-label={t("Question: {{title}}", { title: review.title })}
      sx={{
        display: "grid",
        gap: 1.25,
        p: 1.5,
        border: "1px solid color-mix(in srgb, var(--oven-status-paused) 40%, transparent)",
        borderRadius: 2.5,
        bgcolor: "var(--oven-status-paused-soft)",
      }}
    >
      <Typography sx={{ fontWeight: 600, overflowWrap: "anywhere" }}>{review.title}</Typography>
      {send.failure === null ? null : <ErrorPanel error={send.failure} title={t("Your answer was not taken")} />}
      {options.length > 0 ? (
        <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1 }}>
          {options.map((option) => (
            <Button
              key={option}
              variant="outlined"
              disabled={send.busy}
              onClick={() => void send.run(option)}
              sx={{ bgcolor: "background.paper", textAlign: "left" }}
            >
              {option}
            </Button>
          ))}
        </Box>
      ) : (
        <Box
          component="form"
          onSubmit={(event: FormEvent) => {
            event.preventDefault();
            if (text.trim() !== "" && !send.busy) void send.run(text.trim());
          }}
          sx={{ display: "flex", gap: 1 }}
        >
          <TextField
            size="small"
            fullWidth
            value={text}
            onChange={(event) => setText(event.target.value)}
            slotProps={{ htmlInput: { "aria-label": t("Answer") } }}
            sx={{ bgcolor: "background.paper", borderRadius: 1 }}
          />
          <Button type="submit" variant="contained" loading={send.busy} disabled={text.trim() === ""}>
            {t("Answer")}
          </Button>
        </Box>
      )}
      {review.actions.includes("decline") ? (
        <Box>
          <Button size="small" disabled={send.busy} onClick={() => void send.run(null)} sx={{ ml: -0.5 }}>
            {t("Decide for me")}
          </Button>
        </Box>
      ) : null}
    </Box>
  );
}
