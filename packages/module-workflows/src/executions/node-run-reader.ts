import type { Json } from "@oven/contract";
import type { NodeRun } from "@oven/contract/run";
import type { Database } from "@oven/db";
import { asc, eq, inArray } from "@oven/db/drizzle";
import { nextTurn, refersToMessages } from "@oven/engine";
import { namesOf, type RunKind } from "../runtime/run-kinds.ts";
import { AnswerRows, type Page, type PageRange } from "./answer-rows.ts";
import { type ExecutionRow, type NodeRow, toNodeRun } from "./execution-row.ts";

/** Rows of one answer: to parse tens of thousands at once would hold the process. */
const BATCH = 100;
/** So many are read as one answer without asking how many there are. */
const FEW = 200;

/** Where a node run stands among those of its run, without what it took and gave. */
interface NodeKey {
  id: number;
  executionId: number;
  nodeId: string;
  visit: number;
  item: string | null;
}

/** The messages of a run, which inputs of its nodes refer to. Read when there is such an input: to fold a long run takes a while. */
export type Conversation = () => Promise<Json>;

type Place = Pick<NodeKey, "nodeId" | "visit" | "item">;

/**
 * Node runs in order. Of a run that took another one over, what that one had finished by then, too: by reference, with its
 * execution id.
 */
export class NodeRunReader {
  readonly #db: Database;
  readonly #kind: RunKind;

  constructor(db: Database, kind: RunKind) {
    this.#db = db;
    this.#kind = kind;
  }

  async all(row: ExecutionRow, conversation: Conversation): Promise<NodeRun[]> {
    const few = await this.#few(row);
    if (few !== undefined) return toRuns(few, conversation);
    const rows: NodeRun[] = [];
    for await (const part of this.parts(row, conversation)) rows.push(...part);
    return rows;
  }

  /** As many of those asked for as an answer holds. */
  async page(row: ExecutionRow, conversation: Conversation, { first, last }: PageRange): Promise<Page<NodeRun>> {
    const few = await this.#few(row);
    const answer = new AnswerRows<NodeRun>();
    if (few !== undefined) {
      (await toRuns(few.slice(first, last + 1), conversation)).every((node) => answer.add(node));
      return { rows: answer.rows, total: few.length };
    }
    const { ids, total } = await this.#ids(row, { first, last });
    for await (const part of this.#read(ids, conversation)) if (!part.every((node) => answer.add(node))) break;
    return { rows: answer.rows, total };
  }

  /** The last `most` of them, in order, or as many as an answer holds. */
  async newest(row: ExecutionRow, conversation: Conversation, most: number): Promise<Page<NodeRun>> {
    const few = await this.#few(row);
    const answer = new AnswerRows<NodeRun>();
    if (few !== undefined) {
      (await toRuns(few.toReversed(), conversation)).every((node) => answer.add(node));
      return { rows: answer.rows.toReversed(), total: few.length };
    }
    const { ids, total } = await this.#ids(row, "last", most);
    for await (const part of this.#read(ids.toReversed(), conversation))
      if (!part.every((node) => answer.add(node))) break;
    return { rows: answer.rows.toReversed(), total };
  }

  /** In parts, in the order of the ids. */
  async *#read(all: readonly number[], conversation: Conversation): AsyncGenerator<NodeRun[], void> {
    const { nodes } = this.#kind.tables;
    for (let first = 0; first < all.length; first += BATCH) {
      const ids = all.slice(first, first + BATCH);
      await nextTurn();
      const found = new Map(
        (await this.#db.orm.select().from(nodes).where(inArray(nodes.id, ids))).map((node) => [node.id, node]),
      );
      yield toRuns(
        ids.flatMap((id) => found.get(id) ?? []),
        conversation,
      );
    }
  }

  /** All of them, in parts. */
  async *parts(row: ExecutionRow, conversation: Conversation): AsyncGenerator<NodeRun[], void> {
    const { ids } = await this.#ids(row, { first: 0, last: Number.MAX_SAFE_INTEGER });
    yield* this.#read(ids, conversation);
  }

  /** All rows in one answer, of a run that has few and took none over: most runs are like that. */
  async #few(row: ExecutionRow): Promise<NodeRow[] | undefined> {
    if ((row.retryOf ?? row.forkOf) !== null || row.steps > FEW) return undefined;
    const { nodes } = this.#kind.tables;
    const rows = await this.#db.orm
      .select()
      .from(nodes)
      .where(eq(nodes.executionId, row.id))
      .orderBy(asc(nodes.id))
      .limit(FEW + 1);
    return rows.length > FEW ? undefined : parentsFirst(rows);
  }

  /** Which node runs stand there, in order; of a run that took none over the database pages through them. */
  async #ids(row: ExecutionRow, range: PageRange | "last", most = 0): Promise<{ ids: number[]; total: number }> {
    const { nodes } = namesOf(this.#kind);
    if ((row.retryOf ?? row.forkOf) !== null) {
      const ids = (await this.#keys(row)).map(({ id }) => id);
      return { ids: range === "last" ? ids.slice(-most) : ids.slice(range.first, range.last + 1), total: ids.length };
    }
    const [counted] = await this.#db.query<{ total: number }>(
      `select count(*)::int as total from ${nodes} where execution_id = $1`,
      [row.id],
    );
    const total = counted?.total ?? 0;
    const { first, last } = range === "last" ? { first: Math.max(0, total - most), last: total - 1 } : range;
    const rows = await this.#db.query<{ id: number }>(
      `select id from ${nodes} where execution_id = $1 order by id offset $2::bigint limit $3::bigint`,
      [row.id, first, last - first + 1],
    );
    return { ids: rows.map(({ id }) => id), total };
  }

