import type { NewEvent } from "@oven/contract";
import type { RunAgent } from "@oven/contract/node";
import { type ExecutionKind, isTerminal } from "@oven/contract/run";
import type { NewChild, OutgoingSignal, ReviewChange, RunCommit } from "@oven/engine";
import { agentPin } from "../definitions/called-workflows.ts";
import { addRunInsert, type RunInsert } from "./insert-execution.ts";
import { addNodes } from "./node-parts.ts";
import type { RunTableNames } from "./run-kinds.ts";
import { orNull, type Statement, StatementBuilder } from "./statement-builder.ts";

/** What a commit needs in addition: the run's owner, and its domain events under their full names. */
export interface CommitExtras {
  tenantId: number;
  kind: string;
  workflowId: number;
  workflowName: string;
  /** The user who started it; null when no user did. */
  requestedBy: number | null;
  /** All users who asked for it. */
  requesters: readonly number[];
  outbox: OutgoingEvent[];
  /** The tables of a child's kind. */
  namesOf(kind: ExecutionKind): RunTableNames;
  /** The run's row after the commit before this one; undefined when not known. */
  before: WrittenColumns | undefined;
  /** The run's row after this commit. */
  after: WrittenColumns;
  /** The run's insert, where this commit carries it. */
  runInsert?: RunInsert | undefined;
}

export interface OutgoingEvent extends NewEvent {
  /** Whether a listener matches, asked once for each event; events without one are written as delivered. */
  hasMatchingListener: boolean;
}

/** Columns of a run's row that most commits do not change, with the epoch and sequence number of their last write. */
export interface WrittenColumns {
  epoch: number;
  seq: number;
  values: readonly unknown[];
  /** The run's output, as JSON. */
  output: string;
}

const SELDOM_CHANGED = [
  ["status", "text"],
  ["outcome", "text"],
  ["waiting_until", "timestamptz"],
  ["checkpoint", "json"],
  ["output", "json"],
  ["token_usage", "json"],
  ["cost_micros", "bigint"],
  ["simulated", "boolean"],
  ["started_at", "timestamptz"],
  ["completed_at", "timestamptz"],
  ["error", "text"],
  ["error_info", "json"],
] as const;

/**
 * One commit as one statement: the fenced update of the run row feeds every other part, so a lost fence writes nothing
 * and answers no row.
 */
export function commitStatement(commit: RunCommit, names: RunTableNames, extras: CommitExtras): Statement {
  const builder = new StatementBuilder();
  const set = steppedColumns(builder, commit, extras);
  if (extras.runInsert === undefined) addRunUpdate(builder, commit, names.executions, set);
  else addRunInsert(builder, extras.runInsert, set);
  addNodes(builder, commit, names.nodes, extras.tenantId);
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
  return builder.build("commit");
}

/** What the run's row holds once this commit is written. */
export function writtenColumns({ columns, epoch, seq, events }: RunCommit): WrittenColumns {
  const output = JSON.stringify(columns.output);
  const values = [
    columns.status,
    columns.outcome,
    columns.waitingUntil,
    orNull(columns.checkpoint),
    output,
    JSON.stringify(columns.tokenUsage),
    columns.costMicros,
    columns.simulated,
    columns.startedAt,
    columns.completedAt,
    columns.errorInfo?.message ?? null,
    orNull(columns.errorInfo),
  ] satisfies { [index in keyof typeof SELDOM_CHANGED]: unknown };
  return { epoch, seq: seq + events.length, values, output };
}

/** The columns of the run's row that this commit changes. */
function steppedColumns(
  builder: StatementBuilder,
  commit: RunCommit,
  { before, after, runInsert }: CommitExtras,
): Record<string, string> {
  // Epoch and sequence number prove that nothing came between. Either all columns are written or none, so few statements have to be prepared.
  const isNext = before?.epoch === commit.epoch && before.seq === commit.seq;
  const isSame =
    runInsert === undefined && isNext && after.values.every((value, index) => value === before.values[index]);
  const { columns, snapshot } = commit;
  const set: Record<string, string> = {
    seq: builder.bind(commit.seq + commit.events.length, "int"),
    current_state: builder.bind(columns.currentState, "text"),
    active_states: builder.bind(JSON.stringify(columns.activeStates), "json"),
    state_value: builder.bind(JSON.stringify(columns.stateValue), "json"),
    steps: builder.bind(columns.steps, "int"),
    state: builder.bind(JSON.stringify(commit.state), "json"),
    ...(commit.wakeAt === undefined ? {} : { wake_at: builder.bind(commit.wakeAt, "timestamptz") }),
  };
  if (!isSame) {
    for (const [index, [column, type]] of SELDOM_CHANGED.entries())
      set[column] = builder.bind(after.values[index], type);
  }
  // The end gives the lease up in the same write.
  if (isTerminal(columns.status)) Object.assign(set, { lease_owner: "null", lease_until: "null" });
  if (snapshot !== undefined) {
    set.context = builder.bind(JSON.stringify(snapshot.values), "json");
    set.context_writers = builder.bind(JSON.stringify(snapshot.writers), "json");
    set.context_seq = builder.bind(snapshot.seq, "int");
  }
  return set;
}

