import { CreateSecretSchema, SecretRotationSchema, SecretSchema, UpdateSecretSchema } from "@oven/contract/access";
import { z } from "zod";
import type { Permission } from "../define/define-module.ts";
import { defineRoute, ok, type Route } from "../define/define-route.ts";
import { rowRoutes } from "../list/row-routes.ts";

const UPDATE = { permission: "secrets.update" };

export const secretPermissions: Permission[] = [{ id: "secrets.update", title: "See and change secrets" }];

/** None of them is an operation: a value that is a node's or a tool's input would be kept in the record of the run. */
const [list, create, ...ofOne] = rowRoutes({
  path: "secrets",
  operation: false,
  permission: () => UPDATE.permission,
  summaries: {
    list: "List secrets: names, hosts and last use, never values",
    create: "Keep a secret, bound to the hosts that it may be sent to",
    get: "Get a secret's name, hosts and last use",
    update: "Change a secret's value or hosts",
    delete: "Delete a secret; calls that refer to it fail from then on",
  },
  params: z.object({ id: z.coerce.number().int().positive() }),
  row: SecretSchema,
  create: CreateSecretSchema,
  update: UpdateSecretSchema,
  rows: ({ secrets }) => secrets,
});

export const secretRoutes: Route[] = [
  list,
  create,
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
  ...ofOne,
];
