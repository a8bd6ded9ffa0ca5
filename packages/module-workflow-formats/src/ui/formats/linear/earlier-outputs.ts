import type { LinearStep, LinearWorkflowWithDetails } from "@oven/contract/formats/linear.ts";
import { t } from "@oven/i18n";

export interface EarlierOutput {
  /** The id of the data container. */
  uuid: string;
  title: string;
  /** As a prompt asks for it. */
  placeholder: string;
}

/** What is there when a step begins: what the trigger brings, and what the steps before it put out. */
export function earlierOutputs(
  { trigger, steps }: Pick<LinearWorkflowWithDetails, "trigger" | "steps">,
  step: string,
): EarlierOutput[] {
  const before = steps.slice(
    0,
    steps.findIndex(({ uuid }) => uuid === step),
  );
  const own =
    trigger === null ? [] : [{ uuid: trigger.output_datacontainer_uuid, title: t("What the trigger brings") }];
  const outputs = before.flatMap((one) =>
    one.type === "stop_checker" ? [] : [{ uuid: one.output_datacontainer_uuid, title: one.name }],
  );
  return [...own, ...outputs].map((output) => ({ ...output, placeholder: `<<data.${output.uuid}>>` }));
}

/** The order with a step one place further up or down; the same when it stands there. */
export function moved(steps: readonly LinearStep[], step: string, by: -1 | 1): string[] {
  const order = steps.map(({ uuid }) => uuid);
  const from = order.indexOf(step);
  const to = from + by;
  if (from === -1 || to < 0 || to >= order.length) return order;
  return order.with(from, order[to] ?? "").with(to, step);
}
