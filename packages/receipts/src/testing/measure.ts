import { verifyReceipt } from "../verify.ts";
import { makeReceipt } from "./make-receipt.ts";

/* `pnpm receipts:measure`: how long it takes to verify the log of a run with 10,000 steps, and how much processor time. */
const STEPS = 10_000;
const given = makeReceipt({ steps: STEPS });
const times = Array.from({ length: 5 }, () => {
  const [began, used] = [performance.now(), process.cpuUsage()];
  if (!verifyReceipt(given).ok) throw new Error("the receipt is not valid");
  return { passed: performance.now() - began, processor: process.cpuUsage(used).user / 1_000 };
}).sort((one, other) => one.passed - other.passed);
const megabytes = (given.log.byteLength / 1e6).toFixed(1);
process.stdout.write(
  `${STEPS} steps (${megabytes} MB) verified in ${times[2]?.passed.toFixed(0)} ms, ${times[2]?.processor.toFixed(0)} ms of a processor (median of 5), receipt of ${given.file.byteLength} bytes\n`,
);