  async #keys(row: ExecutionRow): Promise<NodeKey[]> {
    const { nodes } = namesOf(this.#kind);
    const own = (
      await this.#db.query<{ id: number; node_id: string; visit: number; item: string | null }>(
        `select id, node_id, visit, item from ${nodes} where execution_id = $1 order by id`,
        [row.id],
      )
    ).map(({ id, node_id, visit, item }): NodeKey => ({ id, executionId: row.id, nodeId: node_id, visit, item }));
    const taken = new Set(own.map(placeOf));
    const earlier = await this.#takenOver(row);
    return parentsFirst([...earlier.filter((node) => !taken.has(placeOf(node))), ...own]);
  }

  async #takenOver(row: ExecutionRow): Promise<NodeKey[]> {
    const originId = row.retryOf ?? row.forkOf;
    if (originId === null || row.originSeq === null) return [];
    const { executions } = this.#kind.tables;
    const [origin] = await this.#db.orm.select().from(executions).where(eq(executions.id, originId));
    if (origin === undefined) return [];
    const finished = await this.#db.query<{ node_id: string; visit: number; item: string | null }>(
      `select fields->>'nodeId' as node_id, (fields->>'visit')::int as visit, fields->>'item' as item from run_events
       where execution_id = $1 and seq <= $2 and event in ('node.completed', 'node.failed', 'node.cancelled')`,
      [originId, row.originSeq],
    );
    const places = new Set(finished.map(({ node_id, visit, item }) => placeOf({ nodeId: node_id, visit, item })));
    return (await this.#keys(origin)).filter((node) => places.has(placeOf(node)) || node.executionId !== originId);
  }
}

async function toRuns(rows: readonly NodeRow[], conversation: Conversation): Promise<NodeRun[]> {
  const messages = rows.some(({ input }) => refersToMessages(input)) ? await conversation() : [];
  return rows.map((row) => toNodeRun(row, messages));
}

/** Items taken over stand behind their node, which the run has a row of its own for. */
function parentsFirst<Node extends Place>(nodes: readonly Node[]): Node[] {
  const keyOf = ({ nodeId, visit }: Node): string => placeOf({ nodeId, visit, item: null });
  const waiting = new Map(nodes.flatMap((node) => (node.item === null ? [[keyOf(node), [] as Node[]]] : [])));
  const ordered: Node[] = [];
  for (const node of nodes) {
    const key = keyOf(node);
    const held = waiting.get(key);
    if (node.item !== null && held) {
      held.push(node);
      continue;
    }
    ordered.push(node, ...(held ?? []));
    if (node.item === null) waiting.delete(key);
  }
  return ordered;
}

function placeOf({ nodeId, visit, item }: Place): string {
  return `${visit} ${nodeId} ${item ?? "\n"}`;
}
