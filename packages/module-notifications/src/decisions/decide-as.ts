import { isOvenError } from "@oven/contract";
import { type Decision, type Review, ReviewSchema } from "@oven/contract/review";
import { invokeAudited, type RegistryView, type Route, type ServiceMap } from "@oven/module-registry";
// What it puts into `services`.
import type {} from "@oven/module-roles";

export interface ActDeps {
  services: ServiceMap;
  registry: RegistryView;
}

/** Who decides, about what, and in which words of the audit log it came. */
export interface Act {
  tenantId: number;
  userId: number;
  reviewId: number;
  decision: Omit<Decision, "digest" | "reviewId"> & { digest: string };
  request: Request;
  /** `from Slack`. */
  said: string;
}

/** What became of it; a refusal in plain words. */
export type Outcome = { taken: true; review: Review } | { taken: false; why: string };

/**
 * Decides a review as the page does: the same route, with the rights that the person has now. Who may not sign in, lacks the permission, asked for the
 * run, was shown something else or comes too late is refused there.
 * @throws what is not a refusal, such as a lost database
 */
export async function decideAs({ services, registry }: ActDeps, act: Act): Promise<Outcome> {
  const { tenantId, userId, reviewId, decision, request, said } = act;
  const principal = await services.access.findPrincipal(userId, tenantId);
  if (principal === undefined) return { taken: false, why: "Your account in OVEN may not sign in any more." };
  try {
    const given = { params: { id: reviewId }, body: decision };
    const answer = await invokeAudited(decideRoute(registry), given, { principal, services, request, said });
    return { taken: true, review: ReviewSchema.parse(answer) };
  } catch (error) {
    if (!isOvenError(error) || error.status >= 500) throw error;
    return { taken: false, why: toSentences(error.message, error.fix) };
  }
}

function decideRoute(registry: RegistryView): Route {
  const found = registry.routes().find(({ route }) => route.method === "POST" && route.path === "reviews/[id]/decide");
  if (found === undefined) throw new Error("no module decides reviews");
  return found.route;
}

function toSentences(...parts: (string | undefined)[]): string {
  return parts
    .filter((part) => part !== undefined)
    .map((part) => (/[.!?]$/.test(part) ? part : `${part}.`))
    .join(" ");
}
