import { canonical, type Json, ReceiptError, readCanonical, readText, sha256 } from "./canonical.ts";
import { CertificateSchema, checkCertificate } from "./certificate.ts";
import { isSignedBy, type KeySet, keyId } from "./keys.ts";
import { digestOf, type ReadLog, readLog } from "./log-chain.ts";
import { type Receipt, type ReceiptFile, ReceiptFileSchema } from "./receipt.ts";

export interface Verification {
  ok: boolean;
  receipt: Receipt | undefined;
  /** What was checked, in plain words. */
  checks: { ok: boolean; says: string }[];
  /** What was not checked, and why. */
  notes: string[];
}

type Evidence = { file: Uint8Array; log?: Uint8Array | undefined; keys?: KeySet | undefined };

/**
 * Verifies a receipt with what there is. Never throws for what is wrong with it.
 * @param keys the issuer's; absent: the key in the file is used
 */
export function verifyReceipt({ file, log, keys }: Evidence): Verification {
  const result: Verification = { ok: false, receipt: undefined, checks: [], notes: [] };
  const report: Report = { check: (ok, says) => result.checks.push({ ok, says }), notes: result.notes };
  try {
    const given = readFile(file);
    result.receipt = given.receipt;
    checkSignature(given, keys, report);
    if (log === undefined) report.notes.push("The log was not given: its entries were not checked.");
    else checkLog(given.receipt, readLog(log), report);
    checkDecisions(given.receipt, report);
    checkPolicies(given, report);
  } catch (error) {
    // A RangeError: it is nested deeper than anything that was signed.
    if (!(error instanceof ReceiptError || error instanceof RangeError)) throw error;
    report.check(false, error.message);
  }
  return { ...result, ok: result.checks.every(({ ok }) => ok) };
}

type Report = { check: (ok: boolean, says: string) => void; notes: string[] };

function readFile(bytes: Uint8Array): ReceiptFile {
  const text = readText(bytes, "the receipt");
  if (!text.endsWith("\n")) throw new ReceiptError("the receipt does not end with a whole line");
  const { success, data } = ReceiptFileSchema.safeParse(readCanonical(text.slice(0, -1), "the receipt"));
  if (!success) throw new ReceiptError("the file is not a receipt, or one of a later format");
  return data;
}

function checkSignature({ receipt, key, signature }: ReceiptFile, keys: KeySet | undefined, to: Report): void {
  const { check, notes } = to;
  check(keyId(key) === receipt.kid, "the key in the file is the one that the receipt names");
  check(isSignedBy(receipt as Json, signature, key), `the receipt is signed by the key ${receipt.kid}`);
  if (keys === undefined) {
    notes.push(`That this key is one of ${receipt.issuer} was not checked: compare its fingerprint ${receipt.kid}.`);
    return;
  }
  const known = keys.keys.find(({ x, kid }) => x === key && kid === receipt.kid);
  check(known !== undefined, `the key is one of those that ${keys.issuer} has published`);
  check(keys.issuer === receipt.issuer, `the keys are those of the issuer ${receipt.issuer}`);
  if (known === undefined) return;
  const inTime = receipt.issuedAt >= known.from && (known.until === null || receipt.issuedAt <= known.until);
  check(inTime, `the key was in use when the receipt was issued (${receipt.issuedAt})`);
}

function checkLog(receipt: Receipt, log: ReadLog, { check, notes }: Report): void {
  check(log.entries === receipt.log.entries, `the log has ${receipt.log.entries} entries`);
  check(log.head === receipt.log.head, "the chain of the log's entries ends in the hash that was signed");
  if (log.withoutData > 0)
    notes.push(`${log.withoutData} of ${log.entries} entries have no data: only their digests are proved.`);
  const { data, salt } = log.first ?? {};
  if (data === undefined || salt === undefined)
    notes.push("Input and output were taken out of the log: only their digests are proved.");
  else {
    const { input = null, output = null, closure = null } = Object(data) as { [key: string]: Json }; // cast: it is JSON
    check(digestOf(input, salt) === receipt.input, "the input is the one that was signed");
    check(digestOf(output, salt) === receipt.output, "the output is the one that was signed");
    check(
      sha256(canonical(closure)) === receipt.workflow.closure,
      "the versions that the run used are those that were signed",
    );
  }
  const { decisions } = log;
  if (decisions !== undefined)
    check(sha256(canonical(decisions)) === receipt.decisions.hash, "the log has the decisions that were signed");
}

function checkDecisions({ decisions: { count, hash, list } }: Receipt, { check }: Report): void {
  if (list === undefined) return;
  check(list.length === count && sha256(canonical(list as Json)) === hash, `the receipt lists all ${count} decisions`);
}

function checkPolicies({ receipt, certificate }: ReceiptFile, { check, notes }: Report): void {
  if (certificate === undefined) {
    if (receipt.certificate !== null)
      notes.push("The certificate of the policies is not in the file: it was not checked.");
    return;
  }
  check(sha256(canonical(certificate as Json)) === receipt.certificate, "the certificate is the one that was signed");
  const { success, data } = CertificateSchema.safeParse(certificate);
  if (!success) throw new ReceiptError("the certificate has an unknown form");
  const { definition, problems, claims, left } = checkCertificate(data);
  check(definition === receipt.workflow.definition, "the certificate is about the definition that ran");
  check(problems.length === 0, ["the graph has every way that the definition draws", ...problems].join("; "));
  for (const { policy, says, problem } of claims)
    check(problem === undefined, `policy "${policy}": ${says}${problem === undefined ? "" : `; ${problem}`}`);
  for (const { policy, why } of left) notes.push(`Policy "${policy}" has no certificate: ${why}.`);
}
