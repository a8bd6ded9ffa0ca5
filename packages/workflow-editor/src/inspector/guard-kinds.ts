import type { Json } from "@oven/contract";
import { isObject } from "@oven/contract";
import type { Guard } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { guardToCel } from "./guard-to-cel.ts";
import type { Shape } from "./shape.ts";

export type GuardKind = Guard["type"];

/** The kinds of guard that the inspector offers, in its order. */
export const GUARD_KINDS: readonly { kind: GuardKind; title: string }[] = [
  { kind: "condition", title: t("A comparison") },
  { kind: "all", title: t("All of these") },
  { kind: "any", title: t("Any of these") },
  { kind: "not", title: t("Not") },
  { kind: "cel", title: "CEL" },
];

/** What a new condition begins with. */
export const FIRST_GUARD: Guard = { type: "condition", params: { key: "$.trigger", operator: "exists" } };

/** Whether a condition is as it began: what it asks is still to be said. */
export function isFirstGuard(guard: Json | undefined): boolean {
  return JSON.stringify(guard) === JSON.stringify(FIRST_GUARD);
}

/** Whether a shape is that of conditions: then they have a form of their own, however deep they are. */
export function isGuardShape(shape: Shape): boolean {
  if (shape.kind !== "variants") return false;
  const kinds = shape.variants.flatMap(({ shape: own }) => {
    const type = own.kind === "object" ? own.fields.find(({ name }) => name === "type")?.shape : undefined;
    return type?.kind === "choice" ? type.choices : [];
  });
  return GUARD_KINDS.every(({ kind }) => kinds.includes(kind));
}

/** A value that the form of conditions can show: its own parts are looked at one by one, each by itself. */
export function isGuardForm(value: Json | undefined): value is Guard {
  if (!isObject(value)) return false;
  const keys = Object.keys(value).sort().join();
  switch (value.type) {
    case "condition":
      return (
        (keys === "params,type" || keys === "loose,params,type") && hasOnly(value.params, "key", "operator", "value")
      );
    case "cel":
      return keys === "params,type" && hasOnly(value.params, "expression");
    case "all":
    case "any":
      return keys === "guards,type" && Array.isArray(value.guards);
    case "not":
      return keys === "guard,type";
    default:
      return false;
  }
}

function hasOnly(value: Json | undefined, ...names: string[]): boolean {
  return isObject(value) && Object.keys(value).every((key) => names.includes(key));
}

/** Another kind of condition; what stands there is kept inside, or what it held. */
export function withGuardKind(guard: Guard, kind: GuardKind): Guard {
  if (guard.type === kind) return guard;
  const inner =
    guard.type === "not" ? [guard.guard] : guard.type === "all" || guard.type === "any" ? guard.guards : null;
  switch (kind) {
    case "all":
    case "any":
      return { type: kind, guards: inner ?? [guard] };
    case "not":
      return { type: "not", guard };
    default: {
      // Taken out again, if it is the only one.
      const [only, ...others] = inner ?? [];
      if (only?.type === kind && others.length === 0) return only;
      return kind === "cel" ? { type: "cel", params: { expression: guardToCel(guard) } } : FIRST_GUARD;
    }
  }
}
