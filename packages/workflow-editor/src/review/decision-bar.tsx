import CheckRounded from "@mui/icons-material/CheckRounded";
import CloseRounded from "@mui/icons-material/CloseRounded";
import EditOutlined from "@mui/icons-material/EditOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import { toLabel } from "@oven/contract";
import type { Review } from "@oven/contract/review";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { toMissing } from "@oven/ui/components/schema-form/schema-fields.ts";
import { type ReactElement, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from "react";
import { toRiskWords } from "./risk-words.ts";
import type { Decision } from "./use-decision.ts";
import { useShortcuts } from "./use-shortcuts.ts";

const NO_KEYS = {};
const KNOWN = new Set(["approve", "edit", "reject", "submit"]);
const CONTROL_ENTER = "Control+Enter";

function Key({ children }: { children: string }): ReactElement {
  return (
    <Box
      component="kbd"
      aria-hidden
      sx={{
        display: { xs: "none", md: "inline-block" },
        ml: 1,
        px: 0.625,
        borderRadius: 1,
        border: "1px solid currentColor",
        opacity: 0.65,
        fontSize: 11,
        lineHeight: "16px",
      }}
    >
      {children}
    </Box>
  );
}

/** The reason and the buttons; they stay at the bottom of the screen. */
export function DecisionBar({
  review,
  decision,
  keys = true,
  children,
}: {
  review: Review;
  decision: Decision;
  /** Single keys decide: only where nothing else on the page has a use for them. */
  keys?: boolean;
  /** Above the buttons. */
  children?: ReactNode;
}): ReactElement {
  const { mode, open, offers, busy, reason, send } = decision;
  const approve = useRef<HTMLButtonElement>(null);
  const text = useRef<HTMLTextAreaElement>(null);
  const isRisky = toRiskWords(review)?.high === true;
  const [armed, setArmed] = useState(false);
  const own = ownActions(review);
  const take = (action: string): void => (action === "supply" ? open("supply") : send(action));
  const missing = mode === "submit" ? toMissing(review.schema, decision.edited.value) : [];
  const sendable = !busy && isComplete(decision) && missing.length === 0;
  const shortcuts: Record<string, () => void> = {
    // A call that cannot be taken back is not released by one stray key: the first press goes to the button and says so.
    a: () => {
      if (!offers("approve") || busy || mode !== "decide") return;
      if (!isRisky || armed) return send("approve");
      setArmed(true);
      approve.current?.focus();
    },
    e: () => offers("edit") && open("edit"),
    r: () => offers("reject") && open("reject"),
    // The workflow's own outcomes, in order.
    ...Object.fromEntries(
      own.slice(0, 9).map((action, index) => [String(index + 1), () => mode === "decide" && !busy && take(action)]),
    ),
    [CONTROL_ENTER]: () => mode !== "decide" && sendable && send(mode),
    Escape: () => {
      setArmed(false);
      open("decide");
    },
  };
  useShortcuts(keys ? shortcuts : NO_KEYS);
  const rejecting = mode === "reject";
  // The same field serves as comment and as reason, so that nothing typed is lost where the one becomes the other.
  useLayoutEffect(() => {
    if (rejecting) text.current?.focus();
  }, [rejecting]);
  return (
    <Box
      role="group"
      aria-label={t("Decision")}
      sx={{
        position: "sticky",
        bottom: 0,
        zIndex: 2,
        display: "grid",
        gap: 1.5,
        px: { xs: 2, sm: 2.5 },
        py: 1.75,
        borderTop: 1,
        borderColor: "divider",
        borderRadius: "0 0 10px 10px",
        bgcolor: "background.paper",
      }}
    >
      {decision.failure === null ? null : (
        <ErrorPanel error={decision.failure} title={t("Your decision was not taken")} />
      )}
      <TextField
        inputRef={text}
        fullWidth
        multiline
        maxRows={5}
        label={rejecting ? t("Reason") : t("Comment (optional)")}
        required={rejecting}
        value={reason}
        onChange={(event) => decision.setReason(event.target.value)}
        helperText={rejecting ? t("The workflow and the record get it") : undefined}
      />
      {children}
      {missing.length === 0 ? null : (
        <Box sx={{ fontSize: 13, color: "text.secondary" }}>
          {t("Still needed: {{fields}}", { fields: missing.join(", ") })}
        </Box>
      )}
      <Box
        sx={{
          display: "flex",
          flexWrap: "wrap",
          gap: 1,
          "& > button": { flex: { xs: "1 1 auto", sm: "0 0 auto" }, minHeight: 42 },
        }}
      >
        {mode === "decide" ? (
          <FirstButtons
            review={review}
            decision={decision}
            approve={approve}
            keys={keys}
            take={take}
            armed={armed}
            onLeave={() => setArmed(false)}
          />
        ) : null}
        {mode === "submit" ? (
          <Button
            variant="contained"
            startIcon={<CheckRounded />}
            loading={busy}
            disabled={!sendable}
            onClick={() => send("submit")}
          >
            {t("Submit")}
          </Button>
        ) : null}
        {mode === "edit" ? (
          <Button
            variant="contained"
            startIcon={<CheckRounded />}
            loading={busy}
            disabled={!sendable}
            onClick={() => send("edit")}
          >
            {t("Approve with edits")}
          </Button>
        ) : null}
        {mode === "supply" ? (
          <Button
            variant="contained"
            startIcon={<CheckRounded />}
            loading={busy}
            disabled={!sendable}
            onClick={() => send("supply")}
          >
            {t("Use this output")}
          </Button>
        ) : null}
        {rejecting ? (
          <Button
            variant="contained"
            color="error"
            startIcon={<CloseRounded />}
            loading={busy}
            disabled={!sendable}
            onClick={() => send("reject")}
          >
            {t("Reject")}
          </Button>
        ) : null}
        {mode === "decide" || mode === "submit" ? null : (
          <Button disabled={busy} onClick={() => open("decide")}>
            {t("Back")}
          </Button>
        )}
      </Box>
    </Box>
  );
}

interface FirstButtonsProps {
  review: Review;
  decision: Decision;
  approve: RefObject<HTMLButtonElement | null>;
  keys: boolean;
  take: (action: string) => void;
  /** The key for approving a risky call was pressed once. */
  armed: boolean;
  /** The focus has left the button. */
  onLeave: () => void;
}

/** Outcomes that the workflow defines itself. */
function ownActions({ actions }: Review): string[] {
  return actions.filter((action) => !KNOWN.has(action));
}

/** Whether what was typed can be sent. */
function isComplete({ mode, edited, changed, reason }: Decision): boolean {
  if (mode === "reject") return reason.trim() !== "";
  return edited.valid && (mode !== "edit" || changed);
}

function FirstButtons({ review, decision, approve, keys, take, armed, onLeave }: FirstButtonsProps): ReactElement {
  const { offers, busy, open, send } = decision;
  return (
    <>
      {offers("approve") ? (
        <Button
          ref={approve}
          variant="contained"
          startIcon={<CheckRounded />}
          loading={busy}
          onBlur={onLeave}
          onClick={() => send("approve")}
        >
          {armed ? t("Press again to approve") : t("Approve")}
          {keys ? <Key>a</Key> : null}
        </Button>
      ) : null}
      {offers("edit") ? (
        <Button variant="outlined" startIcon={<EditOutlined />} disabled={busy} onClick={() => open("edit")}>
          {t("Edit")}
          {keys ? <Key>e</Key> : null}
        </Button>
      ) : null}
      {offers("reject") ? (
        <Button
          variant="outlined"
          startIcon={<CloseRounded />}
          disabled={busy}
          onClick={() => open("reject")}
          sx={{ color: "error.main" }}
        >
          {t("Reject")}
          {keys ? <Key>r</Key> : null}
        </Button>
      ) : null}
      {ownActions(review).map((action, index) => (
        <Button key={action} variant="outlined" disabled={busy} onClick={() => take(action)}>
          {toLabel(action)}
          {keys && index < 9 ? <Key>{String(index + 1)}</Key> : null}
        </Button>
      ))}
    </>
  );
}
