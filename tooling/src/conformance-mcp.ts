import { parseArgs } from "node:util";
import { REVISIONS, runSuite } from "./conformance/run-suite.ts";
import { startSuiteServer } from "./conformance/suite-server.ts";

/*
 * `pnpm conformance:mcp [--requirements 2026-07-28] [--verbose]`: MCP's own conformance suite against the server that is generated from a
 * workflow, every scenario that a revision requires of servers. Ends with 1 when one fails.
 */
const { values } = parseArgs({ options: { requirements: { type: "string" }, verbose: { type: "boolean" } } });
const server = await startSuiteServer();
let failures = 0;
for (const revision of values.requirements === undefined ? REVISIONS : [values.requirements]) {
  const { required, output } = await runSuite(revision, server.url);
  if (values.verbose === true) process.stdout.write(`${output}\n`);
  for (const { scenario, passed, failed } of required)
    process.stdout.write(
      `${failed === 0 ? "passed" : "FAILED"} ${revision} ${scenario}: ${passed} of ${passed + failed} checks\n`,
    );
  const failing = required.filter(({ failed }) => failed > 0).length;
  failures += failing;
  process.stdout.write(`${revision}: ${required.length - failing} of ${required.length} required scenarios passed\n`);
}
await server.stop();
process.exitCode = failures === 0 ? 0 : 1;
