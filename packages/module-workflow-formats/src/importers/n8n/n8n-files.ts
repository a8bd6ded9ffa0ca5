import type { Json } from "@oven/contract";
import { isObject } from "@oven/engine";
import { toPath } from "../../importing/literals.ts";
import type { N8nDocument, N8nNode } from "./n8n-document.ts";
import { isErrorOutput } from "./n8n-outputs.ts";
import { answerFormatOf, type N8nData, PASSES_ON } from "./n8n-references.ts";

/**
 * A file that comes in from the left of a node, by the name that n8n has for it: of a form, of what a webhook got, or the answer of a request. Nodes
 * that let their items pass let files pass, too.
 * @returns undefined: it comes from somewhere else, or by several ways
 */
export function fileFor(
  asker: string,
  name: string,
  document: N8nDocument,
  data: N8nData,
  seen = new Set<string>(),
  at = asker,
): Json | undefined {
  const [only, ...others] = document.inputs(at);
  const source = only === undefined || others.length > 0 ? undefined : document.nodes.get(only.from);
  if (only === undefined || source === undefined || seen.has(at) || isErrorOutput(source, only.output))
    return undefined;
  seen.add(at);
  if (source.disabled || PASSES_ON.has(source.type)) return fileFor(asker, name, document, data, seen, source.name);
  switch (source.type) {
    case "httpRequest":
      return ofAnswer(asker, name, source, data);
    case "formTrigger":
      return ofForm(name, source);
    case "webhook":
      return ofWebhook(name, source);
    default:
      return undefined;
  }
}

function ofAnswer(asker: string, name: string, source: N8nNode, data: N8nData): Json | undefined {
  const { format, field } = answerFormatOf(source);
  if (source.version < 3 || field !== name || (format !== "autodetect" && format !== "file")) return undefined;
  const body = data.answerBodyFor(asker, source.name);
  return body === undefined ? undefined : { base64: body };
}

/** n8n calls files of a form by the label of their field. */
function ofForm(name: string, { parameters: { formFields } }: N8nNode): string | undefined {
  const fields = isObject(formFields) && Array.isArray(formFields.values) ? formFields.values.filter(isObject) : [];
  const labels = fields.flatMap(({ fieldType, fieldLabel }) =>
    fieldType === "file" && typeof fieldLabel === "string" && fieldLabel.replace(/\W/g, "_") === name
      ? [fieldLabel]
      : [],
  );
  const [label, ...others] = labels;
  return label === undefined || others.length > 0 ? undefined : toPath("$.trigger", [label]);
}

/** Files of a form have the names of their fields; a body that is a file is called data. */
function ofWebhook(name: string, { parameters: { options } }: N8nNode): string | undefined {
  const given = isObject(options) ? options : {};
  if (given.binaryPropertyName !== undefined || given.binaryData === true || given.rawBody === true) return undefined;
  const path = toPath("$.trigger.body", [name]);
  return name === "data" ? `${path} | default($.trigger.body)` : path;
}
