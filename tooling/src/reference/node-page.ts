import {
  isComposite,
  type ModuleDefinition,
  type NodeDefinition,
} from "../../../packages/module-registry/src/index.ts";
import { toJsonSchema } from "../../../packages/module-workflows/src/index.ts";
import { describeSchema, type SchemaNode } from "./describe-schema.ts";

export interface ReferencePage {
  /** Name of the file in docs/nodes. */
  file: string;
  text: string;
}

const NOTICE = "<!-- Written by `pnpm node-reference` from the registered nodes; change the node instead. -->";

/** A page for each node of the modules, and the index. */
export function toNodeReference(modules: readonly ModuleDefinition[]): ReferencePage[] {
  const nodes = modules
    .flatMap((module) => module.nodes.map((node) => ({ module, node })))
    .sort((one, other) => (one.node.id < other.node.id ? -1 : 1));
  const rows = nodes.map(
    ({ node }) => `| [\`${node.id}\`](${node.id}.md) | ${node.title} | ${node.effect} | ${firstSentence(node.docs)} |`,
  );
  const index = [
    NOTICE,
    "",
    "# Nodes",
    "",
    "Every node type that a state may name in `invoke.src`. The same facts, as JSON: `GET /api/node-types`.",
    "",
    "| node | title | effect | what it does |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
    "`effect` says what a crash in the middle may mean: `pure` and `idempotent` calls are made again, `at-least-once` ones too,",
    "and an `at-most-once` call that was started and whose outcome is unknown waits for a person.",
    "",
  ];
  return [
    { file: "README.md", text: index.join("\n") },
    ...nodes.map(({ module, node }) => ({ file: `${node.id}.md`, text: nodePage(module, node) })),
  ];
}

function nodePage(module: ModuleDefinition, node: NodeDefinition): string {
  const { id, version, title, docs, effect, retry, timeoutMs, outcomes = [] } = node;
  const facts = [
    `version ${version}`,
    `module \`${module.name}\``,
    `effect \`${effect}\``,
    ...(isComposite(node) ? ["becomes states of its own"] : []),
    ...(retry?.maxAttempts === undefined ? [] : [`attempts ${retry.maxAttempts}`]),
    ...(timeoutMs === undefined ? [] : [`time-out ${timeoutMs} ms`]),
    ...(node.endsRun === true ? ["ends the run or fails: needs no `onDone`"] : []),
  ];
  return [
    NOTICE,
    "",
    `# ${title} (\`${id}\`)`,
    "",
    facts.join(" · "),
    "",
    docs,
    "",
    "## Input",
    "",
    ...fieldTable(toJsonSchema(node.input, "input") as SchemaNode), // cast: a JSON Schema document
    "",
    "## Output",
    "",
    ...fieldTable(toJsonSchema(node.output, "output") as SchemaNode), // cast: as above
    "",
    ...(outcomes.length === 0 ? [] : outcomeTable(outcomes)),
  ].join("\n");
}

function fieldTable({ properties = {}, required = [] }: SchemaNode): string[] {
  const entries = Object.entries(properties);
  if (entries.length === 0) return ["No fixed keys."];
  return [
    "| key | type | | description |",
    "| --- | --- | --- | --- |",
    ...entries.map(([key, schema]) => {
      const need =
        schema.default === undefined ? (required.includes(key) ? "required" : "") : defaultOf(schema.default);
      return `| \`${key}\` | ${cell(describeSchema(schema))} | ${need} | ${cell(schema.description ?? "")} |`;
    }),
  ];
}

function defaultOf(value: unknown): string {
  return `default \`${JSON.stringify(value)}\``;
}

function outcomeTable(outcomes: NonNullable<NodeDefinition["outcomes"]>): string[] {
  return [
    "## Outcomes",
    "",
    "Presets of `onDone` guards.",
    "",
    "| outcome | guard |",
    "| --- | --- |",
    ...outcomes.map(({ title, guard }) => {
      const text =
        guard === undefined ? "everything else" : `\`$.${guard.key} ${guard.operator} ${JSON.stringify(guard.value)}\``;
      return `| ${title} | ${cell(text)} |`;
    }),
    "",
  ];
}

function firstSentence(docs: string): string {
  const [sentence = docs] = /^.*?[.:](?=\s|$)/s.exec(docs) ?? [];
  return cell(sentence.replace(/:$/, "."));
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
