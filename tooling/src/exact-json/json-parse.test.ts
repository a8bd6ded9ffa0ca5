import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { listSources } from "../list-sources.ts";

const root = join(import.meta.dirname, "../../..");

/** Where text is parsed that OVEN wrote itself, so that no number in it can be a longer one. What comes from outside is for `parseJson`. */
const OWN_TEXT: Readonly<Record<string, string>> = {
  "apps/cli/src/installation-api.ts": "answers of the API",
  "packages/client/src/embed/embed-connection.ts": "answers and events of the API, and the visitor that was stored",
  "packages/client/src/embed/field-view.ts":
    "JSON that a visitor typed, once no number in it is longer than a double holds",
  "packages/client/src/events.ts": "events of the API",
  "packages/client/src/http.ts": "answers of the API",
  "packages/contract/src/parse-json.ts": "the parser for what comes from outside",
  "packages/db/src/backup/migrate-until.ts": "the journal of migrations",
  "packages/db/src/backup/read-backup.ts": "lines between the rows of a backup",
  "packages/db/src/data-dir-lock.ts": "the lock file of the data directory",
  "packages/db/src/migration-files.ts": "the journal of migrations",
  "packages/module-api-connections/src/accounts/account-store.ts": "accounts that were stored",
  "packages/module-api-connections/src/catalogue/read-services.ts": "files of the release",
  "packages/module-embed/src/messages/message-service.ts": "answers of a form that were stored",
  "packages/module-embed/src/ui/embed-preview.tsx": "settings of the page",
  "packages/module-embed/src/visitors/session-token.ts": "claims that were signed here",
  "packages/module-mcp-connections/src/connections/credentials.ts": "sign-ins that were kept",
  "packages/module-receipts/src/issue/receipt-service.ts": "a receipt that was signed",
  "packages/module-roles/src/keys/key-format.ts": "the permissions of a key",
  "packages/module-workflow-agents/src/ui/mcp-servers/call-server-tool.ts": "answers of our MCP servers",
  "packages/module-workflows/src/executions/ended-summary.ts": "an output that was checked",
  "packages/module-workflows/src/ui/executions/workflow-filter.tsx": "the value of an option",
  "packages/module-workflows/src/ui/kind-in-filter.tsx": "the filter in the address of a list",
  "packages/module-workflows/src/ui/mcp-app/use-run-view.ts": "answers of our MCP servers",
  "packages/receipts/src/canonical.ts": "a text that must be what is written of it: a longer number is not",
  "packages/sandbox/src/pool/readable-paths.ts": "the manifest of a package",
  "packages/sandbox/src/process/javascript/thrown.ts": "an error that the sandbox described",
  "packages/sandbox/src/process/job-logs.ts": "a line that the sandbox wrote",
  "packages/sandbox/src/process/python/session.ts": "a session that the sandbox wrote; its values are in JSON texts",
  "packages/sandbox/src/process/run-program.ts": "inputs and answers that the run has",
  "packages/sandbox/src/process/run-javascript.ts": "a refusal that the sandbox wrote",
  "packages/sandbox/src/process/run-python.ts": "inputs that the run has",
  "packages/scope/src/paths.ts": "a text in quotes",
  "packages/scope/src/roots-in-text.ts": "a text in quotes",
  "packages/ui/src/api/api-error.ts": "answers of the API",
  "packages/ui/src/components/json-editor/json-positions.ts": "a text in quotes",
  "packages/ui/src/components/schema-form/field-control.tsx": "the value of an option",
  "packages/workflow-editor/src/canvas/workflow-graph.tsx": "a shape that was written before",
  "packages/workflow-editor/src/conversation/use-chat.ts": "events of the API",
  "packages/workflow-editor/src/inspector/cel-completions.ts": "a text in quotes",
  "packages/workflow-editor/src/inspector/guard-to-cel.ts": "a text in quotes",
  "packages/workflow-editor/src/run/use-run-events.ts": "events of the API",
  "packages/workflow-editor/src/screen/inspector/cel/cel-editor.tsx": "attributes that were written before",
  "packages/workflow-editor/src/screen/inspector/schema-default.tsx": "the value of an option",
  "packages/workflow-editor/src/screen/inspector/use-evaluation.ts": "a body that was written before",
  "packages/workflow-editor/src/screen/inspector/use-past.ts": "a choice in the browser's store",
  "packages/workflow-editor/src/screen/inspector/value-control.tsx": "the value of an option",
  "packages/workflow-editor/src/screen/inspector/value-form.tsx": "an address that was written before",
};

/** `JSON.parse(JSON.stringify(…))` copies a value. */
const PARSES = /JSON\.parse\((?!\s*JSON\.stringify\()/;

it("text from outside is parsed without rounding: by parseJson or readJson, nowhere by JSON.parse", () => {
  const sources = listSources(root).filter(
    (path) => /^(?:packages|apps)\//.test(path) && !/\.test\.tsx?$|\/testing\/|\/e2e\/|test-fetch\.ts$/.test(path),
  );
  expect(sources.length).toBeGreaterThan(1_000);
  const found = sources.filter((path) => PARSES.test(readFileSync(join(root, path), "utf8")));
  expect(found.sort()).toEqual(Object.keys(OWN_TEXT).sort());
});
