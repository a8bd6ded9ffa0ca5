import { type Json, toSlug } from "@oven/contract";
import { isObject } from "@oven/engine";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { caughtOf, retryOf } from "./states-errors.ts";
import type { Mapped, Mapping } from "./states-mapping.ts";

/** The Task that runs another state machine and waits for its end; its output is JSON that has been read. */
export const START_MACHINE = "arn:aws:states:::states:startExecution.sync:2";

/** Another state machine as a workflow that is called. @throws NoEquivalent */
export function mapCall(mapping: Mapping): Mapped {
  const { state, id, data, reporter } = mapping;
  const { spec, path } = state;
  const given = isObject(spec.Parameters) ? spec.Parameters : {};
  const other = Object.keys(given).find((key) => !/^(StateMachineArn|Input(\.\$)?)$/.test(key));
  if (other !== undefined) throw new NoEquivalent(`its call has ${other}, which has no exact equivalent`);
  const { StateMachineArn: arn } = given;
  const name = typeof arn === "string" ? (/(?::stateMachine:|^\$\{)([\w.-]+)\}?$/.exec(arn)?.[1] ?? "") : "";
  if (name === "") throw new NoEquivalent("which state machine it calls is not written out");
  const filled = data.through(spec.InputPath).template(given);
  const input: Json = isObject(filled) ? (filled.Input ?? {}) : {};
  if (Array.isArray(input) || (typeof input !== "string" && !isObject(input)))
    throw new NoEquivalent("it hands on something else than an object");
  const workflow = toSlug(name);
  reporter.setting("workflow", name, `Import it, too; it is called by its slug ${workflow}.`, path);
  const notes = [
    `It calls the workflow ${workflow}, which must be there.`,
    "Of what Step Functions says of the execution, Output is handed on.",
  ];
  const retry = retryOf(spec, false, notes);
  if (spec.TimeoutSeconds !== undefined) throw new NoEquivalent("how long it may take is bounded");
  const caught = caughtOf(mapping);
  const output = { root: `$.${id}_output`, segments: ["output"] };
  const result = data.seeing({ fields: { Output: output } });
  const value = spec.ResultSelector === undefined ? result.value("$") : result.template(spec.ResultSelector);
  const targets = typeof spec.Next === "string" ? [state.keyOf(spec.Next)] : [];
  return {
    invoke: { src: "core.callWorkflow", input: { workflow, kind: "agent-workflow", input }, retry },
    ways: [{ targets, actions: data.results(spec, value) }],
    ...caught,
    notes,
  };
}

/** What another Task calls, and what it needs in its place. */
export function whyOpen({ Resource: resource, Parameters: given, Arguments: others }: { [key: string]: Json }): string {
  const text = String(resource ?? "nothing");
  const parameters = isObject(given) ? given : isObject(others) ? others : {};
  const named = text.startsWith("arn:aws:states:::lambda:invoke")
    ? String(parameters.FunctionName ?? parameters["FunctionName.$"] ?? "")
    : (/:lambda:[^:]*:[^:]*:function:(.+)$/.exec(text)?.[1] ?? "");
  if (named === "") return `it calls ${text}`;
  return `it calls the Lambda function ${named}, whose code is not in the document: request it at an address (core.http), or write it in core.code`;
}
