import { isOvenError, type JsonObject, OvenError, type Principal } from "@oven/contract";
import { type ChatTarget, ChatTargetKindSchema } from "@oven/contract/agent";
import type { AsksFace } from "@oven/module-chat";
import { z } from "zod";

/** A model, as `GET /v1/models` lists it. */
export const ModelSchema = z.strictObject({
  id: z.string(),
  object: z.literal("model"),
  created: z.int(),
  owned_by: z.string(),
  /** What people call it, and what it is for. */
  name: z.string(),
  description: z.string().nullable(),
});
export type Model = z.infer<typeof ModelSchema>;

/** Agents and workflows as models: `agent:<slug>`, `agent-workflow:<slug>`, `workflow:<slug>`. */
export class ModelService {
  readonly #asks: AsksFace;

  constructor(asks: AsksFace) {
    this.#asks = asks;
  }

  async list(principal: Principal): Promise<Model[]> {
    return (await this.#asks.targets(principal)).map(toModel);
  }

  /** @throws OvenError MODEL_NOT_FOUND 404, FORBIDDEN, AGENT_DISABLED 409, WORKFLOW_DISABLED 409, INVALID_INPUT */
  async get(principal: Principal, id: string): Promise<Model> {
    return toModel(await this.find(principal, id));
  }

  /**
   * @param input what else a workflow gets besides what is said
   * @throws OvenError as `get`
   */
  async find(principal: Principal, id: string, input: JsonObject = {}): Promise<ChatTarget> {
    const [, kind, slug = ""] = /^([a-z-]+):(.+)$/.exec(id) ?? [];
    const known = ChatTargetKindSchema.safeParse(kind);
    if (!known.success) throw modelNotFound(id);
    try {
      return await this.#asks.target(principal, known.data, slug, input);
    } catch (error) {
      throw isOvenError(error) && error.code === "NOT_FOUND" ? modelNotFound(id) : error;
    }
  }
}

function toModel({ kind, slug, name, description, createdAt }: ChatTarget): Model {
  const created = Math.floor(Date.parse(createdAt) / 1_000);
  return { id: toModelId({ kind, slug }), object: "model", created, owned_by: "oven", name, description };
}

export function toModelId({ kind, slug }: Pick<ChatTarget, "kind" | "slug">): string {
  return `${kind}:${slug}`;
}

function modelNotFound(id: string): OvenError {
  return new OvenError("MODEL_NOT_FOUND", `The model ${id} does not exist, or is not yours to use`, {
    status: 404,
    path: "$.model",
    fix: "GET /v1/models lists those that this key may use.",
  });
}
