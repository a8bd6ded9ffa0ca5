import { type JsonObject, toSlug } from "@oven/contract";
import { isObject } from "@oven/engine";
import { withoutCredentials } from "../../importing/credentials.ts";
import { escapeTemplate, insideText, toLiteral, toTemplate } from "../../importing/literals.ts";
import { NoEquivalent, orReason } from "../../importing/no-equivalent.ts";
import { inputsFor } from "./n8n-computed.ts";
import type { N8nContext } from "./n8n-context.ts";
import { type N8nNode, textOf } from "./n8n-document.ts";
import { translateValue } from "./n8n-expression.ts";
import { knowledgeTool } from "./n8n-knowledge.ts";
import { analyse, parseBody } from "./n8n-script.ts";
import { appTool } from "./n8n-tool-app.ts";
import { beforeTheModel } from "./n8n-tool-arguments.ts";
import { httpTool } from "./n8n-tool-http.ts";
import { ASKED, ASKS_FOR_INPUT, ASKS_FOR_QUERY, aboutTool, schemaOfTool, type ToolStep } from "./n8n-tool-step.ts";
import { workflowTool } from "./n8n-tool-workflow.ts";

const REGISTERED: Readonly<Record<string, string>> = { "langchain.toolCalculator": "math.calculate" };

type ToTool = (tool: N8nNode, context: N8nContext) => ToolStep;

/** JavaScript that a model calls. */
const codeTool: ToTool = (tool, context) => {
  const { parameters } = tool;
  const { jsCode } = parameters;
  if ((parameters.language ?? "javaScript") !== "javaScript" || typeof jsCode !== "string")
    throw new NoEquivalent("its code is Python, which is not carried over yet");
  const script = analyse(parseBody(`let query;\n${jsCode}`));
  const { inputs, prelude } = inputsFor(script, tool.name, { items: context.items, document: context.document });
  const isStructured = parameters.specifyInputSchema === true;
  return {
    ...aboutTool(tool, parameters.description),
    parameters: isStructured ? schemaOfTool(parameters, context.references) : ASKS_FOR_QUERY,
    src: "core.code",
    input: {
      language: "javascript",
      code: { $literal: [...prelude, jsCode].join("\n") },
      inputs: { ...inputs, query: isStructured ? "$.toolArguments" : ASKED },
    },
    result: "$.output.result",
  };
};

const wikipediaTool: ToTool = () => ({
  description: "Looks a subject up in Wikipedia: people, places, companies, history and other facts.",
  parameters: ASKS_FOR_INPUT,
  src: "core.http",
  input: {
    url: "https://en.wikipedia.org/w/api.php",
    query: {
      ...{ action: "query", format: "json", formatversion: 2, generator: "search", gsrlimit: 1 },
      ...{ gsrsearch: "$.toolArguments.input", prop: "extracts", explaintext: 1, redirects: 1 },
    },
  },
  result: "$.output.body",
  notes: ["The model is shown the article that fits best; n8n shows it the beginnings of up to three."],
});

const searchTool: ToTool = (tool, { reporter }) => {
  const options = isObject(tool.parameters.options) ? tool.parameters.options : {};
  const { credentials } = tool.spec;
  const given = isObject(credentials?.serpApi) ? textOf(credentials.serpApi.name) : undefined;
  const secret = toSlug(given ?? "serpapi");
  reporter.setting("credential", secret, "Make a secret of this name: a key of SerpApi, for serpapi.com.", tool.path);
  const settings = Object.entries(options).map(([key, value]) => [key, toLiteral(value)]);
  return {
    description: "Searches the web. Useful for questions about what happens now.",
    parameters: ASKS_FOR_INPUT,
    src: "core.http",
    input: {
      url: "https://serpapi.com/search.json",
      query: { ...Object.fromEntries(settings), q: "$.toolArguments.input", api_key: { $secret: secret } },
    },
    result: "$.output.body",
    notes: ["The model is shown the whole answer of the search; n8n shows it the most telling part."],
  };
};

/** What a model thinks is handed back to it. */
const thinkTool: ToTool = (tool) => ({
  ...aboutTool(tool, tool.parameters.description ?? "A place to think in: it finds nothing out and changes nothing."),
  parameters: ASKS_FOR_INPUT,
  src: "core.transform",
  input: { mapping: { thought: "$.toolArguments.input" } },
  result: "$.output.thought",
});

const TOOLS: ReadonlyMap<string, ToTool> = new Map(
  Object.entries({
    "langchain.toolWorkflow": workflowTool,
    "langchain.toolHttpRequest": httpTool,
    "langchain.toolCode": codeTool,
    "langchain.toolWikipedia": wikipediaTool,
    "langchain.toolSerpApi": searchTool,
    "langchain.toolThink": thinkTool,
    "langchain.toolVectorStore": knowledgeTool,
  }),
);

