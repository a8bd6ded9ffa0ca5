import KeyboardArrowDownRounded from "@mui/icons-material/KeyboardArrowDownRounded";
import KeyboardArrowUpRounded from "@mui/icons-material/KeyboardArrowUpRounded";
import Box from "@mui/material/Box";
import IconButton from "@mui/material/IconButton";
import Tooltip from "@mui/material/Tooltip";
import { diffJson } from "@oven/contract";
import type { RehearsedStepPair, StepSide } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { ChangeLines } from "@oven/ui/components/change-lines.tsx";
import { formatDuration, formatMoney } from "@oven/ui/components/format.ts";
import { ValueView } from "@oven/ui/components/json-view.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { StatusChip, ToneChip } from "@oven/ui/components/status-chip.tsx";
import { type ReactElement, useEffect, useRef } from "react";

const CHANGES = {
  same: { tone: "completed", word: t("the same") },
  changed: { tone: "paused", word: t("differs") },
  added: { tone: "running", word: t("only on the draft") },
  missing: { tone: "failed", word: t("only as recorded") },
  unknown: { tone: "stopped", word: t("not known") },
} as const;
/** Differences of one step. */
const MANY = 30;

/** The steps of both, with buttons and keys that lead from one difference to the next. */
export function StepPairs({ pairs, more }: { pairs: readonly RehearsedStepPair[]; more: number }): ReactElement {
  const list = useRef<HTMLDivElement>(null);
  const differences = pairs.filter(({ change }) => change !== "same").length;
  const go = (by: 1 | -1): void => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>("[data-differs]") ?? [])];
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    const next = rows[at === -1 ? (by === 1 ? 0 : rows.length - 1) : (at + by + rows.length) % rows.length];
    next?.focus({ preventScroll: true });
    next?.scrollIntoView({ block: "center" });
  };
  const latest = useRef(go);
  useEffect(() => {
    latest.current = go;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const typing = event.target instanceof HTMLElement && event.target.closest("input, textarea, [role=textbox]");
      if (typing || event.metaKey || event.ctrlKey || event.altKey) return;
      if (event.key === "j") latest.current(1);
      if (event.key === "k") latest.current(-1);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  return (
    <Panel
      title={t("Steps")}
      flush
      aside={
        <Box sx={{ display: "flex", alignItems: "center", gap: 0.5, fontSize: 13 }}>
          <span role="status">{t("{{count}} steps differ", { count: differences })}</span>
          <Step label={t("Previous difference")} shortcut="k" disabled={differences === 0} onClick={() => go(-1)}>
            <KeyboardArrowUpRounded />
          </Step>
          <Step label={t("Next difference")} shortcut="j" disabled={differences === 0} onClick={() => go(1)}>
            <KeyboardArrowDownRounded />
          </Step>
        </Box>
      }
    >
      <Box ref={list}>
        {pairs.map((pair) => (
          <PairRow key={JSON.stringify([pair.within, pair.nodeId, pair.visit, pair.item])} pair={pair} />
        ))}
        {more === 0 ? null : (
          <Box sx={{ p: 2, fontSize: 13, color: "text.secondary" }}>{t("{{count}} more steps", { count: more })}</Box>
        )}
      </Box>
    </Panel>
  );
}

function Step({
  label,
  shortcut,
  disabled,
  onClick,
  children,
}: {
  label: string;
  shortcut: string;
  disabled: boolean;
  onClick: () => void;
  children: ReactElement;
}): ReactElement {
  return (
    <Tooltip title={`${label} (${shortcut})`}>
      <span>
        <IconButton size="small" aria-label={label} aria-keyshortcuts={shortcut} disabled={disabled} onClick={onClick}>
          {children}
        </IconButton>
      </span>
    </Tooltip>
  );
}

function PairRow({ pair }: { pair: RehearsedStepPair }): ReactElement {
  const { was, is, change } = pair;
  const { tone, word } = CHANGES[change];
  const name = nameOf(pair);
  const detail = change === "same" ? "none" : was === null || is === null ? "open" : "folded";
  return (
    <Box
      component="section"
      aria-label={t("{{step}}: {{what}}", { step: name, what: word })}
      {...(change === "same" ? {} : { "data-differs": "", tabIndex: -1 })}
      sx={{
        px: 2,
        py: 1.5,
        borderBottom: 1,
        borderColor: "divider",
        "&:last-of-type": { borderBottom: 0 },
        "&:focus-visible, &:focus": { outline: "2px solid", outlineColor: "primary.main", outlineOffset: -2 },
      }}
    >
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1, mb: 0.75 }}>
        <Box component="h3" sx={{ m: 0, fontSize: 14, fontWeight: 600, overflowWrap: "anywhere" }}>
          {name}
        </Box>
        <ToneChip tone={tone} word={word} />
      </Box>
      <Box
        sx={{
          display: "grid",
          gap: 2,
          gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "repeat(2, minmax(0, 1fr))" },
          fontSize: 13.5,
        }}
      >
        <Side title={t("As recorded")} side={was} isOpen={false} detail={detail} />
        <Side title={t("On the draft")} side={is} isOpen={change === "unknown"} detail={detail} />
      </Box>
      {was === null || is === null || change === "same" ? null : <Differences pair={pair} was={was} is={is} />}
    </Box>
  );
}

