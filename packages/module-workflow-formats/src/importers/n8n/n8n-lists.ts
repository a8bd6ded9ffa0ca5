import { partKey } from "../../importing/graph/part-key.ts";
import { orReason } from "../../importing/no-equivalent.ts";
import { givesOneItem, isCode } from "./n8n-code-items.ts";
import { isTrigger, type N8nDocument, type N8nNode } from "./n8n-document.ts";
import { mergeStep } from "./n8n-merge-steps.ts";
import { computesMerge } from "./n8n-merging.ts";
import { givesGroups } from "./n8n-summarize.ts";

/** What n8n runs once for each item of a list: here the body of a loop. */
export interface ListRegion {
  /** The node that hands on the list. */
  producer: string;
  /** Of the loop. */
  key: string;
  body: ReadonlySet<string>;
  /** The node that takes all of what the rounds hand on as one list. */
  collector: string | undefined;
}

/** Nodes that take all items at once. */
const TAKES_LISTS = new Set(
  "aggregate limit sort removeDuplicates itemLists splitOut splitInBatches summarize".split(" "),
);
/** Nodes that hand on a list. */
const GIVES_LISTS = new Set("limit sort removeDuplicates splitOut".split(" "));

function takesList(node: N8nNode): boolean {
  return (
    TAKES_LISTS.has(node.type) ||
    (isCode(node) && node.parameters.mode !== "runOnceForEachItem" && node.type !== "functionItem")
  );
}

/** Whether a Merge takes lists, so that it is a step here. One whose settings are not done here does not. */
export function mergesLists(node: N8nNode, document: N8nDocument): boolean {
  if (node.type !== "merge" || node.disabled) return false;
  if (computesMerge(node)) return true;
  return comesAsList(node, document) && "value" in orReason(() => mergeStep(node));
}

/** Whether several items may come to a node: from a step that hands on a list, by steps that run once for each. */
function comesAsList({ name }: N8nNode, document: N8nDocument): boolean {
  const before = new Set(document.inputs(name).map(({ from }) => from));
  for (const key of before) {
    const node = document.nodes.get(key);
    if (node === undefined || isTrigger(node)) continue;
    if (givesList(node, document, false) || (node.type === "merge" && computesMerge(node))) return true;
    if (takesList(node) && !node.disabled) continue;
    for (const { from } of document.inputs(key)) before.add(from);
  }
  return false;
}

/**
 * Whether it hands on a list, whatever comes in; a step of ours has it as the list `result`.
 * @param withMerge whether a Merge that takes lists is asked about, too
 */
export function givesList(node: N8nNode, document: N8nDocument, withMerge = true): boolean {
  if (node.disabled) return false;
  if (node.type === "merge") return withMerge && mergesLists(node, document);
  if (node.type === "itemLists") return !["concatenateItems", "summarize"].includes(String(node.parameters.operation));
  if (node.type === "summarize") return givesGroups(node);
  return GIVES_LISTS.has(node.type) || (isCode(node) && !givesOneItem(node));
}

/** The lists of a document that can be followed, by what hands them on; a text says why one cannot. */
export function findLists(document: N8nDocument): ReadonlyMap<string, ListRegion | string> {
  const found = new Map<string, ListRegion | string>();
  for (const node of document.nodes.values())
    if (givesList(node, document) && document.outputs(node.name).length > 0)
      found.set(node.name, regionOf(node, document));
  const taken = new Set<string>();
  for (const [producer, region] of found) {
    if (typeof region === "string") continue;
    const isTaken = [...region.body].some((name) => taken.has(name) || found.has(name));
    if (isTaken) found.set(producer, "it hands on a list for each entry of another one");
    else for (const name of region.body) taken.add(name);
  }
  return found;
}

function regionOf({ name, spec }: N8nNode, document: N8nDocument): ListRegion | string {
  if (spec.alwaysOutputData === true) return "it hands on an empty item where its list is empty";
  if (spec.onError === "continueRegularOutput" || spec.continueOnFail === true)
    return "it goes on after an error as well";
  const body = new Set<string>();
  const collectors = new Set<string>();
  const queue = [...document.outputs(name)];
  for (const key of queue) {
    const node = document.nodes.get(key);
    if (node === undefined || isTrigger(node) || body.has(key)) continue;
    if (key === name) return "what follows leads back to it";
    if (takesList(node) && !node.disabled) {
      collectors.add(key);
      continue;
    }
    if (mergesLists(node, document)) {
      collectors.add(key);
      continue;
    }
    if (node.type === "merge" && !node.disabled) return "what it hands on is merged with something else";
    if (node.type === "respondToWebhook") return "one of several items is answered with";
    body.add(key);
    for (let output = 0; output < document.outputCount(key); output += 1) queue.push(...document.outputs(key, output));
  }
  const [collector, ...others] = collectors;
  if (others.length > 0) return "its items are collected in several places";
  const comesFrom = ({ from, output }: { from: string; output: number }) =>
    from === name ? output === 0 : body.has(from);
  const isMerge = document.nodes.get(collector ?? "")?.type === "merge";
  const sides = new Set(document.inputs(collector ?? "").flatMap((one) => (comesFrom(one) ? [one.input] : [])));
  if (isMerge && sides.size > 1) return "its items come to several sides of a Merge";
  const isInside = (key: string) => {
    // What comes back to a loop from its own rounds is nothing that comes in.
    const rounds = roundsOf(key, document);
    return document
      .inputs(key)
      .filter(({ input }) => key !== collector || !isMerge || sides.has(input))
      .every((one) => comesFrom(one) || rounds.has(one.from));
  };
  const entered = [...body, ...collectors].filter((key) => !isInside(key));
  if (entered.length > 0) return `“${entered[0]}” comes after something else as well`;
  if (collector !== undefined && body.size > 0 && document.outputs(name).includes(collector))
    return "its items are collected before and after what runs for each";
  return { producer: name, key: partKey("each", name), body, collector };
}

/** What lies in the rounds of a loop; nothing for other nodes. */
function roundsOf(name: string, document: N8nDocument): ReadonlySet<string> {
  const node = document.nodes.get(name);
  return node?.type === "splitInBatches" ? document.reachFrom(name, node.version >= 3 ? 1 : 0) : new Set();
}
