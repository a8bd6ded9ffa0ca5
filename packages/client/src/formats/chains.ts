import type {
  CancelChain,
  CancelledChains,
  Chain,
  ChainJob,
  ChainResult,
  ChainRun,
  ChainSpec,
  ChainStatus,
  ChainToolCall,
  ChainTrace,
  ExecutorRun,
  Json,
  Operations,
  OutputRef,
} from "../generated/operations.ts";
import type { Http } from "../http.ts";

type NewChainSpec = Operations["POST /executor-chains"]["body"];
type NewChainSchedule = Operations["POST /executor-chains/{workflow}/schedule"]["body"];

/** Chains of executors. `id` is a workflow's UUID or its short name. */
export function createChainsClient(http: Http) {
  const at = (id: string, more = "") => `executor-chains/${encodeURIComponent(id)}${more}`;
  const ofRun = (run: string, more = "") => `executor-chain-runs/${run}${more}`;
  return {
    create: (spec: NewChainSpec) => http.send<Chain>("POST", "executor-chains", spec),
    /** A document as text, also with comments and triple quotes. */
    import: (source: string) => http.send<Chain>("POST", "executor-chains/import", { source }),
    export: (id: string) => http.send<ChainSpec>("GET", at(id, "/export")),
    get: (id: string) => http.find<Chain>(at(id)),
    list: (status?: ChainStatus) =>
      http.send<Chain[]>("GET", status === undefined ? "executor-chains" : `executor-chains?status=${status}`),
    replace: (id: string, spec: NewChainSpec) => http.send<Chain>("PUT", at(id), spec),
    delete: (id: string) => http.send<void>("DELETE", at(id)),
    schedule: (id: string, schedule: NewChainSchedule) => http.send<ChainJob>("POST", at(id, "/schedule"), schedule),
    setStatus: (id: string, status: ChainStatus) => http.send<Chain>("PUT", at(id, "/status"), { status }),
    approveTools: (id: string) => http.send<Chain>("POST", at(id, "/approve-tools")),
    cancel: (what: CancelChain) => http.send<CancelledChains>("POST", "executor-chains/cancel", what),
    /** @param wait seconds; what takes longer is answered as it is then */
    run: (id: string, wait = 0) => http.send<ChainResult>("POST", at(id, "/run"), { wait }),
    listRuns: (id: string) => http.send<ChainRun[]>("GET", at(id, "/runs")),
    listFailedRuns: (workflow?: string, limit = 10) =>
      http.send<ChainRun[]>(
        "GET",
        `executor-chain-runs/failed?${new URLSearchParams({ limit: String(limit), ...(workflow === undefined ? {} : { workflow_id: workflow }) })}`,
      ),
    getRun: (run: string) => http.find<ChainRun>(ofRun(run)),
    getResult: (run: string) => http.send<ChainResult>("GET", ofRun(run, "/result")),
    getTrace: (run: string) => http.send<ChainTrace>("GET", ofRun(run, "/trace")),
    listExecutorRuns: (run: string) => http.send<ExecutorRun[]>("GET", ofRun(run, "/executors")),
    listToolCalls: (run: string) => http.send<ChainToolCall[]>("GET", ofRun(run, "/tool-calls")),
    /** What a reference of the run stands for. */
    resolve: async (run: string, ref: OutputRef) =>
      (await http.send<{ value: Json }>("POST", ofRun(run, "/resolve"), ref)).value,
    cancelRun: (run: string) => http.send<ChainRun>("POST", ofRun(run, "/cancel")),
    /** @param skip leaves the executor out that failed */
    resumeRun: (run: string, skip = false) => http.send<ChainRun>("POST", ofRun(run, "/resume"), { skip }),
  };
}
