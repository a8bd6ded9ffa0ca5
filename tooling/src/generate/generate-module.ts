import type { GeneratedFile } from "./generated-file.ts";
import { toPascal, toTitle } from "./names.ts";

export interface GeneratedModule {
  files: GeneratedFile[];
  /** What is left to do by hand, line by line: it decides who may depend on whom. */
  steps: string[];
}

/** The package of a new module. @param given such as `billing`; `module-billing` means the same */
export function generateModule(given: string): GeneratedModule {
  const name = given.replace(/^module-/, "");
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    throw new Error(`${JSON.stringify(given)} is not a module name; use lower-case letters, digits and single dashes`);
  }
  const folder = `packages/module-${name}`;
  const create = `create${toPascal(name)}Module`;
  const title = toTitle(name);
  const file = (path: string, text: string): GeneratedFile => ({ path: `${folder}/${path}`, text, kind: "new" });
  return {
    files: [
      file("package.json", manifest(name, title)),
      file("README.md", readme(name, title)),
      file("src/index.ts", `export { ${create} } from "./${name}.module.ts";\n`),
      file(`src/${name}.module.ts`, moduleSource(name, create, title)),
      file(`src/${name}.module.test.ts`, moduleTest(name, create)),
    ],
    steps: [
      `tooling/src/layers/layer-rules.ts, in MAY_IMPORT: "module-${name}": FOUNDATION,`,
      `packages/installation/package.json, in dependencies: "@oven/module-${name}": "workspace:*"`,
      `packages/installation/src/modules.ts: import { ${create} } from "@oven/module-${name}"; and in the list: ${create}(),`,
      "npx -y pnpm@12.21.0 install",
    ],
  };
}

function manifest(name: string, title: string): string {
  const json = {
    name: `@oven/module-${name}`,
    version: "0.1.0",
    private: true,
    description: `${title}.`,
    type: "module",
    exports: { ".": "./src/index.ts" },
    dependencies: { "@oven/module-registry": "workspace:*" },
    devDependencies: { "@oven/module-roles": "workspace:*", "@oven/testing": "workspace:*" },
  };
  return `${JSON.stringify(json, null, 2)}\n`;
}

function readme(name: string, title: string): string {
  return `# module-${name}

${title}.

| I want to … | go to … |
| --- | --- |
| see what it registers | \`src/${name}.module.ts\` |
| add a route, node, tool, event or permission | a file of its own, and its line in that one |
| add a table | \`src/tables/\`, \`src/schema.ts\`, then \`pnpm migrations\` |
`;
}

function moduleSource(name: string, create: string, title: string): string {
  return `import { defineModule, type ModuleDefinition, READING_ROLES } from "@oven/module-registry";

export function ${create}(): ModuleDefinition {
  return defineModule({
    name: "module-${name}",
    namespace: "${name}",
    description: "${title}.",
    dependencies: ["module-registry"],
    permissions: [{ id: "${name}.read", title: "See ${title.toLowerCase()}", roles: READING_ROLES }],
  });
}
`;
}

function moduleTest(name: string, create: string): string {
  return `import { createRuntime, createSystemModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven } from "@oven/testing";
import { expect, it } from "vitest";
import { ${create} } from "./${name}.module.ts";

it("is listed with what it brings", async () => {
  const modules = [createSystemModule(), createRolesModule(), ${create}()];
  const oven = await startTestOven({ createRuntime, modules });
  try {
    const { body } = await oven.call("GET", "modules");
    expect(body).toContainEqual(expect.objectContaining({ name: "module-${name}", permissions: ["${name}.read"] }));
  } finally {
    await oven.stop();
  }
});
`;
}
