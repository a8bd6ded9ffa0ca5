import { CreateSecretSchema, SecretRotationSchema, SecretSchema, UpdateSecretSchema } from "@oven/contract/access";
import { z } from "zod";
import type { Permission } from "../define/define-module.ts";
import { created, defineRoute, noContent, ok, type Route } from "../define/define-route.ts";
import { ListQuerySchema, listReply, toListParams } from "../list/list-query.ts";

const UPDATE = { permission: "secrets.update" };
const Params = z.object({ id: z.coerce.number().int().positive() });

export const secretPermissions: Permission[] = [{ id: "secrets.update", title: "See and change secrets" }];

/** None of them is an operation: a value that is a node's or a tool's input would be kept in the record of the run. */
export const secretRoutes: Route[] = [
  defineRoute({
    method: "GET",
    path: "secrets",
    operation: false,
    summary: "List secrets: names, hosts and last use, never values",
    access: UPDATE,
    effect: "pure",
    query: ListQuerySchema,
    response: z.array(SecretSchema),
    handler: async ({ principal, query, services }) => {
      const params = toListParams(query);
      const { rows, total } = await services.secrets.list(principal, params);
      return listReply("secrets", params, rows, total);
    },
  }),
  defineRoute({
    method: "POST",
    path: "secrets",
    operation: false,
    summary: "Keep a secret, bound to the hosts that it may be sent to",
    access: UPDATE,
    effect: "at-least-once",
    body: CreateSecretSchema,
    response: SecretSchema,
    handler: async ({ principal, body, services }) => created(await services.secrets.create(principal, body)),
  }),
  // Before [id]: the first route that fits is taken.
  defineRoute({
    method: "POST",
    path: "secrets/rotate",
    operation: false,
    summary: "Seal with the present key whatever an earlier OVEN_SECRET sealed",
    access: UPDATE,
    effect: "idempotent",
    response: SecretRotationSchema,
    handler: async ({ principal, services }) => ok(await services.secrets.rotate(principal.tenantId)),
  }),
  defineRoute({
    method: "GET",
    path: "secrets/[id]",
    operation: false,
    summary: "Get a secret's name, hosts and last use",
    access: UPDATE,
    effect: "pure",
    params: Params,
    response: SecretSchema,
    handler: async ({ principal, params, services }) => ok(await services.secrets.get(principal, params.id)),
  }),
  defineRoute({
    method: "PUT",
    path: "secrets/[id]",
    operation: false,
    summary: "Change a secret's value or hosts",
    access: UPDATE,
    effect: "idempotent",
    params: Params,
    body: UpdateSecretSchema,
    response: SecretSchema,
    handler: async ({ principal, params, body, services }) =>
      ok(await services.secrets.update(principal, params.id, body)),
  }),
  defineRoute({
    method: "DELETE",
    path: "secrets/[id]",
    operation: false,
    summary: "Delete a secret; calls that refer to it fail from then on",
    access: UPDATE,
    effect: "at-least-once",
    params: Params,
    handler: async ({ principal, params, services }) => {
      await services.secrets.delete(principal, params.id);
      return noContent();
    },
  }),
];
