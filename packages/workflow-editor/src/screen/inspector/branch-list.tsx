import AddRounded from "@mui/icons-material/AddRounded";
import ArrowUpwardRounded from "@mui/icons-material/ArrowUpwardRounded";
import DeleteOutlineRounded from "@mui/icons-material/DeleteOutlineRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import TextField from "@mui/material/TextField";
import type { JsonObject } from "@oven/contract";
import type { Guard } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { type Address, findState, getAt, type StatePlace } from "@oven/scope";
import { type ReactElement, useState } from "react";
import { targetsFrom } from "../../document/can-connect.ts";
import { labelOf, labelsOf } from "../../document/label-of.ts";
import { sayGuard } from "../../graph/describe-guard.ts";
import { afterOf, moveUp, type Outlet, outletsOf, writeBranches } from "../../inspector/branches.ts";
import { FIRST_GUARD, isFirstGuard } from "../../inspector/guard-kinds.ts";
import { judgeBranches, type Verdict } from "../../inspector/judge-branches.ts";
import { GUARD_FIELD } from "./definition-fields.ts";
import { FieldView } from "./field-view.tsx";
import { toPlace } from "./preview.tsx";
import { useEvaluation } from "./use-evaluation.ts";
import { type Subject, ValueForm } from "./value-form.tsx";

/** Where a state leads: for each outcome its branches in the order they are tried. */
export function BranchList({ place, ...subject }: Subject & { place: StatePlace }): ReactElement {
  const { store } = subject;
  const targets = targetsFrom(store.document, place);
  const write = (at: Address, change: ChangeBranches, what: string): void => {
    // With what is being typed into one of their conditions.
    store.flush();
    const now = findState(store.document, place.id) ?? place;
    const branches = outletsOf(now).find((outlet) => outlet.at.join("\n") === at.join("\n"))?.branches ?? [];
    store.apply(t("{{what}} of {{id}}", { what, id: place.id }), {
      document: writeBranches(store.document, now, at, change(branches)),
    });
  };
  return (
    <Box sx={{ display: "grid", gap: 2 }}>
      {outletsOf(place).map((outlet) => (
        <OutletView
          key={outlet.at.join(".")}
          subject={subject}
          place={place}
          outlet={outlet}
          targets={targets}
          onChange={(change, what) => write(outlet.at, change, what)}
        />
      ))}
      <AddOutlet
        title={t("Timer after")}
        placeholder="PT1H"
        disabled={targets.length === 0}
        onAdd={(key) => write(["after", key], () => [{ target: targets[0] ?? place.id }], t("Add a timer"))}
      />
      <AddOutlet
        title={t("Event")}
        placeholder="orders.paid"
        disabled={targets.length === 0}
        onAdd={(key) => write(["on", key], () => [{ target: targets[0] ?? place.id }], t("Add an event"))}
      />
    </Box>
  );
}

/** A state that only decides: each of its branches has a condition until one takes everything else. */
export function isChoice({ state }: StatePlace): boolean {
  return !["invoke", "loop", "states", "type"].some((key) => state[key] !== undefined);
}

interface OutletProps {
  subject: Subject;
  place: StatePlace;
  outlet: Outlet;
  targets: readonly string[];
  onChange: (change: ChangeBranches, what: string) => void;
}

/** No id of a state can be this. */
const NEW_STEP = "+";

type ChangeBranches = (branches: readonly JsonObject[]) => JsonObject[];

/** The server computes no more at once. */
const MAX_GUARDS = 50;

