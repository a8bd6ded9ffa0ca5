import { createHash } from "node:crypto";
import type { Queryable } from "@oven/db";
import type { BetterAuthOptions, DBAdapter, Where } from "better-auth";

const PREFIX = "sha256:";
const SESSION = "session";

type Factory = (options: BetterAuthOptions) => DBAdapter;
type Row = Record<string, unknown> | null;

/** What the database has of a session's token: a copy of it signs nobody in. */
export function hashSessionToken(token: string): string {
  return `${PREFIX}${createHash("sha256").update(token).digest("hex")}`;
}

/** The session token in the cookies that an answer sets, or that a request brings; undefined when there is none. */
export function sessionTokenIn(message: Request | Response): string | undefined {
  const cookies =
    message instanceof Response ? message.headers.getSetCookie() : (message.headers.get("cookie") ?? "").split(/;\s*/);
  const found = cookies.map((cookie) => /^[\w.-]*oven\.session_token=([^.;]+)/.exec(cookie)?.[1]);
  const token = found.find((one) => one !== undefined);
  return token === undefined ? undefined : decodeURIComponent(token);
}

/**
 * Tokens of sessions as they were stored before are replaced by their hashes; their owners stay signed in. Asked at each start,
 * because a process of an earlier version beside this one writes more of them.
 */
export async function hashStoredSessions(db: Queryable): Promise<void> {
  await db.query(
    `update sessions set token = '${PREFIX}' || encode(sha256(convert_to(token, 'UTF8')), 'hex') where token not like '${PREFIX}%'`,
  );
}

/** better-auth's adapter with hashed session tokens: the library reads and writes plain ones, and the database has none. */
export function withHashedSessions(factory: Factory): Factory {
  return (options) => wrap(factory(options));
}

function wrap(adapter: DBAdapter): DBAdapter {
  const { create, findOne, findMany, update, updateMany, count, consumeOne, incrementOne, transaction } = adapter;
  const hashed = <Asked extends { model: string; where?: Where[] | undefined }>(asked: Asked): Asked =>
    asked.model !== SESSION || asked.where === undefined ? asked : { ...asked, where: asked.where.map(hashCondition) };
  const changed = <Asked extends { model: string; where: Where[]; update: Record<string, unknown> }>(asked: Asked) => ({
    ...hashed(asked),
    update: asked.model === SESSION ? hashToken(asked.update) : asked.update,
  });
  const wrapped = {
    ...adapter,
    create: async (asked: Parameters<typeof create>[0]) => {
      if (asked.model !== SESSION) return create(asked);
      return withToken(
        await create<Record<string, unknown>, Row>({ ...asked, data: hashToken(asked.data) }),
        asked.data.token,
      );
    },
    findOne: async (asked: Parameters<typeof findOne>[0]) =>
      withToken(await findOne<Row>(hashed(asked)), tokenOf(asked)),
    findMany: async (asked: Parameters<typeof findMany>[0]) => {
      const rows = await findMany<Record<string, unknown>>(hashed(asked));
      const plain = new Map(tokensOf(asked).map((token) => [hashSessionToken(token), token]));
      return rows.map((row) => withToken(row, plain.get(String(row.token))));
    },
    update: async (asked: Parameters<typeof update>[0]) =>
      withToken(await update<Row>(changed(asked)), asked.update.token ?? tokenOf(asked)),
    updateMany: (asked: Parameters<typeof updateMany>[0]) => updateMany(changed(asked)),
    count: (asked: Parameters<typeof count>[0]) => count(hashed(asked)),
    delete: (asked: Parameters<typeof adapter.delete>[0]) => adapter.delete(hashed(asked)),
    deleteMany: (asked: Parameters<typeof adapter.deleteMany>[0]) => adapter.deleteMany(hashed(asked)),
    consumeOne: async (asked: Parameters<typeof consumeOne>[0]) =>
      withToken(await consumeOne<Row>(hashed(asked)), tokenOf(asked)),
    incrementOne: (asked: Parameters<typeof incrementOne>[0]) => incrementOne(hashed(asked)),
    transaction: <R>(work: (inner: DBAdapter) => Promise<R>) => transaction((inner) => work(wrap(inner as DBAdapter))),
  };
  return wrapped as unknown as DBAdapter; // cast: its methods are generic in the row, which no wrapper can know
}

function hashToken<Data extends Record<string, unknown>>(data: Data): Data {
  return typeof data.token === "string" ? { ...data, token: hashSessionToken(data.token) } : data;
}

/** Tokens in a list may come from rows that were read before: those are hashes already. Of one that a request brings never. */
function hashCondition(condition: Where): Where {
  const { field, value } = condition;
  if (field !== "token") return condition;
  if (typeof value === "string") return { ...condition, value: hashSessionToken(value) };
  if (!Array.isArray(value)) return condition;
  const values = value.map((one) => {
    const text = String(one);
    return text.startsWith(PREFIX) ? text : hashSessionToken(text);
  });
  return { ...condition, value: values };
}

function tokensOf({ model, where = [] }: { model: string; where?: Where[] | undefined }): string[] {
  if (model !== SESSION) return [];
  return where.flatMap(({ field, value }) => (field === "token" ? [value].flat().map(String) : []));
}

function tokenOf(asked: { model: string; where?: Where[] | undefined }): string | undefined {
  return tokensOf(asked)[0];
}

/** The row with the token that its caller knows. */
function withToken(row: Row, token: unknown): Row {
  return row === null || typeof token !== "string" ? row : { ...row, token };
}
