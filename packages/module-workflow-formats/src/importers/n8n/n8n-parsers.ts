import type { Json } from "@oven/contract";
import { isPathText } from "@oven/contract/workflow";
import { isObject } from "@oven/engine";
import { schemaOfExample } from "../../importing/literals.ts";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import type { N8nContext } from "./n8n-context.ts";
import { type N8nDocument, type N8nNode, textOf } from "./n8n-document.ts";
import { translateJsonText, withoutComputing } from "./n8n-expression.ts";

/** The parser that an answer goes through. One that is asked for and not connected reads nothing: the answer stays a text. */
export function parserOf({ name, parameters }: N8nNode, document: N8nDocument): N8nNode | undefined {
  return parameters.hasOutputParser === true ? document.helpers(name, "ai_outputParser")[0] : undefined;
}

/** The schema of the parser that hangs on a node. @throws NoEquivalent */
export function schemaOf(node: N8nNode, context: N8nContext, notes: string[]): Record<string, Json> {
  const { document, reporter, references } = context;
  const parser = parserOf(node, document);
  if (parser === undefined) {
    if (node.parameters.hasOutputParser === true)
      notes.push("It asks for a parser of its answer and has none: the answer stays a text, as there.");
    return {};
  }
  const isFixing = parser.type === "langchain.outputParserAutofixing";
  const inner = isFixing ? document.helpers(parser.name, "ai_outputParser")[0] : parser;
  if (inner?.type !== "langchain.outputParserStructured")
    throw new NoEquivalent("its output parser is not the structured one");
  const outputSchema = schemaIn(inner.parameters, references);
  reporter.element({ name: inner.name, type: inner.fullType, path: inner.path }, "mapped", null);
  if (isFixing) tellFixing(parser, context, notes);
  return { outputSchema };
}

/** A parser that has answers put right asks a model for that; here the step asks its own. */
function tellFixing({ name, fullType, path, parameters }: N8nNode, context: N8nContext, notes: string[]): void {
  const { document, reporter } = context;
  const options = isObject(parameters.options) ? parameters.options : {};
  const own = textOf(options.prompt) === undefined ? "" : " Its own prompt for that was left out.";
  const note = `An answer that does not fit the schema is asked for again, from the model of the step.${own}`;
  reporter.element({ name, type: fullType, path }, "noted", null, [note]);
  notes.push(note);
  for (const model of document.helpers(name, "ai_languageModel"))
    if (!reporter.has(model.path))
      reporter.element({ name: model.name, type: model.fullType, path: model.path }, "noted", null, [
        `“${name}” asks it to put answers right; here the model of the step does that.`,
      ]);
}

/** @throws NoEquivalent */
export function schemaIn(parameters: N8nNode["parameters"], references: N8nContext["references"]): Json {
  const manual = textOf(parameters.inputSchema) ?? textOf(parameters.jsonSchema);
  const example = textOf(parameters.jsonSchemaExample);
  const isManual = parameters.schemaType === "manual" || example === undefined;
  const text = isManual ? manual : example;
  if (text === undefined) throw new NoEquivalent("its schema is not there");
  const json = translateJsonText(text, withoutComputing(references));
  if (!isObject(json) && !(typeof json === "string" && isPathText(json)))
    throw new NoEquivalent("its schema is no object");
  return isManual ? json : schemaOfExample(json);
}