/** One outcome with its branches, and which of them would have been taken in the run that was chosen. */
function OutletView({ subject, place, outlet, targets, onChange }: OutletProps): ReactElement {
  const { at, title, branches } = outlet;
  const guards = branches.flatMap(({ guard }) => (guard === undefined ? [] : [guard])).slice(0, MAX_GUARDS);
  // cast: the server says what is no condition
  const asked = { guards: guards as unknown as Guard[], ...toPlace({ stateId: place.id, after: afterOf(at) }) };
  const answered = useEvaluation(subject.past, guards.length === 0 ? null : asked);
  const results = answered?.ok === true ? answered.evaluation.results : undefined;
  const verdicts =
    results === undefined
      ? []
      : judgeBranches(
          branches.map(({ guard }) => guard !== undefined),
          results,
        );
  return (
    <Box role="group" aria-label={title} sx={{ display: "grid", gap: 1 }}>
      <Box sx={{ fontSize: 13, fontWeight: 600 }}>{title}</Box>
      {branches.map((branch, index) => (
        <Branch
          key={index}
          subject={subject}
          place={place}
          outlet={outlet}
          index={index}
          branch={branch}
          targets={targets}
          verdict={verdicts[index]}
          onChange={onChange}
        />
      ))}
      {answered?.ok === false ? (
        <Box role="status" sx={{ fontSize: 12, color: "warning.main", overflowWrap: "anywhere" }}>
          {t("Not tried on run {{id}}: {{reason}}", { id: subject.past?.run?.id, reason: answered.message })}
        </Box>
      ) : null}
      <Button
        size="small"
        variant="outlined"
        startIcon={<AddRounded />}
        sx={{ justifySelf: "start" }}
        onClick={() => {
          // Nothing to lead to yet: the branch waits for a new step.
          const to: JsonObject = targets[0] === undefined ? {} : { target: targets[0] };
          onChange((now) => {
            // Before the one that takes everything else: behind it, it would never be tried.
            const last = now.at(-1);
            const fallback = last !== undefined && last.guard === undefined ? [last] : [];
            const others = fallback.length === 0 ? now : now.slice(0, -1);
            const isFirst = fallback.length === 0 && !isChoice(place);
            const guarded: JsonObject = isFirst ? to : { ...to, guard: FIRST_GUARD };
            return [...others, guarded, ...fallback];
          }, t("Add a branch"));
        }}
      >
        {t("Add a branch")}
      </Button>
    </Box>
  );
}

interface AddOutletProps {
  title: string;
  placeholder: string;
  disabled: boolean;
  onAdd: (key: string) => void;
}

/** Another way on: by time, or by an event. */
function AddOutlet({ title, placeholder, disabled, onAdd }: AddOutletProps): ReactElement {
  const [key, setKey] = useState("");
  const add = (): void => {
    if (key.trim() === "") return;
    onAdd(key.trim());
    setKey("");
  };
  return (
    <Box sx={{ display: "flex", gap: 1, alignItems: "center" }}>
      <TextField
        fullWidth
        label={title}
        value={key}
        placeholder={placeholder}
        disabled={disabled}
        onChange={(event) => setKey(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") add();
        }}
      />
      <Button
        size="small"
        variant="outlined"
        disabled={disabled || key.trim() === ""}
        onClick={add}
        sx={{ flex: "none" }}
      >
        {t("Add")}
      </Button>
    </Box>
  );
}

interface BranchProps extends OutletProps {
  index: number;
  branch: JsonObject;
  /** Undefined: it was not tried on a run. */
  verdict: Verdict | undefined;
}

const VERDICT_COLOURS: Record<Verdict["is"], string> = {
  taken: "success.main",
  passed: "text.secondary",
  denied: "text.secondary",
  broken: "warning.main",
};

