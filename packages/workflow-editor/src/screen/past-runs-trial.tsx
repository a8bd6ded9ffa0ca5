import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import Link from "@mui/material/Link";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import type { JsonObject } from "@oven/contract";
import type { EvalDataset } from "@oven/contract/eval";
import type { Rehearsal, RehearsedRun } from "@oven/contract/run";
import { t, tx } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ChoiceField } from "@oven/ui/components/choice-field.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { formatMoney } from "@oven/ui/components/format.ts";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { toSpendingText, toVerdictText } from "./past-runs-words.ts";

/** Runs of one request: an answer every second or so. */
const AT_ONCE = 25;
const MOST = 200;
const SHOWN = 10;

type Counts = Rehearsal["counts"];
const NONE: Counts = { same: 0, outcome: 0, calls: 0, path: 0, unknown: 0, skipped: 0 };

/** Goes through past runs on what is on the canvas: how many come out the same, and which do not. */
export function PastRunsTrial({
  kind,
  workflowId,
  definition,
  save,
}: {
  kind: WorkflowKind;
  workflowId: number;
  definition: JsonObject;
  /** Stores the draft: the page that shows a run beside what it comes to reads it. */
  save: () => Promise<unknown>;
}): ReactElement {
  const [chosen, setChosen] = useState("all");
  const choices = useChoicesOfRuns(kind, workflowId);
  const [recordings, setRecordings] = useState<Rehearsal["recordings"] | null>(null);
  const [casesWithoutRun, setCasesWithoutRun] = useState(0);
  const mayAsk = useCan(`${kind.resource}.execute`);
  const [dollars, setDollars] = useState("");
  const [asked, setAsked] = useState({ calls: 0, costMicros: 0 });
  const [spending, setSpending] = useState({ costMicros: 0, durationMs: 0 });
  const [counts, setCounts] = useState<Counts | null>(null);
  const [different, setDifferent] = useState<readonly RehearsedRun[]>([]);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const { run, busy, failure } = useAction(async () => {
    const controller = new AbortController();
    stop.current = controller;
    setDifferent([]);
    setSpending({ costMicros: 0, durationMs: 0 });
    setAsked({ calls: 0, costMicros: 0 });
    await save();
    // The budget is for the whole trial: each page gets what is left of it.
    let left = toMicros(dollars);
    let [sum, before]: [Counts, number | undefined] = [NONE, undefined];
    setCounts(sum);
    while (total(sum) < MOST && !controller.signal.aborted) {
      const live = left > 0 ? { live: { maxCostMicros: left } } : {};
      const body = {
        definition,
        limit: AT_ONCE,
        ...live,
        ...toAsked(chosen),
        ...(before === undefined ? {} : { before }),
      };
      const path = `${kind.resource}/${workflowId}/rehearse`;
      const { json } = await api(path, { method: "POST", body, signal: controller.signal });
      const answer = json as Rehearsal; // cast: the shape of the route
      sum = add(sum, answer.counts);
      setCounts(sum);
      setDifferent((known) => [...known, ...answer.runs.filter(({ verdict }) => verdict !== "same")]);
      setSpending((known) => answer.runs.reduce(addSpending, known));
      const paid = answer.live ?? { calls: 0, costMicros: 0 };
      left -= paid.costMicros;
      setAsked(({ calls, costMicros }) => ({ calls: calls + paid.calls, costMicros: costMicros + paid.costMicros }));
      setRecordings(answer.recordings);
      setCasesWithoutRun(answer.casesWithoutRun ?? 0);
      if (answer.next === null) break;
      before = answer.next;
    }
  });
  return (
    <Box component="section" aria-label={t("Past runs")} sx={{ display: "grid", gap: 1 }}>
      <Box sx={{ display: "flex", alignItems: "center", justifyContent: "space-between", gap: 1 }}>
        <Typography variant="h3">{t("Past runs")}</Typography>
        {busy ? (
          <Button size="small" onClick={() => stop.current?.abort()}>
            {t("Stop")}
          </Button>
        ) : (
          <Button size="small" variant="outlined" color="inherit" onClick={() => void run()}>
            {counts === null ? t("Try on past runs") : t("Try again")}
          </Button>
        )}
      </Box>
      <ChoiceField
        size="small"
        label={t("Which runs")}
        value={chosen}
        choices={choices}
        disabled={busy}
        onChange={setChosen}
      />
      {mayAsk ? (
        <TextField
          size="small"
          label={t("Dollars for models that are asked anew")}
          placeholder={t("none")}
          value={dollars}
          disabled={busy}
          error={Number.isNaN(toMicros(dollars))}
          onChange={(event) => setDollars(event.target.value)}
          slotProps={{ htmlInput: { inputMode: "decimal" }, inputLabel: { shrink: true } }}
        />
      ) : null}
      {counts === null ? (
        <Typography variant="body2" color="text.secondary">
          {t("What recorded runs would come to on this version. Nothing outside is called.")}
        </Typography>
      ) : null}
      {busy ? <LinearProgress aria-label={t("Going through past runs")} /> : null}
      {counts === null ? null : <Summary counts={counts} busy={busy} spending={toSpendingText(spending)} />}
      {recordings === null || recordings.removed === 0 ? null : (
        <Typography variant="body2" color="text.secondary">
          {recordings.since === null
            ? t("The recordings of all these runs were removed.")
            : tx("There are recordings since {{time}}; those of older runs were removed.", {
                time: <RelativeTime at={recordings.since} />,
              })}
        </Typography>
      )}
      {asked.calls === 0 ? null : (
        <Typography variant="body2" color="text.secondary">
          {t("{{count}} answers of models were asked anew, for {{money}}.", {
            count: asked.calls,
            money: formatMoney(asked.costMicros),
          })}
        </Typography>
      )}
      {casesWithoutRun === 0 ? null : (
        <Typography variant="body2" color="text.secondary">
          {t("No run was ever given what {{count}} cases give.", { count: casesWithoutRun })}
        </Typography>
      )}
      <Box component="ul" sx={{ m: 0, pl: 2.5, display: "grid", gap: 0.5 }}>
        {different.slice(0, SHOWN).map((one) => (
          <Typography key={one.executionId} component="li" variant="body2">
            <Link
              href={`/${kind.resource}/${workflowId}/past-runs/${one.executionId}`}
              target="_blank"
              rel="noopener"
              underline="always"
            >
              {t("Run {{id}}", { id: one.executionId })}
            </Link>
            {": "}
            {[toVerdictText(one), toSpendingText(one), one.seen ? t("looked at") : null]
              .filter((part) => part !== null)
              .join(" · ")}
          </Typography>
        ))}
      </Box>
      {different.length > SHOWN ? (
        <Typography variant="body2" color="text.secondary">
          {t("{{count}} more differ", { count: different.length - SHOWN })}
        </Typography>
      ) : null}
      {failure === null || stop.current?.signal.aborted === true ? null : (
        <ErrorPanel error={failure} title={t("The past runs could not be gone through")} />
      )}
    </Box>
  );
}

