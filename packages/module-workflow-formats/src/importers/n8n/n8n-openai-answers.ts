import type { N8nNode } from "./n8n-document.ts";

/** Whether the answer of the model is read as JSON. */
export function answersJson({ parameters }: N8nNode): boolean {
  return parameters.jsonOutput === true;
}

/** Whether a node asks about a picture that is a file. */
export function asksAboutFile({ type, parameters: { resource, operation, inputType } }: N8nNode): boolean {
  return type === "langchain.openAi" && resource === "image" && operation === "analyze" && inputType === "base64";
}

/** How the answer stands in what the node hands on. */
export type OpenAiShape = "message" | "choices" | "output" | "content";

export function openAiShape(node: N8nNode): OpenAiShape {
  const { type, version, parameters } = node;
  const isSimple = (type === "openAi" ? parameters.simplifyOutput : parameters.simplify) !== false;
  if (asksAboutFile(node)) return isSimple ? "content" : "choices";
  if (type !== "openAi" && version >= 2 && version !== Number.POSITIVE_INFINITY) return "output";
  return isSimple ? "message" : "choices";
}

/** Where a value of its answer stands; undefined: that part of the answer is not there here. */
export function ofOpenAi(
  node: N8nNode,
  root: string,
  segments: readonly (string | number)[],
): { path: string; rest: readonly (string | number)[] } | undefined {
  const head = {
    message: ["message", "content"],
    choices: ["choices", 0, "message", "content"],
    output: ["output", 0, "content", 0, "text"],
    content: ["content"],
  }[openAiShape(node)];
  const isAnswer = head.every((key, index) => segments[index] === key);
  if (!isAnswer) return undefined;
  const rest = segments.slice(head.length);
  if (rest.length > 0 && !answersJson(node)) return undefined;
  return { path: answersJson(node) ? `${root}.object` : `${root}.text`, rest };
}
