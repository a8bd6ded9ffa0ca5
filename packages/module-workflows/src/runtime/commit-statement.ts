import { type ExecutionKind, isTerminal, type NewEvent, type RunAgent } from "@oven/contract";
import type { NewChild, OutgoingSignal, ReviewChange, RunCommit } from "@oven/engine";
import { agentPin } from "../definitions/called-workflows.ts";
import { coalesceRows, type RowWrite } from "./coalesce-rows.ts";
import type { RunTableNames } from "./run-kinds.ts";

export interface Statement {
  sql: string;
  params: unknown[];
  /** The same for every commit of the same shape, so that the plan is prepared once. */
  name: string;
}

/** What a commit needs beside itself: the run's owner, and its domain events under their full names. */
export interface CommitExtras {
  tenantId: number;
  kind: string;
  workflowId: number;
  workflowName: string;
  /** The user who started it; null: nobody did. */
  requestedBy: number | null;
  outbox: NewEvent[];
  /** Whether a listener takes events of this name; what none takes is written as delivered. */
  isWanted(event: string): boolean;
  /** The tables of a child's kind. */
  namesOf(kind: ExecutionKind): RunTableNames;
}

/** A `text` column cannot hold NUL; a commit that fails for it would fail for ever. Exact data goes into `json` columns. */
function storable(text: string): string {
  return text.replaceAll("\u0000", "\ufffd");
}

/** Collects parts of one WITH statement and their parameters. */
class StatementBuilder {
  readonly params: unknown[] = [];
  readonly parts: string[] = [];

  /** A placeholder for `value`. */
  bind(value: unknown, type: string): string {
    this.params.push(type === "text" && typeof value === "string" ? storable(value) : value);
    return `$${this.params.length}::${type}`;
  }

  add(name: string, sql: string): void {
    this.parts.push(`${name} as (${sql})`);
  }
}

/**
 * One commit as one statement: the fenced update of the run row feeds every other part, so a lost fence writes nothing
 * and answers no row.
 */
export function commitStatement(commit: RunCommit, names: RunTableNames, extras: CommitExtras): Statement {
  const builder = new StatementBuilder();
  addRunUpdate(builder, commit, names.executions);
  const writes = coalesceRows(commit.rows);
  const starts = writes.filter(isStart);
  if (starts.length > 0) builder.add("n", insertNodes(builder, starts, names.nodes, extras));
  writes
    .filter((write) => write.start === undefined)
    .forEach((write, index) => {
      builder.add(`n${index}`, updateNode(builder, write, names.nodes));
    });
  addEvents(builder, commit, extras.tenantId);
  for (const [index, change] of commit.reviews.entries()) {
    builder.add(`r${index}`, reviewPart(builder, change, extras));
    if (change.type === "due") builder.add(`d${index}`, deadlinePart(builder, change, `r${index}`));
  }
  for (const [index, child] of commit.children.entries())
    builder.add(`c${index}`, childPart(builder, child, commit, names, extras));
  for (const [index, message] of commit.outgoing.entries())
    builder.add(`m${index}`, messagePart(builder, message, extras.tenantId));
  if (commit.signals.length > 0) {
    const ids = builder.bind(commit.signals, "bigint[]");
    builder.add("s", `update run_signals set consumed_at = now() from u where run_signals.id = any(${ids})`);
  }
  if (extras.outbox.length > 0) builder.add("o", outboxPart(builder, extras));
  const sql = `with ${builder.parts.join(", ")} select id from u`;
  return { sql, params: builder.params, name: `commit-${hash(sql)}` };
}

function addRunUpdate(builder: StatementBuilder, commit: RunCommit, table: string): void {
  const { columns, snapshot } = commit;
  const set: Record<string, string> = {
    seq: builder.bind(commit.seq + commit.events.length, "int"),
    status: builder.bind(columns.status, "text"),
    outcome: builder.bind(columns.outcome, "text"),
    current_state: builder.bind(columns.currentState, "text"),
    active_states: builder.bind(JSON.stringify(columns.activeStates), "json"),
    state_value: builder.bind(JSON.stringify(columns.stateValue), "json"),
    waiting_until: builder.bind(columns.waitingUntil, "timestamptz"),
    checkpoint: builder.bind(orNull(columns.checkpoint), "json"),
    output: builder.bind(JSON.stringify(columns.output), "json"),
    token_usage: builder.bind(JSON.stringify(columns.tokenUsage), "json"),
    cost_micros: builder.bind(columns.costMicros, "bigint"),
    steps: builder.bind(columns.steps, "int"),
    simulated: builder.bind(columns.simulated, "boolean"),
    started_at: builder.bind(columns.startedAt, "timestamptz"),
    completed_at: builder.bind(columns.completedAt, "timestamptz"),
    error: builder.bind(columns.errorInfo?.message ?? null, "text"),
    error_info: builder.bind(orNull(columns.errorInfo), "json"),
    state: builder.bind(JSON.stringify(commit.state), "json"),
    ...(commit.wakeAt === undefined ? {} : { wake_at: builder.bind(commit.wakeAt, "timestamptz") }),
  };
  // The end gives the lease up in the same write.
  if (isTerminal(columns.status)) Object.assign(set, { lease_owner: "null", lease_until: "null" });
  if (snapshot !== undefined) {
    set.context = builder.bind(JSON.stringify(snapshot.values), "json");
    set.context_writers = builder.bind(JSON.stringify(snapshot.writers), "json");
    set.context_seq = builder.bind(snapshot.seq, "int");
  }
  const assignments = Object.entries(set).map(([column, value]) => `${column} = ${value}`);
  const id = builder.bind(commit.executionId, "bigint");
  const fence = `epoch = ${builder.bind(commit.epoch, "int")} and seq = ${builder.bind(commit.seq, "int")} and status not in ('completed', 'failed', 'cancelled')`;
  builder.add("u", `update ${table} set ${assignments.join(", ")} where id = ${id} and ${fence} returning id`);
}