/** Dollars as they are typed; empty: nothing. Not a number: NaN. */
function toMicros(dollars: string): number {
  return dollars.trim() === "" ? 0 : Math.round(Number(dollars) * 1_000_000);
}

/** What there is to choose from, and the datasets that are about the workflow. */
function useChoicesOfRuns(kind: WorkflowKind, workflowId: number): { value: string; label: string }[] {
  const mayRead = useCan("evals.read");
  const filter = encodeURIComponent(JSON.stringify({ kind: kind.kind, targetId: workflowId }));
  const { data } = useAnswer<EvalDataset[]>(mayRead ? `eval-datasets?filter=${filter}` : null);
  return [
    { value: "all", label: t("The last runs, however they ended") },
    { value: "failed", label: t("The last runs that failed") },
    ...(data ?? []).map(({ slug, name }) => ({
      value: `${OF_DATASET}${slug}`,
      label: t("Runs that asked what the dataset “{{name}}” asks", { name }),
    })),
  ];
}

const OF_DATASET = "dataset:";

function toAsked(chosen: string): object {
  return chosen.startsWith(OF_DATASET) ? { dataset: chosen.slice(OF_DATASET.length) } : { status: chosen };
}

function addSpending(
  sum: { costMicros: number; durationMs: number },
  { costMicros, durationMs }: RehearsedRun,
): { costMicros: number; durationMs: number } {
  return { costMicros: sum.costMicros + costMicros, durationMs: sum.durationMs + durationMs };
}

function Summary({ counts, busy, spending }: { counts: Counts; busy: boolean; spending: string | null }): ReactElement {
  const all = total(counts);
  const { same, outcome, calls, path, unknown, skipped } = counts;
  const parts = [
    t("{{count}} of {{all}} come out the same", { count: same, all: all - skipped }),
    outcome > 0 ? t("{{count}} end differently", { count: outcome }) : null,
    calls > 0 ? t("{{count}} make other calls", { count: calls }) : null,
    path > 0 ? t("{{count}} take other steps only", { count: path }) : null,
    unknown > 0 ? t("{{count}} cannot be known", { count: unknown }) : null,
    skipped > 0 ? t("{{count}} have no recording", { count: skipped }) : null,
    spending === null ? null : t("together {{spending}}", { spending }),
  ].filter((part) => part !== null);
  return (
    <Typography variant="body2" role="status">
      {all === 0 && !busy ? t("There are no ended runs yet.") : parts.join(" · ")}
    </Typography>
  );
}

function total({ same, outcome, calls, path, unknown, skipped }: Counts): number {
  return same + outcome + calls + path + unknown + skipped;
}

function add(one: Counts, other: Counts): Counts {
  return {
    same: one.same + other.same,
    outcome: one.outcome + other.outcome,
    calls: one.calls + other.calls,
    path: one.path + other.path,
    unknown: one.unknown + other.unknown,
    skipped: one.skipped + other.skipped,
  };
}