function makerOf({ type, parameters }: N8nNode): ToTool {
  const isSearch = type.startsWith("langchain.vectorStore") && parameters.mode === "retrieve-as-tool";
  return isSearch ? knowledgeTool : (TOOLS.get(type) ?? appTool);
}

/** The tools of a server of MCP, which have to be connected and approved here. @throws NoEquivalent */
function toolsOfServer({ name, parameters, path }: N8nNode, { reporter }: N8nContext): string[] {
  const slug = toSlug(name);
  const { include = "all", includeTools, excludeTools } = parameters;
  const listed = (value: JsonObject[string] | undefined): string[] => {
    if (!Array.isArray(value)) throw new NoEquivalent("which tools of its server it takes is computed");
    return value.map((tool) => `mcp.${slug}.${String(tool)}`);
  };
  const address = textOf(parameters.endpointUrl) ?? textOf(parameters.sseEndpoint);
  const at = address === undefined || address.startsWith("=") ? "its server" : withoutCredentials(address);
  const advice = `Connect ${at} as an MCP server with the name ${slug}, and approve its tools.`;
  reporter.setting("tool", slug, advice, path);
  if (include === "selected") return listed(includeTools);
  return [`mcp.${slug}.*`, ...(include === "except" ? listed(excludeTools).map((tool) => `!${tool}`) : [])];
}

/** The tools of an agent as inputs of a tool loop. @throws NoEquivalent where one of them has no equal */
export function toolsOf(node: N8nNode, context: N8nContext): JsonObject {
  const { document, reporter } = context;
  const tools: string[] = [];
  const stepTools: JsonObject[] = [];
  const reports: (() => void)[] = [];
  const open: string[] = [];
  const inside = { ...context, references: beforeTheModel(context.references) };
  const helpers = document.helpers(node.name, "ai_tool");
  for (const tool of helpers) {
    const element = { name: tool.name, type: tool.fullType, path: tool.path };
    const registered = Object.hasOwn(REGISTERED, tool.type) ? REGISTERED[tool.type] : undefined;
    if (registered !== undefined) {
      tools.push(registered);
      reports.push(() => reporter.element(element, "mapped", null));
      continue;
    }
    if (tool.type === "langchain.mcpClientTool") {
      const served = orReason(() => toolsOfServer(tool, inside));
      if ("value" in served) {
        tools.push(...served.value);
        reports.push(() =>
          reporter.element(element, "noted", null, ["Its server has to be connected, and its tools approved."]),
        );
        continue;
      }
    }
    const made = orReason(() => toStepTool(tool, makerOf(tool)(tool, inside), inside, stepTools));
    if ("value" in made) {
      stepTools.push(made.value.tool);
      reports.push(() => reporter.element(element, "mapped", null, made.value.notes));
      continue;
    }
    open.push(tool.name);
    const advice = `Choose a tool that does the same for “${node.name}”, or add one`;
    reporter.element(element, "placeholder", null, [`${advice}: ${made.reason}.`]);
    reporter.setting("tool", tool.name, `${advice}.`, tool.path);
  }
  if (open.length === 0) {
    for (const report of reports) report();
    return { tools, ...(stepTools.length === 0 ? {} : { stepTools }) };
  }
  for (const { name, fullType: type, path } of helpers)
    if (!open.includes(name))
      reporter.element({ name, type, path }, "placeholder", null, [
        `“${node.name}”, whose tool it is, is a placeholder for the sake of other tools.`,
      ]);
  throw new NoEquivalent(
    `its tools have to be chosen: ${open.join(", ")}. Replace it by a tool loop (agent.toolLoop) with them`,
  );
}

function toStepTool(
  tool: N8nNode,
  step: ToolStep,
  { references }: N8nContext,
  others: readonly JsonObject[],
): { tool: JsonObject; notes: readonly string[] } {
  const { name = tool.name, description, parameters, src, input, result, notes = [] } = step;
  const plain = name
    .replaceAll(/[^\w-]+/g, "_")
    .replace(/^(?=[\d-])/, "_")
    .slice(0, 64);
  if (others.some((other) => other.name === plain)) throw new NoEquivalent("another tool has its name");
  const said = insideText(translateValue(description, references)).trim();
  const own = toTemplate(said === "" ? escapeTemplate(tool.name) : said);
  const made = { name: plain, description: own, parameters, src, input, ...(result === undefined ? {} : { result }) };
  return { tool: made, notes };
}
