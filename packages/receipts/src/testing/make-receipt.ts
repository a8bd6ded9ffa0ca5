import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { canonical, definitionHash, type Json, sha256 } from "../canonical.ts";
import type { Certificate } from "../certificate.ts";
import { type KeySet, keyId, signReceipt } from "../keys.ts";
import { digestOf, LogChain } from "../log-chain.ts";
import { DECISION_ENTRY, type Decision, type LogEntry, type Receipt, RUN_ENTRY } from "../receipt.ts";

const ISSUER = "https://oven.example";

export interface TestKey {
  x: string;
  kid: string;
  privateKey: KeyObject;
}

export function makeKey(): TestKey {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const { x = "" } = publicKey.export({ format: "jwk" });
  return { x, kid: keyId(x), privateKey };
}

export function keySet(...keys: { key: TestKey; from?: string; until?: string | null }[]): KeySet {
  return {
    issuer: ISSUER,
    keys: keys.map(({ key: { x, kid }, from = "2026-01-01T00:00:00.000Z", until = null }) => ({
      ...{ kty: "OKP", crv: "Ed25519", alg: "EdDSA", use: "sig", kid, x, from, until },
    })),
  };
}

/** A receipt as an installation issues it, of a run with so many steps: each begins, ends, and came to something. */
export function makeReceipt({
  steps = 1,
  key = makeKey(),
  certificate,
}: {
  steps?: number;
  key?: TestKey;
  certificate?: Certificate;
} = {}): { file: Buffer; log: Buffer; lines: string[]; keys: KeySet; body: Receipt } {
  const at = "2026-11-29T12:00:00.000Z";
  const closure: Json = [{ name: "workflow:2", version: 1, hash: sha256("two") }];
  const [input, output]: Json[] = [{ amount: 5 }, { paid: 5, note: "grüß dich \u2028 \ud83d\ude00" }];
  const decision: Decision = { review: 1, run: 7, node: "ask", shown: sha256("x"), action: "approve", by: [3], at };
  const said: [string, Json][] = [
    [RUN_ENTRY, { input: input ?? null, output: output ?? null, closure }],
    ...Array.from({ length: steps }, (_, step): [string, Json][] => {
      const position = { nodeId: `step${step}`, nodeType: "core.noop", visit: 1 };
      const patch: Json = [{ op: "output", path: `/step${step}_output`, nodeId: `step${step}`, visit: 1 }];
      return [
        ["node.started", { cause: null, fields: { ...position, attempt: 1 }, patch: null }],
        ["node.completed", { cause: { a: 1, t: "done", v: 1 }, fields: { ...position, durationMs: 3 }, patch }],
        ["receipt.step", { ...position, attempt: 1, status: "completed", input: { n: step }, output: { n: step + 1 } }],
      ];
    }).flat(),
    [DECISION_ENTRY, decision],
  ];
  const chain = new LogChain();
  const lines = said.map(([type, data], seq) => {
    const salt = sha256(`salt ${seq}`).slice(0, 22);
    const entry: LogEntry = { run: 7, seq, type, at, digest: digestOf(data, salt), salt, data };
    chain.add(entry);
    return canonical(entry as Json);
  });
  const salt = sha256("salt 0").slice(0, 22);
  const body: Receipt = {
    ...{ format: "oven-receipt", version: 1, issuer: ISSUER, kid: key.kid, issuedAt: at, tenant: 1 },
    run: { kind: "agent-workflow", id: 7, status: "completed", startedAt: at, endedAt: at, family: 1 },
    workflow: {
      ...{ id: 3, slug: "refund", version: 2, closure: sha256(canonical(closure)) },
      definition: certificate === undefined ? sha256("definition") : definitionHash(certificate.definition as Json),
    },
    input: digestOf(input ?? null, salt),
    output: digestOf(output ?? null, salt),
    log: { entries: chain.entries, head: chain.head },
    decisions: { count: 1, hash: sha256(canonical([decision])), list: [decision] },
    certificate: certificate === undefined ? null : sha256(canonical(certificate as Json)),
  };
  const signature = signReceipt(body as Json, key.privateKey);
  const file = { receipt: body, key: key.x, signature, ...(certificate === undefined ? {} : { certificate }) };
  return {
    file: Buffer.from(`${canonical(file as Json)}\n`),
    log: Buffer.from(`${lines.join("\n")}\n`),
    ...{ lines, body, keys: keySet({ key }) },
  };
}
