import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type ChaosServer, callUnlessGone, startChaosServer } from "./chaos-server.ts";
import { startLedger } from "./effect-ledger.ts";

const DISK = "512m";
const LEFT_BYTES = 3 * 1_048_576;
const DEFINITION = {
  initial: "a",
  states: {
    a: { invoke: { src: "core.transform", input: { mapping: { text: "{{ $.trigger.text }}" } }, onDone: "b" } },
    b: { invoke: { src: "chaos.idempotent", onDone: "done" } },
    done: { type: "final", output: "$.b_output.value" },
  },
};

/**
 * The embedded database on a small disk of its own, which fills up under work and is freed again: what was accepted ends, and
 * what was not is refused. Needs the right to mount a tmpfs; `skipped` says that there is none.
 */
export async function diskFullCampaign(): Promise<{
  accepted: number;
  refused: number;
  starts: number;
  skipped?: string;
  problems: string[];
}> {
  const disk = mkdtempSync(join(tmpdir(), "oven-disk-"));
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${DISK}`, "tmpfs", disk], { encoding: "utf8" });
  if (mounted.status !== 0)
    return { accepted: 0, refused: 0, starts: 0, skipped: `no tmpfs can be mounted: ${mounted.stderr}`, problems: [] };
  const ledger = await startLedger();
  const environment = { CHAOS_LEDGER_URL: ledger.url, OVEN_DATA_DIR: join(disk, "data") };
  let server = await startChaosServer(environment);
  try {
    const made = await server.call("POST", "workflows", { name: "Disk", definition: DEFINITION });
    const ballast = join(disk, "ballast");
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(ballast, Buffer.alloc(bavail * bsize - LEFT_BYTES));
    const ids: number[] = [];
    let refused = 0;
    for (let index = 0; index < 200 && refused < 5; index += 1) {
      const id = await accept(server, made.body.id, index);
      if (id === undefined) refused += 1;
      else ids.push(id);
    }
    rmSync(ballast);
    const { starts, problems, running } = await untilEnded(server, environment, ids);
    server = running;
    if (refused === 0) problems.push("the disk never was full");
    return { accepted: ids.length, refused, starts, problems };
  } finally {
    server.signal("SIGKILL");
    await server.exited;
    await ledger.close();
    spawnSync("umount", [disk]);
    rmSync(disk, { recursive: true, force: true });
  }
}

/** Undefined when it was refused, or the process is gone. */
async function accept(server: ChaosServer, workflow: number, index: number): Promise<number | undefined> {
  try {
    // What does not compress.
    const text = `${index} ${randomBytes(200_000).toString("base64")}`;
    const { status, body } = await server.call("POST", `workflows/${workflow}/execute`, { input: { text } });
    return status === 202 ? body.id : undefined;
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

async function untilEnded(
  first: ChaosServer,
  environment: Record<string, string>,
  ids: readonly number[],
): Promise<{ starts: number; problems: string[]; running: ChaosServer }> {
  let server = first;
  let starts = 1;
  const giveUp = Date.now() + 120_000;
  for (;;) {
    const path = `workflow-executions?filter={"id":[${ids}]}&range=[0,${ids.length}]`;
    const answer = await callUnlessGone(server, () => server.call("GET", path));
    if (answer === undefined) {
      starts += 1;
      server = await startChaosServer(environment);
    }
    const rows: { id: number; status: string; error: string | null }[] = answer?.status === 200 ? answer.body : [];
    if (rows.length === ids.length && rows.every(({ status }) => /completed|failed|cancelled/.test(status))) {
      const problems = rows
        .filter(({ status }) => status !== "completed")
        .map(({ id, error }) => `run ${id} failed: ${error}`);
      return { starts, problems, running: server };
    }
    if (Date.now() > giveUp) {
      const open = rows.filter(({ status }) => status !== "completed").length;
      return {
        starts,
        problems: [
          `${ids.length} runs were accepted, ${rows.length} are there, ${open} not completed: ${server.errors().slice(-600)}`,
        ],
        running: server,
      };
    }
    await pause(100);
  }
}
