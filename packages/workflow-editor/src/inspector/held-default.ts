import type { Json, JsonObject } from "@oven/contract";
import { t } from "@oven/i18n";
import { getAt } from "@oven/scope";
import type { Field } from "./shape.ts";

const LONGEST = 60;

/**
 * What holds while a field is empty, in words: the workflow's own setting, that of the step's agent, or the default of the node.
 * @param agent the agent that the step names, whose settings come before those of the workflow
 */
export function heldDefault(
  field: Pick<Field, "name" | "default" | "defaultAt">,
  definition: JsonObject,
  agent: Json | undefined,
): string | undefined {
  const isAnyone = field.name === "assignees" && Array.isArray(field.default) && field.default.length === 0;
  const initial = isAnyone ? t("anyone who may decide") : toText(field.default);
  if (field.defaultAt === undefined) return initial;
  if (agent !== undefined && agent !== "") return t("as the agent has it");
  const held = toText(getAt(definition, field.defaultAt.split(".")));
  if (held !== undefined) return t("{{setting}} (this workflow's default)", { setting: held });
  return initial === undefined ? undefined : t("{{setting}} (default)", { setting: initial });
}

function toText(value: Json | undefined): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "boolean") return value ? t("yes") : t("no");
  if (Array.isArray(value) && value.every((entry) => typeof entry !== "object"))
    return value.length === 0 ? t("none") : shorten(value.join(", "));
  if (typeof value === "object" && Object.keys(value).length === 0) return t("none");
  return shorten(typeof value === "string" ? value : JSON.stringify(value));
}

function shorten(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`;
}
