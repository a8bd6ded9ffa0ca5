import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { useNow } from "@oven/ui/components/use-now.ts";
import { decisionHold } from "@oven/workflow-editor/review/decide.ts";
import type { HeldDecision, Refusal } from "@oven/workflow-editor/review/decision-hold.ts";
import { useShortcuts } from "@oven/workflow-editor/review/use-shortcuts.ts";
import { type ReactElement, useEffect, useSyncExternalStore } from "react";
import { useRefresh } from "react-admin";
import { useNavigate } from "react-router-dom";
import { toPast } from "./action-words.ts";

/** On every page: the decision that can still be taken back, and those that were refused after it was left. */
export function HeldDecisionBar(): ReactElement | null {
  const { held, refused, sent } = useSyncExternalStore(decisionHold.subscribe, decisionHold.state, decisionHold.state);
  const refresh = useRefresh();
  useEffect(() => {
    if (sent > 0) refresh();
  }, [sent, refresh]);
  useEffect(() => {
    const leave = (): void => decisionHold.flush(true);
    // A phone that switches to another app may never come back to this page.
    const hide = (): void => {
      if (document.visibilityState === "hidden") leave();
    };
    window.addEventListener("pagehide", leave);
    document.addEventListener("visibilitychange", hide);
    return () => {
      window.removeEventListener("pagehide", leave);
      document.removeEventListener("visibilitychange", hide);
    };
  }, []);
  if (held === null && refused.length === 0) return null;
  return (
    <Box
      sx={{
        position: "sticky",
        top: { xs: 60, md: 12 },
        zIndex: 1050,
        // Over the page: what is read does not move when a decision is made.
        height: 0,
        width: "min(560px, 100% - 32px)",
        mx: "auto",
      }}
    >
      <Box sx={{ display: "grid", gap: 1, pt: { xs: 1, md: 1.5 } }}>
        {held === null ? null : <Held key={held.until} held={held} />}
        {refused.length === 0 ? null : (
          <Box sx={{ borderRadius: 2, bgcolor: "background.paper", boxShadow: 4 }}>
            <Refused refused={refused} />
          </Box>
        )}
      </Box>
    </Box>
  );
}

function Held({ held }: { held: HeldDecision }): ReactElement {
  const navigate = useNavigate();
  const now = useNow(1_000);
  const [first, ...others] = held.reviews;
  const seconds = Math.max(1, Math.ceil((held.until - now) / 1_000));
  const undo = (): void => {
    const review = decisionHold.undo();
    if (review !== null) void navigate(`/reviews/${review.id}${window.location.search}`, { state: { moved: true } });
  };
  useShortcuts({ z: undo });
  return (
    <Box
      role="status"
      aria-label={t("Decision")}
      sx={{
        display: "flex",
        flexWrap: "wrap",
        alignItems: "center",
        gap: 1,
        px: 1.75,
        py: 0.75,
        borderRadius: 2,
        border: 1,
        borderColor: "divider",
        bgcolor: "background.paper",
        boxShadow: 4,
      }}
    >
      <Box sx={{ flex: "1 1 200px", minWidth: 0, fontSize: 13.5 }}>
        <Box component="span" sx={{ fontWeight: 600 }}>
          {toPast(held.draft.action).word}
        </Box>
        : {first.title}
        {others.length === 0 ? "" : ` ${t("and {{count}} equal ones", { count: others.length })}`}
        <Box component="span" aria-hidden sx={{ color: "text.secondary" }}>
          {` · ${t("sent in {{seconds}} s", { seconds })}`}
        </Box>
      </Box>
      <Button size="small" variant="outlined" aria-keyshortcuts="z" onClick={undo}>
        {t("Undo")}
      </Button>
    </Box>
  );
}

function Refused({ refused }: { refused: readonly Refusal[] }): ReactElement {
  const navigate = useNavigate();
  const [first] = refused;
  const title =
    refused.length === 1
      ? t("Your decision about “{{title}}” was not taken", { title: first?.review.title })
      : t("{{number}} decisions were not taken", { number: refused.length });
  return (
    <ErrorPanel error={first?.error} title={title}>
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, mt: 1 }}>
        {refused.slice(0, 5).map(({ review }) => (
          <Button
            key={review.id}
            size="small"
            variant="outlined"
            onClick={() => void navigate(`/reviews/${review.id}`)}
          >
            {t("Open review {{id}}", { id: review.id })}
          </Button>
        ))}
        <Button size="small" onClick={() => decisionHold.forgetRefusals()}>
          {t("Dismiss")}
        </Button>
      </Box>
    </ErrorPanel>
  );
}
