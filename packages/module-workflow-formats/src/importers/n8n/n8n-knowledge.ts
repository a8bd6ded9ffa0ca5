import { type JsonObject, toSlug } from "@oven/contract";
import { isObject } from "@oven/engine";
import { joinTexts } from "../../importing/literals.ts";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { type MapNode, type N8nContext, toStep } from "./n8n-context.ts";
import { type N8nNode, textOf } from "./n8n-document.ts";
import { translateValue } from "./n8n-expression.ts";
import { modelOf, promptOf } from "./n8n-prompts.ts";
import { ASKED, ASKS_FOR_QUERY, type ToolStep } from "./n8n-tool-step.ts";

/** How many matches n8n takes where nothing else is said. */
const MATCHES = 4;

/** Whether a node is a store of vectors. */
const isStore = ({ type }: N8nNode): boolean => type.startsWith("langchain.vectorStore");

/** The slug of the store that takes the place of one of n8n, which has to be made; what serves that one is reported as a part of it. */
function storeFor(store: N8nNode, { document, reporter }: N8nContext): string {
  const slug = toSlug(store.name);
  const advice = `Make a vector store with the slug ${slug} and fill it; what the store of n8n holds is not imported.`;
  reporter.setting("knowledge", store.name, advice, store.path);
  for (const kind of ["ai_embedding", "ai_reranker"])
    for (const { name, fullType: type, path } of document.helpers(store.name, kind))
      if (!reporter.has(path))
        reporter.element({ name, type, path }, "noted", null, [`Part of “${store.name}”, which has its own here.`]);
  return slug;
}

/** A chain that answers a question from what it finds. @throws NoEquivalent */
export const mapRetrieval: MapNode = (node, context) => {
  const { document, reporter, references } = context;
  const options = isObject(node.parameters.options) ? node.parameters.options : {};
  const retriever = document.helpers(node.name, "ai_retriever")[0];
  if (retriever?.type !== "langchain.retrieverVectorStore")
    throw new NoEquivalent("what it looks things up by is no vector store");
  const store = document.helpers(retriever.name, "ai_vectorStore")[0];
  if (store === undefined || !isStore(store)) throw new NoEquivalent("no vector store is connected with it");
  const { topK = MATCHES } = retriever.parameters;
  if (typeof topK !== "number") throw new NoEquivalent("how many matches it takes is computed");
  const prompt = promptOf(node, context);
  const notes: string[] = [];
  modelOf(node, context, notes);
  const slug = storeFor(store, context);
  for (const { name, fullType: type, path } of [retriever, store])
    reporter.element({ name, type, path }, "noted", null, [
      `Part of “${node.name}”: the vector store ${slug} takes its place.`,
    ]);
  const system = textOf(options.systemPromptTemplate);
  // What is found comes to the model by itself here.
  const said = system?.replaceAll(/\{(?:context|question)\}/g, "").trim();
  const input = {
    ...{ store: slug, query: joinTexts([prompt]), topK: Math.min(100, Math.max(1, Math.trunc(topK))) },
    ...{ history: "none", answer: true },
    ...(said === undefined ? {} : { system: joinTexts([translateValue(said, references)]) }),
  };
  return {
    ...toStep(node, context, "agent.rag", input),
    notes: [...notes, `It searches the vector store ${slug}, which must be made and filled.`],
  };
};

/** Knowledge that a model looks things up in: the matches, or what a model makes of them. @throws NoEquivalent */
export function knowledgeTool(tool: N8nNode, context: N8nContext): ToolStep {
  const { document, reporter } = context;
  const { parameters } = tool;
  const isSearch = isStore(tool);
  const store = isSearch ? tool : document.helpers(tool.name, "ai_vectorStore")[0];
  if (store === undefined || !isStore(store)) throw new NoEquivalent("no vector store is connected with it");
  const { topK = MATCHES } = parameters;
  if (typeof topK !== "number") throw new NoEquivalent("how many matches it takes is computed");
  const slug = storeFor(store, context);
  if (!isSearch) {
    reporter.element({ name: store.name, type: store.fullType, path: store.path }, "noted", null, [
      `Part of “${tool.name}”: the vector store ${slug} takes its place.`,
    ]);
    for (const { name, fullType: type, path } of document.helpers(tool.name, "ai_languageModel"))
      if (!reporter.has(path))
        reporter.element({ name, type, path }, "noted", null, [
          `Part of “${tool.name}”. Its model and its key were not imported.`,
        ]);
  }
  const count = Math.min(100, Math.max(1, Math.trunc(topK)));
  const input: JsonObject = { store: slug, query: ASKED, topK: count, history: "none" };
  const name = textOf(parameters.toolName) ?? textOf(parameters.name);
  return {
    ...(name === undefined ? {} : { name }),
    description: parameters.toolDescription ?? parameters.description ?? "",
    parameters: ASKS_FOR_QUERY,
    src: "agent.rag",
    input: isSearch ? input : { ...input, answer: true },
    result: isSearch ? "$.output.matches" : "$.output.answer",
    notes: [`It searches the vector store ${slug}, which must be made and filled.`],
  };
}
