import {
  type ModelProvider,
  ModelProviderSchema,
  ProviderKindInfoSchema,
  ProviderModelsSchema,
  ProviderTestSchema,
  UpdateModelProviderSchema,
} from "@oven/contract/ai";
import { created, defineRoute, noContent, ok, type Route } from "@oven/module-registry";
import { z } from "zod";
import type { ProviderDirectory } from "../providers/provider-directory.ts";
import { CreateInstalledProviderSchema, providerKinds } from "../providers/provider-kinds.ts";
import { listProviderModels } from "../providers/provider-models.ts";
import { type TenantProviders, toModelProvider } from "../providers/tenant-providers.ts";

const READ = { permission: "ai-providers.read" };
const Params = z.strictObject({ id: z.string().min(1) });

interface Providers {
  directory: ProviderDirectory;
  own: TenantProviders;
}

/** Those that change something are no operations: where prompts and keys go is not for workflows and agents to change. */
export function createProviderRoutes(providers: () => Providers): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "ai-providers",
      operation: "providers.list",
      summary: "List model providers and whether they are configured",
      access: READ,
      response: z.array(ModelProviderSchema),
      effect: "pure",
      async handler({ principal }) {
        const listed = await providers().directory.list(principal.tenantId);
        return ok(listed, { "content-range": toRange("ai-providers", listed.length) });
      },
    }),
    defineRoute({
      method: "GET",
      path: "ai-provider-kinds",
      operation: false,
      summary: "List the kinds of model providers that can be set up",
      access: READ,
      response: z.array(ProviderKindInfoSchema),
      effect: "pure",
      async handler() {
        const kinds = providerKinds();
        return ok(kinds, { "content-range": toRange("ai-provider-kinds", kinds.length) });
      },
    }),
    defineRoute({
      method: "GET",
      path: "ai-models",
      operation: false,
      summary: "List the models of every provider that is set up, as the provider tells them",
      description: "`problem` where a provider could not be asked. Answers are remembered for some minutes.",
      access: READ,
      response: z.array(ProviderModelsSchema),
      effect: "pure",
      async handler({ principal }) {
        const listed = await listProviderModels(await providers().directory.all(principal.tenantId));
        return ok(listed, { "content-range": toRange("ai-models", listed.length) });
      },
    }),
    defineRoute({
      method: "POST",
      path: "ai-providers",
      operation: false,
      summary: "Set up a model provider",
      description:
        "Its address must be public, or one that the operator allows with OVEN_OUTBOUND_ALLOW. Its key is a secret of /api/secrets.",
      access: { permission: "ai-providers.create" },
      body: CreateInstalledProviderSchema,
      response: ModelProviderSchema,
      effect: "at-least-once",
      handler: async ({ body, principal }) =>
        created(toModelProvider(await providers().own.create(principal.tenantId, body))),
    }),
    defineRoute({
      method: "GET",
      path: "ai-providers/[id]",
      operation: "providers.get",
      summary: "Get a model provider",
      access: READ,
      params: Params,
      response: ModelProviderSchema,
      effect: "pure",
      handler: async ({ params, principal }) => ok(await find(providers(), principal.tenantId, params.id)),
    }),
    defineRoute({
      method: "PUT",
      path: "ai-providers/[id]",
      operation: false,
      summary: "Change a model provider of one's own",
      access: { permission: "ai-providers.update" },
      params: Params,
      body: UpdateModelProviderSchema,
      response: ModelProviderSchema,
      effect: "idempotent",
      handler: async ({ params, body, principal }) =>
        ok(toModelProvider(await providers().own.update(principal.tenantId, params.id, body))),
    }),
    defineRoute({
      method: "DELETE",
      path: "ai-providers/[id]",
      operation: false,
      summary: "Delete a model provider of one's own",
      access: { permission: "ai-providers.delete" },
      params: Params,
      effect: "at-least-once",
      async handler({ params, principal }) {
        await providers().own.delete(principal.tenantId, params.id);
        return noContent();
      },
    }),
    defineRoute({
      method: "POST",
      path: "ai-providers/[id]/test",
      operation: false,
      summary: "Really call a model provider, and say what is wrong",
      access: { permission: "ai-providers.update" },
      params: Params,
      response: ProviderTestSchema,
      effect: "at-least-once",
      async handler({ params, principal, services }) {
        await find(providers(), principal.tenantId, params.id);
        return ok(await services.ai.testProvider(principal.tenantId, params.id));
      },
    }),
  ];
}

function toRange(resource: string, count: number): string {
  return `${resource} ${count === 0 ? "*" : `0-${count - 1}`}/${count}`;
}

function find({ directory }: Providers, tenantId: number, id: string): Promise<ModelProvider> {
  return directory.get(tenantId, id);
}
