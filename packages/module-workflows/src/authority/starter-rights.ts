import { intersectPermissions, isGranted, type Principal } from "@oven/contract";
import type { ServiceMap } from "@oven/module-registry";

type Access = Pick<ServiceMap["access"], "findPrincipal" | "findKey" | "findApp">;

/** How long what was read of a principal may be used for runs that have just begun. */
const RECENT_MS = 1_000;
const CACHE_SIZE = 10_000;

/**
 * What the starter of a run may do now. A run's row has what they might do when it began; behind a wait, or on another worker, they may
 * have been disabled, their key may have ended, or a role may have been taken from them.
 */
export class StarterRights {
  readonly #access: () => Access | undefined;
  readonly #now: () => number;
  readonly #recent = new Map<string, { until: number; current: Promise<Principal | undefined> }>();

  /** @param access undefined where nothing is known of users: then starters keep what they had */
  constructor(access: () => Access | undefined, now: () => number = Date.now) {
    this.#access = access;
    this.#now = now;
  }

  /** @param how `recent`: what was read within the last second will do; `now`: it is read */
  async of(stored: Principal, how: "recent" | "now"): Promise<Principal> {
    const access = this.#access();
    if (access === undefined || stored.userId === null) return stored;
    const current = await this.#current(access, stored, stored.userId, how);
    const permissions = current?.permissions ?? [];
    if (stored.permissions.every((permission) => isGranted(permissions, permission))) return stored;
    const { who, ended } = WORDS[toSource(stored).kind];
    const limit = {
      side: current === undefined ? `${who} (${ended})` : who,
      permissions,
      fix: "Retry the run as a person who has it.",
    };
    return {
      ...stored,
      permissions: intersectPermissions(stored.permissions, permissions),
      limits: [limit, ...(stored.limits ?? [])],
    };
  }

  async #current(
    access: Access,
    stored: Principal,
    userId: number,
    how: "recent" | "now",
  ): Promise<Principal | undefined> {
    const { tenantId } = stored;
    const source = toSource(stored);
    const name = JSON.stringify([userId, tenantId, source]);
    const known = this.#recent.get(name);
    if (how === "recent" && known !== undefined && known.until > this.#now()) return known.current;
    if (this.#recent.size >= CACHE_SIZE) this.#recent.clear();
    const current = read(access, userId, tenantId, source);
    this.#recent.set(name, { until: this.#now() + RECENT_MS, current });
    // The caller sees the error; here it only makes room for the next attempt.
    current.catch(() => this.#recent.delete(name));
    return current;
  }
}

/** Where what a starter may do comes from. */
type Source = { kind: "person" } | { kind: "key"; keyId: number } | { kind: "app"; app: string };

const WORDS: Readonly<Record<Source["kind"], { who: string; ended: string }>> = {
  person: { who: "the person who started the run", ended: "disabled now" },
  key: { who: "the API key that started the run", ended: "no longer valid now" },
  app: { who: "the program that started the run", ended: "disconnected now" },
};

function toSource({ keyId: own, through }: Principal): Source {
  const keyId = own ?? through?.keyId;
  if (keyId !== undefined) return { kind: "key", keyId };
  return through?.app === undefined ? { kind: "person" } : { kind: "app", app: through.app };
}

function read(access: Access, userId: number, tenantId: number, source: Source): Promise<Principal | undefined> {
  switch (source.kind) {
    case "person":
      return access.findPrincipal(userId, tenantId);
    case "key":
      return access.findKey(source.keyId, tenantId);
    case "app":
      return access.findApp(userId, source.app, tenantId);
  }
}
