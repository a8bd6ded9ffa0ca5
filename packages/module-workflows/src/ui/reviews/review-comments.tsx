import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import type { Review, ReviewComment } from "@oven/contract/review";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { ReviewSection } from "@oven/workflow-editor/review/review-section.tsx";
import { useShortcuts } from "@oven/workflow-editor/review/use-shortcuts.ts";
import { type ReactElement, useRef, useState } from "react";
import { useGetList } from "react-admin";

const ALL = { pagination: { page: 1, perPage: 200 }, sort: { field: "id", order: "ASC" as const } };

/** What people wrote about the review; nobody writes after the decision. */
export function ReviewComments({ review }: { review: Review }): ReactElement | null {
  const [text, setText] = useState("");
  const writes = useCan("reviews.decide") && review.status === "open";
  const {
    data = [],
    error,
    refetch,
  } = useGetList<ReviewComment>(`reviews/${review.id}/comments`, ALL, { retry: false });
  const { busy, failure, run } = useAction(async () => {
    await api(`reviews/${review.id}/comments`, { method: "POST", body: { text } });
    setText("");
    await refetch();
  });
  const box = useRef<HTMLTextAreaElement>(null);
  useShortcuts({ c: () => box.current?.focus() });
  if (error)
    return (
      <ReviewSection title={t("Comments")}>
        <ErrorPanel error={error} title={t("The comments could not be loaded")} onRetry={() => void refetch()} />
      </ReviewSection>
    );
  if (data.length === 0 && !writes) return null;
  return (
    <ReviewSection title={t("Comments")}>
      <Box sx={{ display: "grid", gap: 1.25 }}>
        {data.map((comment) => (
          <Box key={comment.id}>
            <Typography variant="body2" color="text.secondary">
              {comment.userName ?? t("Somebody")} · <RelativeTime at={comment.createdAt} />
            </Typography>
            <Typography sx={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>{comment.text}</Typography>
          </Box>
        ))}
        {failure === null ? null : <ErrorPanel error={failure} title={t("Your comment was not kept")} />}
        {writes ? (
          <Box
            component="form"
            sx={{ display: "flex", gap: 1, alignItems: "flex-start" }}
            onSubmit={(event) => {
              event.preventDefault();
              void run();
            }}
          >
            <TextField
              fullWidth
              multiline
              maxRows={6}
              size="small"
              label={t("Write to the other reviewers")}
              inputRef={box}
              onKeyDown={(event) => {
                // Not the keys of the decision.
                const sends = event.key === "Enter" && (event.ctrlKey || event.metaKey) && text.trim() !== "";
                if (event.key === "Escape") box.current?.blur();
                else if (sends) void run();
                else return;
                event.stopPropagation();
              }}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
            <Button type="submit" loading={busy} disabled={text.trim() === ""}>
              {t("Send")}
            </Button>
          </Box>
        ) : null}
      </Box>
    </ReviewSection>
  );
}
