import type { Picker } from "@oven/ui/components/pick/picker.ts";
import type { Field, Shape } from "./shape.ts";

/** By the names that nodes give such inputs. */
const BY_NAME: Readonly<Record<string, Picker>> = {
  model: "model",
  models: "model",
  tool: "tool",
  tools: "tool",
  afterTool: "tool",
  agent: "agent",
  store: "vector-store",
  table: "table",
  workflow: "workflow",
  workflowVersion: "workflow-version",
  $secret: "secret",
  assignees: "assignee",
  escalateTo: "assignee",
};

function takesText(shape: Shape): boolean {
  if (shape.kind === "text") return true;
  return shape.kind === "scalar" && shape.options.some(({ type }) => type === "string");
}

/** From what a field's value, or each entry of its list, is picked; null: it is typed. */
export function pickerOf({ name, shape }: Pick<Field, "name" | "shape">): Picker | null {
  const picker = Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : undefined;
  if (picker === undefined) return null;
  if (picker === "workflow-version") return shape.kind === "number" ? picker : null;
  return takesText(shape.kind === "list" ? shape.item : shape) ? picker : null;
}

/** Whether a list is one control: its entries are picked, or short. */
export function isShortList({ name, shape }: Pick<Field, "name" | "shape">): boolean {
  if (shape.kind !== "list") return false;
  const { item } = shape;
  return pickerOf({ name, shape }) !== null || (item.kind === "text" && !item.long) || item.kind === "number";
}