function Side({
  title,
  side,
  isOpen,
  detail,
}: {
  title: string;
  side: StepSide | null;
  /** It is not known what it gives. */
  isOpen: boolean;
  /** Its whole input and output. */
  detail: "none" | "folded" | "open";
}): ReactElement {
  return (
    <Box sx={{ minWidth: 0 }}>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: 1.25, rowGap: 0.5 }}>
        <Box component="span" sx={{ fontSize: 12.5, color: "text.secondary" }}>
          {title}
        </Box>
        {side === null ? (
          <Box component="span" sx={{ color: "text.secondary" }}>
            {isOpen ? t("not known") : t("did not run")}
          </Box>
        ) : (
          <>
            {isOpen ? null : <StatusChip status={side.status} />}
            {side.live ? <span>{t("asked now")}</span> : null}
            <span>{side.durationMs === null ? "–" : formatDuration(side.durationMs)}</span>
            {side.costMicros === 0 ? null : <span>{formatMoney(side.costMicros)}</span>}
            {side.error === null ? null : <Box sx={{ width: "100%", color: "error.main" }}>{side.error}</Box>}
          </>
        )}
      </Box>
      {side === null || detail === "none" ? null : (
        <Box component="details" open={detail === "open"} sx={{ mt: 0.75 }}>
          <Box component="summary" sx={{ fontSize: 13 }}>
            {t("Input and output")}
          </Box>
          <Box sx={{ display: "grid", gap: 1, mt: 1 }}>
            <ValueView value={side.input} what={t("Input")} />
            <ValueView value={side.output} what={t("Output")} />
          </Box>
        </Box>
      )}
    </Box>
  );
}

function Differences({ pair, was, is }: { pair: RehearsedStepPair; was: StepSide; is: StepSide }): ReactElement {
  const parts = [
    ["input", t("Input"), was.input, is.input],
    ["output", t("Output"), was.output, is.output],
  ] as const;
  return (
    <Box sx={{ display: "grid", gap: 1.5, mt: 1 }}>
      {parts.map(([which, title, before, after]) => {
        if (!pair.differs.includes(which)) return null;
        const changes = diffJson(before, after);
        const lines = changes.slice(0, MANY).map(({ path, from, to }) => ({ name: path, before: from, after: to }));
        return (
          <Box key={which}>
            <Box sx={{ fontSize: 12.5, color: "text.secondary", mb: 0.5 }}>{title}</Box>
            <ChangeLines
              label={t("What differs: {{part}} of {{step}}", { part: title, step: nameOf(pair) })}
              lines={lines}
              paths
            />
            {changes.length > MANY ? (
              <Box sx={{ mt: 1, fontSize: 13, color: "text.secondary" }}>
                {t("and {{count}} more places", { count: changes.length - MANY })}
              </Box>
            ) : null}
          </Box>
        );
      })}
    </Box>
  );
}

/** `draft`, `draft ×2`, `each (3) › work`. */
function nameOf({ within, nodeId, visit, item }: RehearsedStepPair): string {
  const own = `${nodeId}${item === null ? "" : ` (${item})`}${visit > 1 ? ` ×${visit}` : ""}`;
  const around = within.map((place) => {
    const [node = "", , ...rest] = place.split(" ");
    return `${node} (${rest.join(" ")})`;
  });
  return [...around, own].join(" › ");
}
