import { type Json, OvenError, type Principal } from "@oven/contract";
import type {
  ApplyPromotion,
  PlanPromotion,
  PromotedEverything,
  PromotedReference,
  PromotionFile,
  PromotionPlan,
  PromotionReport,
} from "@oven/contract/workflow";
import { hashJson } from "@oven/engine";
import { collectEverything } from "../file/collect-everything.ts";
import { collectFile, type Wanted } from "../file/collect-file.ts";
import type { PromotionDeps } from "../promotion-deps.ts";
import { findChoices, findReferences, renameBy } from "../references/find-references.ts";
import { applyItems } from "./apply-items.ts";
import { type DrawnItems, drawItems } from "./draw-items.ts";

/** Workflows on their way from one installation to another. */
export class PromotionService {
  readonly #deps: PromotionDeps;

  constructor(deps: PromotionDeps) {
    this.#deps = deps;
  }

  /** @throws OvenError NOT_FOUND, FORBIDDEN, PROMOTION_VERSION_NAMED 422 */
  export(principal: Principal, wanted: Wanted): Promise<PromotionFile> {
    return collectFile(this.#deps, principal, wanted);
  }

  /** As far as the principal may read it. */
  exportAll(principal: Principal): Promise<PromotedEverything> {
    return collectEverything(this.#deps, principal);
  }

  /** What importing would do; nothing is written. @throws OvenError PROMOTION_MAPPING_UNKNOWN 422, WORKFLOW_OWNED 409 */
  async plan(principal: Principal, given: PlanPromotion): Promise<PromotionPlan> {
    const references = await findReferences(this.#deps, principal, given.file, given.mapping);
    const items = await drawItems(this.#deps, principal, given);
    return {
      digest: digestOf(given, items, references),
      items: itemsOf(items),
      references,
      choices: await findChoices(this.#deps, principal, references),
      missing: references.filter(({ state }) => state === "missing").length,
    };
  }

  /**
   * Does what the plan of that digest showed, all of it or nothing.
   * @throws OvenError PROMOTION_CHANGED 409, PROMOTION_UNMAPPED 422, FORBIDDEN, and what writing each item throws
   */
  async apply(principal: Principal, given: ApplyPromotion): Promise<PromotionReport> {
    const { db, services } = this.#deps;
    // Asks providers of models, so not within the transaction.
    const references = await findReferences(this.#deps, principal, given.file, given.mapping);
    const missing = references.filter(({ state }) => state === "missing");
    const report = await db.jointly(async () => {
      // Of two imports at once, the second finds what the first has made.
      await db.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [`promotion:${principal.tenantId}`]);
      const items = await drawItems(this.#deps, principal, given);
      if (digestOf(given, items, references) !== given.digest) throw changed();
      if (missing.length > 0 && !given.allowMissing) throw unmapped(missing);
      await applyItems(this.#deps, principal, items, given.file, given.mapping);
      const { kind, slug } = given.file.root;
      const root = { kind, slug: renameBy(given.mapping)(kind, slug) };
      const { id } = await services.workflowPlatform.face(kind).workflows.get(principal, root.slug);
      return { items: itemsOf(items), references, missing: missing.length, root: { ...root, id } };
    });
    // What was told within the transaction can be delivered only now.
    services.events.wake();
    services.triggers.wake();
    return report;
  }
}

function itemsOf({ workflows, agents, triggers }: DrawnItems): PromotionPlan["items"] {
  return [...workflows, ...agents, ...triggers].map(({ item }) => item);
}

function digestOf(
  { file, mapping, publish }: PlanPromotion,
  { workflows, agents, triggers }: DrawnItems,
  references: readonly PromotedReference[],
): string {
  const drawn = [...workflows, ...agents, ...triggers].map(({ item, base }) => [item, base]);
  const shown: Json = JSON.parse(JSON.stringify([file, mapping, publish, drawn, references]));
  return hashJson(shown);
}

function changed(): OvenError {
  return new OvenError("PROMOTION_CHANGED", "This is not what the plan showed: something here has changed since", {
    status: 409,
    path: "$.digest",
    fix: "Ask for a new plan, look at it and apply that one.",
  });
}

function unmapped(missing: readonly PromotedReference[]): OvenError {
  const names = missing.map(({ kind, to }) => `${kind} ${to}`).join(", ");
  return new OvenError("PROMOTION_UNMAPPED", `The file names what is not here: ${names}`, {
    status: 422,
    path: "$.mapping",
    fix: "Map each of them to something that is here, or make it; `allowMissing` imports all the same.",
    details: { missing: missing.map(({ kind, name }) => ({ kind, name })) },
  });
}