function addRunUpdate(
  builder: StatementBuilder,
  commit: RunCommit,
  table: string,
  set: Readonly<Record<string, string>>,
): void {
  const assignments = Object.entries(set).map(([column, value]) => `${column} = ${value}`);
  const id = builder.bind(commit.executionId, "bigint");
  const fence = `epoch = ${builder.bind(commit.epoch, "int")} and seq = ${builder.bind(commit.seq, "int")} and status not in ('completed', 'failed', 'cancelled')`;
  builder.add("u", `update ${table} set ${assignments.join(", ")} where id = ${id} and ${fence} returning id`);
}

function addEvents(builder: StatementBuilder, commit: RunCommit, tenantId: number): void {
  if (commit.events.length === 0) return;
  builder.add("e", eventsPart(builder, commit.seq, commit.events, tenantId));
}

/** Up to so many rows are written one by one, which is faster; more go as arrays, so that few statements have to be prepared. */
const FEW_EVENTS = 4;

/** Inserts the run's next log entries; needs a part `u` with the run's id. */
function eventsPart(builder: StatementBuilder, seq: number, events: RunCommit["events"], tenantId: number): string {
  const insert = "insert into run_events (execution_id, seq, tenant_id, event, at, fields, patch, cause)";
  const tenant = builder.bind(tenantId, "int");
  if (events.length <= FEW_EVENTS) {
    const rows = events.map(({ event, at, fields, patch, cause }, index) => {
      const values = [
        builder.bind(seq + index + 1, "int"),
        builder.bind(event, "text"),
        builder.bind(at, "timestamptz"),
        builder.bind(JSON.stringify(fields), "json"),
        builder.bind(orNull(patch), "json"),
        builder.bind(orNull(cause), "json"),
      ];
      return `(${values.join(", ")})`;
    });
    return `${insert} select u.id, t.seq, ${tenant}, t.event, t.at, t.fields, t.patch, t.cause
      from u, (values ${rows.join(", ")}) as t(seq, event, at, fields, patch, cause)`;
  }
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
  return `${insert} select u.id, t.seq, ${tenant}, t.event, t.at, t.fields::json, t.patch::json, t.cause::json
    from u, unnest(${arrays.join(", ")}) as t(seq, event, at, fields, patch, cause)`;
}

function reviewPart(builder: StatementBuilder, change: ReviewChange, extras: CommitExtras): string {
  if (change.type === "close") {
    return `update reviews set status = ${builder.bind(change.status, "text")} from u
      where reviews.id = ${builder.bind(change.id, "bigint")} and reviews.status = 'open'`;
  }
  if (change.type === "escalate") {
    const assignees = builder.bind(JSON.stringify(change.assignees), "json");
    return `update reviews set escalated_from = reviews.assignees, escalated_at = ${builder.bind(change.at, "timestamptz")},
        assignees = ${assignees}, due_at = ${builder.bind(change.dueAt, "timestamptz")} from u
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
    requesters: builder.bind(JSON.stringify(extras.requesters), "json"),
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

/** Sends the run the result of its review's deadline. */
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

/** One insert for all rows, in their order: PostgreSQL does not define the order in which the parts of a WITH are executed. */
function outboxPart(builder: StatementBuilder, { outbox }: CommitExtras): string {
  const rows = outbox.map((event, position) => {
    const values = [
      builder.bind(event.tenantId, "int"),
      builder.bind(event.name, "text"),
      builder.bind(JSON.stringify(event.actor), "json"),
      builder.bind(JSON.stringify(event.payload), "json"),
      builder.bind(event.orderKey ?? null, "text"),
      event.hasMatchingListener ? "null::timestamptz" : "now()",
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
  return builder.build("append");
}
