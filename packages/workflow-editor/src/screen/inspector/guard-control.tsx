import AddRounded from "@mui/icons-material/AddRounded";
import DeleteOutlineRounded from "@mui/icons-material/DeleteOutlineRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import TextField from "@mui/material/TextField";
import { type Guard, OPERATORS } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import type { Address } from "@oven/scope";
import { type ReactElement, type ReactNode, useContext, useMemo } from "react";
import { isExpression } from "../../inspector/field-mode.ts";
import { FIRST_GUARD, GUARD_KINDS, type GuardKind, isGuardForm, withGuardKind } from "../../inspector/guard-kinds.ts";
import type { Field } from "../../inspector/shape.ts";
import type { ValueControlProps } from "./control-props.ts";
import { FormContext } from "./form-context.ts";
import { JsonField } from "./json-field.tsx";
import { useTyped } from "./use-typed.ts";

const KEY: Field = {
  name: "key",
  label: t("Key"),
  description: null,
  required: true,
  default: undefined,
  shape: { kind: "text", long: false, limits: { minLength: 1 } },
};
const OPERATOR: Field = {
  name: "operator",
  label: t("Operator"),
  description: null,
  required: true,
  default: undefined,
  shape: { kind: "choice", choices: [...OPERATORS] },
};
const VALUE: Field = {
  name: "value",
  label: t("Value"),
  description: null,
  required: true,
  default: undefined,
  shape: { kind: "free", object: false },
};
const EXPRESSION: Field = { ...KEY, name: "expression", label: t("Expression") };
/** They compare with one value, which a list can offer. */
const IS_ONE_OF: ReadonlySet<string> = new Set(["==", "!="]);
/** They ask nothing of a value. */
const ALONE: ReadonlySet<string> = new Set(["exists", "empty"]);

/** A condition, with conditions in it at any depth. */
export function GuardControl({ id, field, at }: ValueControlProps): ReactElement {
  return <GuardPart id={id} name={field.label} at={at} onRemove={null} />;
}

interface GuardPartProps {
  id?: string | undefined;
  /** "Condition 1.2" is the second in the first. */
  name: string;
  at: Address;
  onRemove: (() => void) | null;
}

function GuardPart({ id, name, at, onRemove }: GuardPartProps): ReactElement {
  const { write, type, seal } = useContext(FormContext);
  const value = useTyped(at);
  const guard = value === undefined ? null : isGuardForm(value) ? value : undefined;
  return (
    <Box role="group" aria-label={name} sx={{ display: "grid", gap: 1, minWidth: 0 }}>
      <Box sx={{ display: "flex", gap: 0.5, alignItems: "center" }}>
        {guard === undefined ? (
          <Box sx={{ flex: 1, fontSize: 12.5, color: "text.secondary" }}>{t("Only JSON can say it")}</Box>
        ) : (
          <TextField
            select
            fullWidth
            id={id}
            value={guard?.type ?? ""}
            onChange={(event) => {
              const kind = event.target.value as GuardKind | ""; // cast: an option of the list
              const next = kind === "" ? undefined : withGuardKind(guard ?? FIRST_GUARD, kind);
              write(at, next);
              seal();
            }}
            slotProps={{ select: { native: true }, htmlInput: { "aria-label": t("Kind of {{name}}", { name }) } }}
          >
            {guard === null ? <option value="">–</option> : null}
            {GUARD_KINDS.map(({ kind, title }) => (
              <option key={kind} value={kind}>
                {title}
              </option>
            ))}
          </TextField>
        )}
        {onRemove === null ? null : (
          <IconButton size="small" aria-label={t("Remove {{name}}", { name })} onClick={onRemove}>
            <DeleteOutlineRounded sx={{ fontSize: 16 }} />
          </IconButton>
        )}
      </Box>
      {guard === undefined ? (
        <JsonField id={`${name} JSON`} label={name} value={value} onChange={(next) => type(at, next)} />
      ) : guard === null ? null : (
        <GuardBody name={name} at={at} guard={guard} />
      )}
    </Box>
  );
}

function GuardBody({ name, at, guard }: { name: string; at: Address; guard: Guard }): ReactElement {
  const form = useContext(FormContext);
  const { FieldView } = form;
  // Written in the definition, whatever the run computes: only the value is computed.
  const written = useMemo(() => ({ ...form, fixed: true }), [form]);
  switch (guard.type) {
    case "condition": {
      const { key, operator, value } = guard.params;
      const known = IS_ONE_OF.has(operator) ? form.choicesOf(key) : [];
      // What stands there is one of the list, too, until another one is chosen.
      const isOther = typeof value === "string" && !isExpression(value) && !known.includes(value);
      const choices = known.length > 0 && isOther ? [value, ...known] : known;
      const field: Field =
        choices.length === 0 ? VALUE : { ...VALUE, shape: { kind: "choice", choices: [...choices] } };
      return (
        <>
          <FormContext value={written}>
            <FieldView field={KEY} at={[...at, "params", "key"]} />
            <FieldView field={OPERATOR} at={[...at, "params", "operator"]} />
          </FormContext>
          {ALONE.has(operator) && value === undefined ? null : (
            <FieldView field={field} at={[...at, "params", "value"]} />
          )}
        </>
      );
    }
    case "cel":
      return (
        <FormContext value={written}>
          <FieldView field={EXPRESSION} at={[...at, "params", "expression"]} />
        </FormContext>
      );
    case "not":
      return (
        <Inside>
          <GuardPart name={toName(name, 1)} at={[...at, "guard"]} onRemove={null} />
        </Inside>
      );
    default:
      return <GuardGroup name={name} at={at} guard={guard} />;
  }
}

function GuardGroup({
  name,
  at,
  guard,
}: {
  name: string;
  at: Address;
  guard: Extract<Guard, { type: "all" | "any" }>;
}): ReactElement {
  const { write, seal } = useContext(FormContext);
  const { guards } = guard;
  const change = (next: Guard[]): void => {
    write([...at, "guards"], next);
    seal();
  };
  return (
    <Inside>
      {guards.map((_, index) => (
        <GuardPart
          key={index}
          name={toName(name, index + 1)}
          at={[...at, "guards", index]}
          // An empty group means nothing, so the last one stays.
          onRemove={guards.length === 1 ? null : () => change(guards.filter((_, other) => other !== index))}
        />
      ))}
      <Button
        size="small"
        variant="outlined"
        startIcon={<AddRounded />}
        aria-label={t("Add a condition to {{name}}", { name })}
        sx={{ justifySelf: "start" }}
        onClick={() => change([...guards, FIRST_GUARD])}
      >
        {t("Add a condition")}
      </Button>
    </Inside>
  );
}

/** Deep groups must not run out of width: the line says enough. */
function Inside({ children }: { children: ReactNode }): ReactElement {
  return (
    <Box sx={{ display: "grid", gap: 1.5, pl: 1, borderLeft: 2, borderColor: "divider", minWidth: 0 }}>{children}</Box>
  );
}

function toName(name: string, place: number): string {
  return /\d$/.test(name) ? `${name}.${place}` : `${name} ${place}`;
}
