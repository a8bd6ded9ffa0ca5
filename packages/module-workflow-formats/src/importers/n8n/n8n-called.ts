import { type Json, toSlug } from "@oven/contract";
import { isObject } from "@oven/engine";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { toCode } from "./n8n-computed.ts";
import type { Mapped, N8nContext } from "./n8n-context.ts";
import { isTrigger, type N8nNode, textOf } from "./n8n-document.ts";
import { STARTED_BY } from "./n8n-triggers.ts";

interface Called {
  slug: string;
  isItself: boolean;
  /** Reports what has to be there, and says it. */
  tell(): string;
}

/** The workflow that a node calls. @throws NoEquivalent where that is computed */
export function calledWorkflow(
  { path }: Pick<N8nNode, "path">,
  workflowId: Json | undefined,
  { document, reporter }: Pick<N8nContext, "document" | "reporter">,
): Called {
  const chosen = isObject(workflowId)
    ? (textOf(workflowId.cachedResultName) ?? textOf(workflowId.value))
    : textOf(workflowId);
  const isItself = chosen !== undefined && /^=\s*\{\{\s*\$workflow\.id\s*\}\}\s*$/.test(chosen);
  const name = isItself ? document.name : chosen;
  if (name === undefined || name.startsWith("="))
    throw new NoEquivalent("which workflow it calls is computed or not there");
  const slug = toSlug(name);
  const tell = (): string => {
    if (isItself) return `It calls its own workflow, by the slug ${slug}: it has to have that one.`;
    reporter.setting("workflow", name, `Import it, too; it is called by its slug ${slug}.`, path);
    return `It calls the workflow ${slug}, which must be there.`;
  };
  return { slug, isItself, tell };
}

/** The input of a run that begins as one does that another workflow calls, where there are several triggers. @throws NoEquivalent */
export function asCalled(
  input: Json,
  { document, idBefore }: Pick<N8nContext, "document" | "idBefore">,
): { input: Json } & Pick<Mapped, "before"> {
  const triggers = [...document.nodes.values()].filter((node) => isTrigger(node) && !node.disabled);
  const trigger = triggers.find(({ type }) => type === "executeWorkflowTrigger");
  if (trigger === undefined) throw new NoEquivalent("it calls its own workflow, which has no trigger for that");
  if (triggers.length === 1) return { input };
  const begun = { [STARTED_BY]: trigger.name };
  if (isObject(input) && !Object.keys(input).some((key) => key.startsWith("$")))
    return { input: { ...input, ...begun } };
  const before = toCode([`return { ...given, ...${JSON.stringify(begun)} };`], { given: input });
  return { input: `$.${idBefore()}_output.result`, before };
}
