import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findViolations } from "../layers/find-violations.ts";
import { generateModule } from "./generate-module.ts";
import { generateNode } from "./generate-node.ts";
import { generatePage } from "./generate-page.ts";
import { generateProvider } from "./generate-provider.ts";
import { generateTrigger } from "./generate-trigger.ts";
import { formatSource, writeFiles } from "./generated-file.ts";

const root = join(import.meta.dirname, "../../..");
const readRoot = (path: string) => readFileSync(join(root, path), "utf8");
const LISTS = [
  "packages/module-workflows/src/nodes/core-nodes.ts",
  "packages/module-workflow-agents/src/nodes/agent-nodes.ts",
];

describe("generators", () => {
  let copy: string;
  const read = (path: string) => readFileSync(join(copy, path), "utf8");
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), "oven-generate-"));
    for (const path of LISTS) cpSync(join(root, path), join(copy, path));
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  it.each([
    ["core.sendPostcard", "packages/module-workflows/src/nodes/", "core-nodes.ts"],
    ["agent.sendPostcard", "packages/module-workflow-agents/src/nodes/", "agent-nodes.ts"],
  ])("writes %s: a file, a test and one line, as the check wants them", (id, folder, list) => {
    const before = read(folder + list);
    const files = generateNode(id, read).map((file) => ({ ...file, text: formatSource(root, file) }));
    writeFiles(copy, files);
    expect(read(`${folder}send-postcard.node.ts`)).toContain(
      `export const sendPostcardNode = defineNode({\n  id: "${id}"`,
    );
    expect(read(`${folder}send-postcard.node.test.ts`)).toContain('from "vitest"');
    const after = read(folder + list);
    expect(after).toContain('import { sendPostcardNode } from "./send-postcard.node.ts";\n');
    const entries = (text: string) => /= \[([^\]]*)\];/.exec(text)?.[1]?.match(/\w+Node\b/g);
    expect(entries(after)).toEqual([...(entries(before) ?? []), "sendPostcardNode"]);
    for (const file of files) expect(formatSource(root, { ...file, text: read(file.path) })).toBe(read(file.path));
  });

  it("writes its templates as the check wants them, so that nothing but the list is moved about", () => {
    const node = generateNode("core.echo", readRoot);
    const more = [...generateProvider("deep-infra", undefined, readRoot), ...generateTrigger("low-stock", readRoot)];
    const files = [...node, ...more].filter(({ kind }) => kind === "new");
    for (const file of files) expect(formatSource(root, file), file.path).toBe(file.text);
  });

  it("refuses to write over a node, and then writes nothing", () => {
    const [file, ...others] = generateNode("core.lonely", read);
    if (file === undefined) throw new Error("nothing was generated");
    writeFiles(copy, [file]);
    expect(() => writeFiles(copy, [file, ...others])).toThrow("lonely.node.ts: exists already");
    expect(others.filter(({ kind, path }) => kind === "new" && existsSync(join(copy, path)))).toEqual([]);
    expect(() => generateNode("core.delay", read)).toThrow("delayNode is listed already");
  });

  it.each(["shout", "core.Shout", "core.", "core.a-b"])("refuses the node id %s", (id) => {
    expect(() => generateNode(id, read)).toThrow("is not a node id");
  });

  it("says where nodes of other modules go", () => {
    expect(() => generateNode("billing.charge", read)).toThrow("Known: core, agent");
  });

  it("writes a module's package, its line in both lists, and both manifests", () => {
    const files = generateModule("module-time-sheets", readRoot).map((file) => ({
      ...file,
      text: formatSource(root, file),
    }));
    writeFiles(copy, files);
    expect(files.filter(({ kind }) => kind === "new")).toHaveLength(10);
    for (const file of files) expect(formatSource(root, file), file.path).toBe(file.text);
    expect(files.flatMap(({ path, text }) => findViolations(path, text))).toEqual([]);
    const manifest = JSON.parse(read("packages/module-time-sheets/package.json"));
    expect(manifest).toMatchObject({ name: "@oven/module-time-sheets" });
    expect(read("packages/installation/src/modules.ts")).toContain("    createTimeSheetsModule(),\n  ];");
    expect(read("apps/dashboard/src/ui-modules.ts")).toContain("  timeSheetsUi,\n];");
    for (const path of ["packages/installation/package.json", "apps/dashboard/package.json"])
      expect(JSON.parse(read(path)).dependencies).toMatchObject({ "@oven/module-time-sheets": "workspace:*" });
    const lines = (path: string) => read(path).split("\n").length - readRoot(path).split("\n").length;
    // An import and an entry each.
    expect(["packages/installation/src/modules.ts", "apps/dashboard/src/ui-modules.ts"].map(lines)).toEqual([2, 2]);
    expect(() => generateModule("Billing", readRoot)).toThrow("is not a module name");
    expect(() => generateModule("chat", readRoot)).toThrow("createChatModule is listed already");
  });

  it.each(["chat", "triggers", "workflow-agents"])(
    "writes a page of %s, its entry in the menu and its words",
    (module) => {
      const files = generatePage(module, "time-sheets", readRoot).map((file) => ({
        ...file,
        text: formatSource(root, file),
      }));
      for (const file of files) expect(formatSource(root, file), file.path).toBe(file.text);
      const [page, menu, pages, words] = files.map(({ text }) => text);
      expect(page).toContain("export function TimeSheetsPage()");
      expect(menu).toContain('title: "Time sheets", to: "/time-sheets" }');
      expect(pages).toContain('{ path: "/time-sheets", element: <TimeSheetsPage /> }');
      expect(pages).toContain('"/time-sheets": WidgetsOutlined');
      expect(JSON.parse(words ?? "")).toMatchObject({ "Time sheets": "Time sheets" });
      expect(files.flatMap(({ path, text }) => findViolations(path, text))).toEqual([]);
    },
  );

  it("refuses a page that is there, and a name that is no path", () => {
    expect(() => generatePage("chat", "chat", readRoot)).toThrow('the menu has to: "/chat" already');
    expect(() => generatePage("chat", "Time", readRoot)).toThrow("is not a page's name");
  });

  it("adds one line for a provider to README, and words to the catalogue without changing any", () => {
    const files = generateProvider("deep-infra", "https://api.deepinfra.com/v1/openai", readRoot);
    const changed = Object.fromEntries(files.map(({ path, text }) => [path, text]));
    const line = "| `DEEP_INFRA_API_KEY` | none | Key for Deep Infra |\n";
    expect(changed["README.md"]?.replace(line, "")).toBe(readRoot("README.md"));
    const words = JSON.parse(changed["packages/module-ai/i18n/de.json"] ?? "");
    expect(words).toMatchObject({ "Models of Deep Infra.": "Modelle von Deep Infra." });
    expect(Object.keys(words)).toEqual(Object.keys(words).toSorted());
  });

  it.each([
    ["Mistral", undefined, "is not a kind of provider"],
    ["a--b", undefined, "is not a kind of provider"],
    ["mistral", "api.mistral.ai", "is not an address"],
    ["mistral", "https://api.mistral.ai/v1/", "is not an address"],
    ["google", undefined, "googleProvider is listed already"],
  ])("refuses the provider %s at %s", (kind, address, why) => {
    expect(() => generateProvider(kind, address, readRoot)).toThrow(why);
  });

  it.each([
    ["Tide", "is not a kind of trigger"],
    ["schedule", "scheduleTrigger is listed already"],
  ])("refuses the trigger %s", (id, why) => {
    expect(() => generateTrigger(id, readRoot)).toThrow(why);
  });
});
