import { runSteps } from "./client-steps.ts";
import type { Connect, Elicited, Target } from "./peer-client.ts";

/*
 * One client in a process of its own: `run-client.ts <file> <target as JSON>`. Ends with a line `REPORT` and its steps as JSON.
 */
const [file = "", target = "{}"] = process.argv.slice(2);
let asked = 0;
let how: "approve" | "decline" = "decline";
const answer = (): Elicited => {
  asked++;
  return how === "approve" ? { action: "accept", content: { action: "approve" } } : { action: "decline" };
};
const { connect } = (await import(`./clients/${file}.ts`)) as { connect: Connect }; // cast: what each file of that folder exports
const client = await connect({ ...(JSON.parse(target) as Omit<Target, "answer">), answer }); // cast: written by tooling/src/mcp-peers.ts
const steps = await runSteps(client, {
  asked: () => asked,
  answers: (now) => {
    how = now;
  },
});
process.stdout.write(`\nREPORT ${JSON.stringify(steps)}\n`);
await client.close();
process.exit(0);