type StartWrite = RowWrite & { start: NonNullable<RowWrite["start"]> };

function isStart(write: RowWrite): write is StartWrite {
  return write.start !== undefined;
}

/** All new rows in one insert: their ids follow the order in which they were planned. */
function insertNodes(
  builder: StatementBuilder,
  writes: readonly StartWrite[],
  table: string,
  { tenantId }: CommitExtras,
): string {
  const rows = writes.map((write): Record<string, string> => {
    const { start, finish } = write;
    return {
      tenant_id: builder.bind(tenantId, "int"),
      node_id: builder.bind(write.nodeId, "text"),
      parent_node_id: builder.bind(start.parentNodeId, "text"),
      node_type: builder.bind(start.nodeType, "text"),
      node_version: builder.bind(start.nodeVersion, "int"),
      visit: builder.bind(write.visit, "int"),
      attempt: builder.bind(write.attempt, "int"),
      item: builder.bind(write.item, "text"),
      status: builder.bind(write.status, "text"),
      input: builder.bind(JSON.stringify(start.input), "json"),
      started_at: builder.bind(start.startedAt, "timestamptz"),
      wait: builder.bind(write.wait ?? null, "json"),
      error: builder.bind(write.error ?? null, "text"),
      error_info: builder.bind(write.errorInfo ?? null, "json"),
      ...finishColumns(builder, finish),
    };
  });
  const columns = Object.keys(rows[0] ?? {}).join(", ");
  const values = rows.map((row) => `(${Object.values(row).join(", ")})`).join(", ");
  return `insert into ${table} (execution_id, ${columns}) select u.id, v.* from u, (values ${values}) as v(${columns})`;
}

function updateNode(builder: StatementBuilder, write: RowWrite, table: string): string {
  const set: Record<string, string> = {
    ...(write.status === undefined ? {} : { status: builder.bind(write.status, "text") }),
    ...(write.attempt === undefined ? {} : { attempt: builder.bind(write.attempt, "int") }),
    ...changedColumns(builder, write),
    ...(write.finish === undefined ? {} : finishColumns(builder, write.finish)),
  };
  const assignments = Object.entries(set).map(([column, value]) => `${column} = ${value}`);
  const node = builder.bind(write.nodeId, "text");
  const visit = builder.bind(write.visit, "int");
  const item = builder.bind(write.item, "text");
  // An outcome stands: what comes later changes nothing.
  return `update ${table} as n set ${assignments.join(", ")} from u where n.execution_id = u.id and n.node_id = ${node}
    and n.visit = ${visit} and n.item is not distinct from ${item} and n.completed_at is null`;
}

function changedColumns(builder: StatementBuilder, { wait, error, errorInfo }: RowWrite): Record<string, string> {
  return {
    ...(wait === undefined ? {} : { wait: builder.bind(wait, "json") }),
    ...(error === undefined ? {} : { error: builder.bind(error, "text") }),
    ...(errorInfo === undefined ? {} : { error_info: builder.bind(errorInfo, "json") }),
  };
}

function finishColumns(builder: StatementBuilder, finish: RowWrite["finish"]): Record<string, string> {
  return {
    output: builder.bind(JSON.stringify(finish?.output ?? null), "json"),
    token_usage: builder.bind(orNull(finish?.tokenUsage), "json"),
    tool_calls: builder.bind(orNull(finish?.toolCalls), "json"),
    cost_micros: builder.bind(finish?.costMicros ?? 0, "bigint"),
    duration_ms: builder.bind(finish === undefined ? null : Math.round(finish.durationMs), "bigint"),
    completed_at: builder.bind(finish?.completedAt ?? null, "timestamptz"),
  };
}

