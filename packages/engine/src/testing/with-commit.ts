import type { ExecutionStore } from "../store.ts";
import type { EngineHarness } from "./engine-harness.ts";

/** The harness's store with another `commit`. */
export function withCommit(harness: EngineHarness, commit: ExecutionStore["commit"]): ExecutionStore {
  return new Proxy<ExecutionStore>(harness.store, {
    get(target, key) {
      if (key === "commit") return commit;
      const member: unknown = Reflect.get(target, key, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}
