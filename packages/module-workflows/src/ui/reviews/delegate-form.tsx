import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import type { Review } from "@oven/contract/review";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { toAssignee } from "@oven/workflow-editor/review/assignee.ts";
import { ReviewSection } from "@oven/workflow-editor/review/review-section.tsx";
import { useShortcuts } from "@oven/workflow-editor/review/use-shortcuts.ts";
import { type ReactElement, useState } from "react";

/** Asks somebody else to decide instead. */
export function DelegateForm({ review, onDone }: { review: Review; onDone: () => void }): ReactElement {
  const [open, setOpen] = useState(false);
  const [to, setTo] = useState("");
  useShortcuts({ d: () => setOpen(true) });
  const { busy, failure, run } = useAction(async () => {
    await api(`reviews/${review.id}/delegate`, { method: "POST", body: { to: toAssignee(to) } });
    setOpen(false);
    setTo("");
    onDone();
  });
  return (
    <ReviewSection title={t("Somebody else")}>
      {failure === null ? null : <ErrorPanel error={failure} title={t("The review was not handed on")} />}
      {open ? (
        <Box
          component="form"
          sx={{ display: "flex", flexWrap: "wrap", gap: 1, alignItems: "flex-start" }}
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            event.stopPropagation();
            setOpen(false);
          }}
          onSubmit={(event) => {
            event.preventDefault();
            void run();
          }}
        >
          <TextField
            autoFocus
            size="small"
            label={t("E-mail or role")}
            value={to}
            onChange={(event) => setTo(event.target.value)}
            sx={{ flex: "1 1 220px" }}
          />
          <Button type="submit" variant="outlined" loading={busy} disabled={to.trim() === ""}>
            {t("Hand on")}
          </Button>
          <Button disabled={busy} onClick={() => setOpen(false)}>
            {t("Back")}
          </Button>
        </Box>
      ) : (
        <Button size="small" aria-keyshortcuts="d" onClick={() => setOpen(true)}>
          {t("Delegate")}
        </Button>
      )}
    </ReviewSection>
  );
}