function addEvents(builder: StatementBuilder, commit: RunCommit, tenantId: number): void {
  if (commit.events.length === 0) return;
  builder.add("e", eventsPart(builder, commit.seq, commit.events, tenantId));
}

/** Inserts the run's next log entries; needs a part `u` with the run's id. */
function eventsPart(builder: StatementBuilder, seq: number, events: RunCommit["events"], tenantId: number): string {
  const arrays = [
    builder.bind(
      events.map((_, index) => seq + index + 1),
      "int[]",
    ),
    builder.bind(
      events.map(({ event }) => event),
      "text[]",
    ),
    builder.bind(
      events.map(({ at }) => at),
      "timestamptz[]",
    ),
    builder.bind(
      events.map(({ fields }) => JSON.stringify(fields)),
      "text[]",
    ),
    builder.bind(
      events.map(({ patch }) => orNull(patch)),
      "text[]",
    ),
    builder.bind(
      events.map(({ cause }) => orNull(cause)),
      "text[]",
    ),
  ];
  return `insert into run_events (execution_id, seq, tenant_id, event, at, fields, patch, cause)
    select u.id, t.seq, ${builder.bind(tenantId, "int")}, t.event, t.at, t.fields::json, t.patch::json, t.cause::json
    from u, unnest(${arrays.join(", ")}) as t(seq, event, at, fields, patch, cause)`;
}

function reviewPart(builder: StatementBuilder, change: ReviewChange, extras: CommitExtras): string {
  if (change.type === "close") {
    return `update reviews set status = ${builder.bind(change.status, "text")} from u
      where reviews.id = ${builder.bind(change.id, "bigint")} and reviews.status = 'open'`;
  }
  if (change.type === "escalate") {
    const assignees = builder.bind(JSON.stringify(change.assignees), "json");
    return `update reviews set assignees = ${assignees}, due_at = ${builder.bind(change.dueAt, "timestamptz")} from u
      where reviews.id = ${builder.bind(change.id, "bigint")} and reviews.status = 'open'`;
  }
  if (change.type === "due") return duePart(builder, change);
  const { request } = change;
  const values: Record<string, string> = {
    id: builder.bind(change.id, "bigint"),
    tenant_id: builder.bind(extras.tenantId, "int"),
    execution_kind: builder.bind(extras.kind, "text"),
    workflow_id: builder.bind(extras.workflowId, "bigint"),
    workflow_name: builder.bind(extras.workflowName, "text"),
    node_id: builder.bind(change.nodeId, "text"),
    visit: builder.bind(change.visit, "int"),
    item: builder.bind(change.item, "text"),
    title: builder.bind(request.title, "text"),
    proposal: builder.bind(JSON.stringify(request.proposal), "json"),
    schema: builder.bind(orNull(request.schema), "json"),
    context: builder.bind(JSON.stringify(request.context), "json"),
    tool: builder.bind(request.tool, "text"),
    digest: builder.bind(change.digest, "text"),
    assignees: builder.bind(JSON.stringify(request.assignees), "json"),
    actions: builder.bind(JSON.stringify(request.actions), "json"),
    due_at: builder.bind(request.dueAt, "timestamptz"),
    policy: builder.bind(orNull(request.policy), "json"),
    requested_by: builder.bind(extras.requestedBy, "bigint"),
    created_at: builder.bind(change.createdAt, "timestamptz"),
  };
  return `insert into reviews (execution_id, ${Object.keys(values).join(", ")}) select u.id, ${Object.values(values).join(", ")} from u`;
}

type DueChange = Extract<ReviewChange, { type: "due" }>;

/** Decides an open review; an approval of what was edited without all its approvals is none. */
function duePart(builder: StatementBuilder, change: DueChange): string {
  const action = builder.bind(change.action, "text");
  const decides = `(${action} = 'reject' or ${action} = 'approve' and reviews.round = 0)`;
  return `update reviews set status = case when ${decides} then 'decided' else 'expired' end,
      action = case when ${decides} then ${action} end, data = case when ${decides} then reviews.proposal end,
      reason = case when ${decides} then ${builder.bind(change.reason, "text")} end,
      decided_at = ${builder.bind(change.at, "timestamptz")} from u
    where reviews.id = ${builder.bind(change.id, "bigint")} and reviews.status = 'open' returning reviews.*`;
}

/** Tells the run what its deadline has brought. */
function deadlinePart(builder: StatementBuilder, change: DueChange, decided: string): string {
  return `insert into run_signals (execution_id, tenant_id, type, data, dedupe_key)
    select execution_id, tenant_id, 'decision', json_build_object('reviewId', id, 'nodeId', node_id, 'visit', visit, 'item', item,
      'action', coalesce(action, 'expire'), 'data', data, 'reason', reason, 'reviewer', null,
      'decidedAt', ${builder.bind(change.at, "text")}, 'digest', digest, 'deadline', true), 'review:' || id
    from ${decided} on conflict (execution_id, dedupe_key) do nothing`;
}

