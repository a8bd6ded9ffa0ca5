/*
 * Who may import whom: apps → modules → engine, db, module-registry → contract. Between modules only what is listed.
 * A rule names packages by folder.
 */
/** Stands for all modules. */
export const EVERY_MODULE = "module-*";

/** What a module may import that has no rule of its own. */
export const FOUNDATION = ["contract", "db", "engine", "module-registry"];

export const MAY_IMPORT: Record<string, readonly string[]> = {
  contract: [],
  db: ["contract"],
  scope: ["contract"],
  engine: ["contract", "scope"],
  "module-registry": ["contract", "db"],
  "api-documents": ["contract"],
  // Verifiers stand alone: whoever has a receipt trusts nothing else of OVEN.
  receipts: [],
  sandbox: ["contract"],
  i18n: [],
  ui: ["contract", "i18n"],
  "workflow-editor": ["contract", "i18n", "scope", "ui"],
  client: ["contract"],
  testing: ["contract", "db"],
  "module-workflows": [...FOUNDATION, "sandbox"],
  "module-roles": FOUNDATION,
  "module-ai": FOUNDATION,
  "module-agent-core": FOUNDATION,
  "module-workflow-agents": [...FOUNDATION, "scope", "sandbox", "module-workflows", "module-ai", "module-agent-core"],
  "module-triggers": [...FOUNDATION, "module-roles", "module-workflows"],
  "module-evals": [
    ...FOUNDATION,
    "module-roles",
    "module-workflows",
    "module-ai",
    "module-agent-core",
    "module-workflow-agents",
  ],
  "module-demo": [...FOUNDATION, "module-ai", "module-agent-core", "module-workflow-agents", "module-evals"],
  "module-workflow-formats": [
    ...FOUNDATION,
    "module-workflows",
    "module-ai",
    "module-agent-core",
    "module-workflow-agents",
    "module-triggers",
    "module-notifications",
  ],
  "module-promotion": [
    ...FOUNDATION,
    "module-workflows",
    "module-ai",
    "module-agent-core",
    "module-workflow-agents",
    "module-triggers",
    "module-tables",
  ],
  "module-notifications": [...FOUNDATION, "module-roles", "module-workflows"],
  "module-mcp-connections": [...FOUNDATION, "module-workflows", "module-agent-core", "module-workflow-agents"],
  "module-a2a": [...FOUNDATION, "module-workflows", "module-agent-core", "module-workflow-agents"],
  "module-api-connections": [
    ...FOUNDATION,
    "api-documents",
    "module-workflows",
    "module-agent-core",
    "module-workflow-agents",
  ],
  // Beyond what it needs, its tests run agent workflows.
  "module-chat": [...FOUNDATION, "module-workflows", "module-agent-core", "module-workflow-agents"],
  "module-tables": [...FOUNDATION, "module-workflows", "module-agent-core"],
  // Beyond what it needs, its tests run agent workflows.
  "module-receipts": [...FOUNDATION, "receipts", "module-workflows", "module-agent-core", "module-workflow-agents"],
  "module-builder": [
    ...FOUNDATION,
    "scope",
    "module-roles",
    "module-workflows",
    "module-ai",
    "module-agent-core",
    "module-workflow-agents",
    "module-chat",
  ],
  // Beyond module-chat, which asks: its tests run agents and workflows.
  "module-openai-api": [
    ...FOUNDATION,
    "module-chat",
    "module-workflows",
    "module-agent-core",
    "module-workflow-agents",
  ],
  // Beyond module-chat, which asks, and module-notifications, which knows the messengers: its tests run agents.
  "module-bots": [
    ...FOUNDATION,
    "module-roles",
    "module-chat",
    "module-notifications",
    "module-workflows",
    "module-agent-core",
    "module-workflow-agents",
  ],
  "module-embed": [
    ...FOUNDATION,
    "module-roles",
    "module-chat",
    "module-triggers",
    "module-workflows",
    "module-agent-core",
    "module-workflow-agents",
  ],
  installation: [...FOUNDATION, EVERY_MODULE],
};

/** What runs in a browser: the pages of modules (`packages/module-x/src/ui`) and the dashboard's shell. */
export const BROWSER_MAY_IMPORT: readonly string[] = ["client", "contract", "i18n", "ui", "workflow-editor"];

/** Modules whose pages show pages of another module. The shell shows those of all. */
export const PAGES_OF_OTHERS: Record<string, readonly string[]> = { "module-workflow-agents": ["module-workflows"] };

/** What pages share with their module's server. Nothing else of a server may get into a browser. */
export const SHARED_WITH_PAGES: readonly string[] = ["menu.ts", "shapes.ts"];

/** Tests may also use these. */
export const TESTS_MAY_IMPORT: readonly string[] = [
  "engine",
  "testing",
  "client",
  "module-roles",
  "module-ai",
  "module-agent-core",
];

/** Nothing of a product's code starts a process: what an author or an import names is never a command. */
export const FORBIDDEN_EVERYWHERE: readonly string[] = ["node:child_process", "child_process", "node:vm", "vm"];

/** The one file that starts processes: always this very Node with a file of its own package, never with what anyone has named. */
export const STARTS_PROCESSES = "packages/sandbox/src/pool/code-process.ts";

/** Parts that can each be deleted by itself: all that stands in the places of the rule under the part's name. */
export interface PartsRule {
  /** The first is the part's home: what stands in the others without it is left over. */
  places: readonly PartPlace[];
  /** Files elsewhere that go with a part, by its name. */
  deletedWith?: Readonly<Record<string, readonly string[]>>;
}

export interface PartPlace {
  /** With `*` for the part's name: the index file of a folder, or one file. */
  path: string;
  /** The one file outside that names it, in one line for each part. Absent: only the part itself names it. */
  list?: string;
}

export const PARTS: readonly PartsRule[] = [
  {
    places: [
      {
        path: "packages/module-workflow-formats/src/formats/*/index.ts",
        list: "packages/module-workflow-formats/src/formats.ts",
      },
      {
        path: "packages/module-workflow-formats/src/ui/formats/*/index.tsx",
        list: "packages/module-workflow-formats/src/ui/formats.ts",
      },
      { path: "packages/contract/src/formats/*.ts" },
      { path: "packages/client/src/formats/*.ts", list: "packages/client/src/formats.ts" },
    ],
    deletedWith: { chains: ["apps/cli/src/trace.command.ts", "apps/dashboard/e2e/formats.test.ts"] },
  },
  {
    places: [
      {
        path: "packages/module-workflow-formats/src/importers/*/index.ts",
        list: "packages/module-workflow-formats/src/importers.ts",
      },
    ],
  },
];
