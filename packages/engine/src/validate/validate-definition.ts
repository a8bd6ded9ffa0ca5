import { isOvenError, type JsonObject, type Problem } from "@oven/contract";
import type { Definition } from "@oven/contract/workflow";
import { schemaNotes } from "../border-schema/schema-notes.ts";
import { compileDefinition } from "../compile/compile-definition.ts";
import { passDisabled } from "../compile/pass-disabled.ts";
import { takeVerbatim } from "../compile/take-verbatim.ts";
import { ExpressionSyntaxError } from "../expressions/expression-error.ts";
import type { NodeCatalog } from "../ports.ts";
import { checkDataFlow } from "./data-flow.ts";
import { checkDisabled, targetsOfDisabled } from "./disabled.ts";
import { checkExpressions } from "./expressions.ts";
import { fixedValue } from "./fixed-value.ts";
import { checkSchema, validateJson } from "./json-schema.ts";
import { checkNodes } from "./node-inputs.ts";
import { Problems } from "./problems.ts";
import { checkReachability } from "./reachability.ts";
import { checkShape } from "./shape.ts";
import { type Listed, listStates } from "./state-list.ts";
import { checkStructure } from "./structure.ts";
import { checkTargets } from "./targets.ts";
import { MAX_JSON_DEPTH, tooDeepPlace } from "./too-deep.ts";

/**
 * Everything that is wrong with a definition: JSON path, rule, message, fix. What validates runs; what cannot run does
 * not validate. `definition` is there when no problem is an error.
 */
export function validateDefinition(
  json: unknown,
  catalog: NodeCatalog,
): { problems: Problem[]; definition?: Definition } {
  const problems = new Problems();
  const deep = tooDeepPlace(json);
  if (deep) {
    problems.error(deep.slice(0, 4), "shape", `This is nested more than ${MAX_JSON_DEPTH} levels deep`, "Flatten it.");
    return { problems: problems.list };
  }
  const given = checkShape(json, problems);
  if (!given) return { problems: problems.list };
  const givenStates = listStates(given);
  checkDisabled(givenStates, problems);
  // What is switched off may be unfinished.
  const definition = takeVerbatim(passDisabled(given), catalog);
  const states = listStates(definition);
  const byId = new Map(states.map((state) => [state.id, state]));
  checkStructure(definition, states, byId, problems);
  checkTargets(definition, states, byId, problems);
  checkNodes(definition, states, catalog, problems);
  checkExpressions(definition, states, problems);
  if (definition.payloadSchema) checkSchema(definition.payloadSchema, ["payloadSchema"], problems);
  // What cannot be used has no readers.
  if (definition.payloadSchema && !problems.hasErrors)
    for (const note of schemaNotes(definition.payloadSchema, ["mcp"])) problems.addNote(["payloadSchema"], note);
  const payloadType = definition.payloadSchema?.type;
  if (payloadType !== undefined && payloadType !== "object") {
    problems.error(
      ["payloadSchema", "type"],
      "payload-schema",
      "A payload is an object, so no input would ever fit this schema",
      'Write "type": "object" and describe its properties.',
    );
  }
  if (definition.outputSchema) checkSchema(definition.outputSchema, ["outputSchema"], problems);
  if (definition.outputSchema && !problems.hasErrors) checkOutputs(definition.outputSchema, states, problems);
  // Graph questions only make sense once the pieces are sound.
  if (!problems.hasErrors) {
    checkReachability(definition, states, byId, catalog, problems, targetsOfDisabled(givenStates));
    checkDataFlow(definition, states, catalog, problems);
  }
  if (!problems.hasErrors) checkCompiles(definition, catalog, problems);
  return problems.hasErrors ? { problems: problems.list } : { problems: problems.list, definition: given };
}

/** Outputs that every run has, which the schema would deny at its end. */
function checkOutputs(schema: JsonObject, states: readonly Listed[], problems: Problems): void {
  for (const { state, path, parent, loop } of states) {
    if (state.type !== "final" || parent !== undefined || loop !== undefined || state.outcome === "failed") continue;
    // Without an output of its own the state hands on what the last step gave.
    const output = state.output === undefined || state.output === null ? undefined : fixedValue(state.output);
    const [problem] = output === undefined ? [] : validateJson(schema, output);
    if (problem !== undefined)
      problems.error(
        [...path, "output"],
        "output-schema",
        `This output does not fit the outputSchema at ${problem.path}: ${problem.message}`,
        "Change it, or relax outputSchema.",
      );
  }
}

/** The last gate: what composites expand to must compile too. */
function checkCompiles(definition: Definition, catalog: NodeCatalog, problems: Problems): void {
  try {
    compileDefinition(definition, catalog);
  } catch (cause) {
    if (!isOvenError(cause) && !(cause instanceof ExpressionSyntaxError)) throw cause;
    problems.error(["states"], "compile", cause.message, cause.fix ?? "Correct the definition.");
  }
}
