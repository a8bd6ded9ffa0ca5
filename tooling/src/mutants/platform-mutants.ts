import type { Mutant } from "./mutant.ts";

const STORE = "packages/module-workflows/src/runtime/sql-store.test.ts";
const FENCES = "packages/module-workflows/src/runtime/fences.proof.test.ts";
const HOST = "packages/module-workflows/src/runtime/worker-host.test.ts";
const RACES = "apps/dashboard/server/races.test.ts";
const ROUTES = "apps/dashboard/server/routes.test.ts";
const STORY = "apps/dashboard/server/story.test.ts";
const SPEC = "apps/dashboard/server/spec-004.test.ts";

/** Mistakes in stores, queues, routes and what guards them. */
export const PLATFORM_MUTANTS: readonly Mutant[] = [
  {
    name: "the fence does not look at the epoch",
    file: "packages/module-workflows/src/runtime/commit-statement.ts",
    search: `const fence = \`epoch = \${builder.bind(commit.epoch, "int")} and seq = `,
    replace: `const fence = \`epoch >= \${builder.bind(commit.epoch, "int")} and seq = `,
    tests: [STORE],
  },
  {
    name: "the fence does not look at the sequence",
    file: "packages/module-workflows/src/runtime/commit-statement.ts",
    search: `and seq = \${builder.bind(commit.seq, "int")} and status not in`,
    replace: `and seq >= \${builder.bind(commit.seq, "int")} and status not in`,
    tests: [STORE, FENCES],
  },
  {
    name: "a run that has ended is written to",
    file: "packages/module-workflows/src/runtime/commit-statement.ts",
    search: "and status not in ('completed', 'failed', 'cancelled')`;\n  builder.add(\"u\"",
    replace: "and status not in ('x')`;\n  builder.add(\"u\"",
    tests: [STORE],
  },
  {
    name: "log entries are appended without the fence",
    file: "packages/module-workflows/src/runtime/commit-statement.ts",
    search: `const fence = \`epoch = \${builder.bind(run.epoch, "int")} and seq = `,
    replace: `const fence = \`epoch >= \${builder.bind(run.epoch, "int")} and seq = `,
    tests: [STORE, FENCES],
  },
  {
    name: "a second outcome replaces the first",
    file: "packages/module-workflows/src/runtime/node-parts.ts",
    search: "and n.completed_at is null`",
    replace: "`",
    tests: [STORE, FENCES],
  },
  {
    name: "what an earlier holder tried to write passes for written",
    file: "packages/module-workflows/src/runtime/commit-statement.ts",
    search: "const isNext = before?.epoch === commit.epoch && before.seq === commit.seq;",
    replace: "const isNext = before?.seq === commit.seq;",
    tests: [STORE],
  },
  {
    name: "what changed in the run's row is left out",
    file: "packages/module-workflows/src/runtime/commit-statement.ts",
    search: "const isSame = isNext && after.values.every((value, index) => value === before.values[index]);",
    replace: "const isSame = isNext;",
    tests: [STORE],
  },
  {
    name: "a plan is used on both sides of the wall between tenants",
    file: "packages/db/src/preparing-client.ts",
    search: `name === undefined ? undefined : \`\${name}t\``,
    replace: "name",
    tests: ["packages/db/src/preparing-client.test.ts"],
  },
  {
    name: "a single statement is sent without its tenant",
    file: "packages/db/src/walled-query.ts",
    search: "values: [role, String(tenantId)]",
    replace: 'values: [role, "0"]',
    tests: ["packages/db/src/preparing-client.test.ts", "packages/db/src/tenant-wall.test.ts"],
  },
  {
    name: "node rows are not unique",
    file: "packages/module-workflows/migrations/0000_init.sql",
    search: 'CONSTRAINT "node_executions_run" UNIQUE NULLS NOT DISTINCT("execution_id","node_id","visit","item")',
    replace: 'CONSTRAINT "node_executions_run" UNIQUE("id")',
    tests: [STORE, FENCES],
  },
  {
    name: "a lease that is held is taken",
    file: "packages/module-workflows/src/runtime/claim-statements.ts",
    search: "and (e.lease_until is null or e.lease_until < now()) and",
    replace: "and",
    tests: [STORE],
  },
  {
    name: "a lease is given up while a signal waits",
    file: "packages/module-workflows/src/runtime/sql-store.ts",
    search: `\n           and not \${SIGNALLED} returning id)`,
    replace: " returning id)",
    tests: [STORE],
  },
  {
    name: "a review is decided more than once",
    file: "packages/module-workflows/src/runtime/sql-store.ts",
    search: "where id = $1 and status = 'open' for update",
    replace: "where id = $1 for update",
    tests: [STORE],
  },
  {
    name: "a person decides what is decided already",
    file: "packages/module-workflows/src/reviews/cast-vote.ts",
    search: "  requireOpen(review);\n",
    replace: "",
    tests: [RACES],
  },
  {
    name: "a decision waits for whoever writes its run",
    file: "packages/module-workflows/src/runtime/claim-statements.ts",
    search: 'ifFree ? "for update skip locked" : "for update"',
    replace: 'ifFree ? "for update" : "for update"',
    tests: [HOST],
  },
  {
    name: "the end of a lease is waited for by sweeping",
    file: "packages/module-workflows/src/runtime/worker-host.ts",
    search: "if (left !== null) this.#arm(",
    replace: "if (left === -1) this.#arm(",
    tests: [HOST],
  },
  {
    name: "signals are not deduplicated",
    file: "packages/module-workflows/src/runtime/sql-store.ts",
    search: `select id, tenant_id, $2, $3::json, $4 from \${executions}`,
    replace: `select id, tenant_id, $2, $3::json, $4 || gen_random_uuid()::text from \${executions}`,
    tests: [STORE],
  },
  {
    name: "consumed signals stay",
    file: "packages/module-workflows/src/runtime/commit-statement.ts",
    search: `update run_signals set consumed_at = now() from u where run_signals.id = any(\${ids})`,
    replace: `update run_signals set consumed_at = null from u where run_signals.id = any(\${ids})`,
    tests: [STORE],
  },
  {
    name: "nobody looks for runs whose wake-up was lost",
    file: "packages/module-workflows/src/runtime/worker-host.ts",
    search: "for (const executionId of new Set(found)) await this.#take(executionId, 0);",
    replace: "for (const executionId of new Set(found.slice(1_000))) await this.#take(executionId, 0);",
    tests: [HOST],
  },
  {
    name: "runs of other tenants are shown",
    file: "packages/module-registry/src/list/find-visible.ts",
    search: '.where(and(eq(column, sql.placeholder("key")), visible))',
    replace: '.where(and(eq(column, sql.placeholder("key"))))',
    tests: [ROUTES, SPEC, "apps/dashboard/server/tenants.proof.test.ts"],
  },
  {
    name: "reviews of other tenants are decided",
    file: "packages/module-workflows/src/reviews/review-service.ts",
    search: "const mine = and(visibleTo(principal, reviews.tenantId), eq(reviews.id, id));",
    replace: "const mine = eq(reviews.id, id);",
    tests: [ROUTES, SPEC, "apps/dashboard/server/tenants.proof.test.ts"],
  },
  {
    name: "lists show every tenant's rows",
    file: "packages/module-registry/src/list/list-rows.ts",
    search: "and(visibleTo(principal, listing.tenant), listing.where,",
    replace: "and(listing.where,",
    tests: ["packages/module-registry/src/list/list.test.ts", ROUTES, "apps/dashboard/server/tenants.proof.test.ts"],
  },
  {
    name: "the digest of what was shown is not compared",
    file: "packages/module-workflows/src/reviews/check-decision.ts",
    search: "decision.digest === undefined || decision.digest === digest",
    replace: "decision.digest === undefined || decision.digest !== null",
    tests: [STORY, SPEC],
  },
  {
    name: "an Idempotency-Key is forgotten",
    file: "packages/module-workflows/src/executions/start-run.ts",
    search: "if (row === undefined) return undefined;\n  if (row.body_hash",
    replace:
      "if (row !== undefined) return undefined;\n  if (row === undefined) return undefined;\n  if (row.body_hash",
    tests: [RACES, STORY, SPEC],
  },
  {
    name: "permissions are not asked",
    file: "packages/module-registry/src/router/authentication.ts",
    search: 'if (typeof access === "object") requirePermission(principal, access.permission);',
    replace: "",
    tests: ["packages/module-registry/src/router/router.test.ts"],
  },
  {
    name: "a cookie is taken from any page",
    file: "packages/module-registry/src/router/authentication.ts",
    search: 'if (authentication.via === "cookie") checkOrigin(request, publicUrl);',
    replace: "",
    tests: ["packages/module-registry/src/router/router.test.ts"],
  },
  {
    name: "workflows may call the machine's own network",
    file: "packages/module-registry/src/outbound/public-address.ts",
    search: 'if (isIPv4(address)) return !blockedV4.check(address, "ipv4");',
    replace: "if (isIPv4(address)) return true;",
    tests: ["packages/module-registry/src/outbound/public-address.test.ts"],
  },
  {
    name: "a living holder of the data directory is evicted",
    file: "packages/db/src/data-dir-lock.ts",
    search: "if (!isDead) throw locked(dataDir, holder, isNear);",
    replace: "",
    tests: ["packages/db/src/data-dir-lock.test.ts"],
  },
];