/** A child belongs to its parent's family: tenant, principal, priority and pinned versions are taken from the parent's row. */
function childPart(
  builder: StatementBuilder,
  child: NewChild,
  commit: RunCommit,
  parent: RunTableNames,
  extras: CommitExtras,
): string {
  const { executions, workflowId } = extras.namesOf(child.request.kind);
  const { request } = child;
  const values: Record<string, string> = {
    id: builder.bind(child.id, "bigint"),
    [workflowId]: builder.bind(request.workflowId, "bigint"),
    workflow_version: builder.bind(request.workflowVersion, "int"),
    parent_node_id: builder.bind(child.nodeId, "text"),
    parent_visit: builder.bind(child.visit, "int"),
    parent_item: builder.bind(child.item, "text"),
    parent_seq: builder.bind(commit.seq + commit.events.length, "int"),
    part: builder.bind(request.part, "text"),
    depth: builder.bind(child.depth, "int"),
    options: builder.bind(orNull(child.options), "json"),
    input: builder.bind(JSON.stringify(request.input), "json"),
    ...(request.agent === undefined ? {} : agentColumns(builder, request.agent)),
  };
  const inherited = INHERITED.filter((column) => values[column] === undefined);
  const own = inherited.map((column) => `p.${column}`);
  return `insert into ${executions} (parent_id, root_id, ${[...inherited, ...Object.keys(values)].join(", ")})
    select u.id, coalesce(p.root_id, p.id), ${[...own, ...Object.values(values)].join(", ")}
    from u join ${parent.executions} p on p.id = u.id`;
}

const INHERITED = ["tenant_id", "agent_id", "session_id", "pinned_calls", "priority", "triggered_by", "principal"];

function agentColumns(builder: StatementBuilder, { id, version, sessionId }: RunAgent): Record<string, string> {
  const pin = builder.bind(JSON.stringify({ [agentPin(id)]: version }), "jsonb");
  return {
    agent_id: builder.bind(id, "bigint"),
    session_id: builder.bind(sessionId, "bigint"),
    pinned_calls: `(coalesce(p.pinned_calls::jsonb, '{}') || ${pin})::json`,
  };
}

/** A message to another run; one that has ended will never read it. */
function messagePart(
  builder: StatementBuilder,
  { executionId, signal, dedupeKey }: OutgoingSignal,
  tenantId: number,
): string {
  const values = [
    builder.bind(executionId, "bigint"),
    builder.bind(tenantId, "int"),
    builder.bind(signal.type, "text"),
    builder.bind(JSON.stringify(signal.data), "json"),
    builder.bind(dedupeKey, "text"),
  ];
  return `insert into run_signals (execution_id, tenant_id, type, data, dedupe_key) select ${values.join(", ")} from u
    on conflict (execution_id, dedupe_key) do nothing`;
}

/** One insert for all, in their order: parts of one WITH are written in an order that nobody promises. */
function outboxPart(builder: StatementBuilder, { outbox, isWanted }: CommitExtras): string {
  const rows = outbox.map((event, position) => {
    const values = [
      builder.bind(event.tenantId, "int"),
      builder.bind(event.name, "text"),
      builder.bind(JSON.stringify(event.actor), "json"),
      builder.bind(JSON.stringify(event.payload), "json"),
      builder.bind(event.orderKey ?? null, "text"),
      isWanted(event.name) ? "null::timestamptz" : "now()",
    ];
    return `(${position}, ${values.join(", ")})`;
  });
  const columns = "tenant_id, name, actor, payload, order_key, delivered_at";
  return `insert into outbox_events (${columns}) select ${columns}
    from u cross join (values ${rows.join(", ")}) as given (position, ${columns}) order by position`;
}

/** Log entries between commits: streamed text, tool calls. Fenced like a commit. */
export function appendStatement(
  run: { executionId: number; epoch: number; seq: number; tenantId: number },
  events: RunCommit["events"],
  table: string,
): Statement {
  const builder = new StatementBuilder();
  const next = builder.bind(run.seq + events.length, "int");
  const id = builder.bind(run.executionId, "bigint");
  const fence = `epoch = ${builder.bind(run.epoch, "int")} and seq = ${builder.bind(run.seq, "int")}`;
  builder.add("u", `update ${table} set seq = ${next} where id = ${id} and ${fence} returning id`);
  builder.add("e", eventsPart(builder, run.seq, events, run.tenantId));
  return { sql: `with ${builder.parts.join(", ")} select id from u`, params: builder.params, name: `append-${table}` };
}

function orNull(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}

/** FNV-1a: short and the same everywhere; only names prepared statements. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return (value >>> 0).toString(36) + text.length.toString(36);
}