function Branch({ subject, place, outlet, index, branch, targets, verdict, onChange }: BranchProps): ReactElement {
  const { branches, at, title } = outlet;
  const [open, setOpen] = useState(false);
  const name = t("branch {{position}} {{outlet}}", { position: index + 1, outlet: title.toLowerCase() });
  const replace =
    (more: JsonObject): ChangeBranches =>
    (now) =>
      now.map((other, turn) => (turn === index ? { ...other, ...more } : other));
  const target = typeof branch.target === "string" ? branch.target : "";
  const { guard } = branch;
  // A condition that is still to be said is open until the person closes it.
  const isNew = isFirstGuard(guard);
  const [wasNew, setWasNew] = useState(false);
  if (isNew !== wasNew) {
    setWasNew(isNew);
    if (isNew) setOpen(true);
  }
  const word = guard === undefined ? (branches.length === 1 ? t("always") : t("otherwise")) : sayGuard(guard);
  const labels = labelsOf(subject.store.document, targets);
  const leads = target === "" ? t("stays where it is") : labelOf(subject.store.document, target);
  const sentence = t("{{condition}} → {{target}}", { condition: word, target: leads });
  const isKnown = target === "" || targets.includes(target);
  return (
    <Box sx={{ display: "grid", gap: 1, p: 1, border: 1, borderColor: "divider", borderRadius: 2 }}>
      <Box sx={{ display: "flex", alignItems: "center", gap: 0.5 }}>
        <Button
          size="small"
          variant="text"
          aria-expanded={open}
          aria-label={t("{{word}}: condition of {{name}}", { word: sentence, name })}
          onClick={() => setOpen(!open)}
          sx={{
            flex: 1,
            minWidth: 0,
            justifyContent: "start",
            whiteSpace: "normal",
            textAlign: "start",
            fontSize: 12.5,
            overflowWrap: "anywhere",
          }}
        >
          {sentence}
        </Button>
        <IconButton
          size="small"
          aria-label={t("Move {{name}} up", { name })}
          disabled={index === 0}
          onClick={() => onChange((now) => moveUp(now, index), t("Reorder the branches"))}
        >
          <ArrowUpwardRounded sx={{ fontSize: 16 }} />
        </IconButton>
        <IconButton
          size="small"
          aria-label={t("Remove {{name}}", { name })}
          onClick={() => onChange((now) => now.filter((_, turn) => turn !== index), t("Remove a branch"))}
        >
          <DeleteOutlineRounded sx={{ fontSize: 16 }} />
        </IconButton>
      </Box>
      <TextField
        select
        value={target}
        onChange={(event) => {
          if (event.target.value === NEW_STEP) subject.onNewStep?.({ stateId: place.id, at, index });
          else onChange(replace({ target: event.target.value }), t("Redirect a branch"));
        }}
        slotProps={{ select: { native: true }, htmlInput: { "aria-label": t("Target of {{name}}", { name }) } }}
      >
        {target === "" ? <option value="">{t("Stays where it is")}</option> : null}
        {isKnown ? null : <option value={target}>{leads}</option>}
        {targets.map((id) => (
          <option key={id} value={id}>
            → {labels.get(id)}
          </option>
        ))}
        {subject.onNewStep === undefined ? null : <option value={NEW_STEP}>{t("New step…")}</option>}
      </TextField>
      {verdict === undefined ? null : (
        <Box
          role="status"
          sx={{ fontSize: 12, color: VERDICT_COLOURS[verdict.is], overflowWrap: "anywhere" }}
          data-verdict={verdict.is}
        >
          {t("In run {{id}}: {{result}}", { id: subject.past?.run?.id, result: verdict.text })}
        </Box>
      )}
      {!open ? null : guard === undefined ? (
        <Button
          size="small"
          variant="outlined"
          sx={{ justifySelf: "start" }}
          onClick={() => onChange(replace({ guard: FIRST_GUARD }), t("Add a condition"))}
        >
          {t("Only on a condition")}
        </Button>
      ) : GUARD_FIELD === undefined ? null : (
        <ValueForm {...subject} after={afterOf(at)} at={Array.isArray(getAt(place.state, at)) ? [...at, index] : at}>
          <FieldView
            field={{ ...GUARD_FIELD, name: "guard", label: t("Condition"), description: null }}
            at={["guard"]}
          />
        </ValueForm>
      )}
    </Box>
  );
}
