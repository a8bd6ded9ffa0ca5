import type { Json } from "@oven/contract";
import type { MenuItem, ResourceInfo } from "@oven/contract/system";
import type { Database } from "@oven/db";
import type { PgTable } from "@oven/db/pg-core";
import type { z } from "zod";
import type { ActionDefinition } from "./define-action.ts";
import type { Gauge } from "./define-gauge.ts";
import type { NodeDefinition } from "./define-node.ts";
import type { Route } from "./define-route.ts";
import type { ToolDefinition } from "./define-tool.ts";
import type { TriggerDefinition } from "./define-trigger.ts";
import type { EnvironmentVariable } from "./environment-variable.ts";
import type { Listener, SelectiveListener } from "./listener.ts";
import type { PersonData } from "./person-data.ts";
import type { ServiceMap } from "./services.ts";

export interface ConfigKey {
  key: string;
  type: "number" | "string" | "boolean" | "object" | "array";
  description: string;
  defaultValue: Json;
  /** What else a value must fulfil, such as a range. */
  schema?: z.ZodType;
  /** What an instance of this key is, such as "id of a workflow"; absent: the key has no values for single instances. */
  instances?: string;
}

/** A built-in role that holds a permission only where the permission says so. Owners and admins hold all. */
export type GrantedRole = "editor" | "operator" | "reviewer" | "viewer" | "auditor";

/** The roles that may read data without secrets, accounts or contents of conversations. */
export const READING_ROLES = ["editor", "operator", "viewer", "auditor"] as const satisfies readonly GrantedRole[];
/** The roles that may use and run what editors made. */
export const RUNNING_ROLES = ["editor", "operator"] as const satisfies readonly GrantedRole[];

export interface Permission {
  /** `resource.action`. */
  id: string;
  title: string;
  /** The built-in roles that hold it, besides owner and admin. Left out: only these two. */
  roles?: readonly GrantedRole[];
  /** Owners hold it, and roles that they make; admins do not. All permissions of its resource must say so: admins hold whole resources. */
  ownersOnly?: true;
}

/** What a module gets when the runtime starts. */
export interface ModuleDeps {
  db: Database;
  services: ServiceMap;
  registry: RegistryView;
  environment: RuntimeEnvironment;
}

/** Settings every module may read; validated once at start. */
export interface RuntimeEnvironment {
  publicUrl: string;
  dataDir: string;
  /** Root secret, from which keys are derived. */
  secret: string;
  /** Earlier root secrets: what they sealed can still be opened. */
  previousSecrets?: readonly string[];
  demo: boolean;
  bootstrapApiKey: string | undefined;
  /** The variables that modules declare, by name, as far as they are set. */
  variables?: Readonly<Record<string, string | undefined>>;
  /** Origins that outbound calls may reach although their address is not public. */
  outboundAllow: readonly string[];
  /** Absent: this process works on runs. */
  worker?: WorkerSettings;
  production: boolean;
  /** Of the source that runs here, where it is known. */
  commit?: string;
}

/** The part of this process in the work on runs. */
export interface WorkerSettings {
  /** False: other processes do all of it. */
  enabled: boolean;
  /** How many runs are worked on at once. */
  concurrency: number;
  /** Milliseconds that in-flight calls may take after the process is asked to stop. */
  drainMs: number;
}

/** All that is registered, as other modules may see it. */
export interface RegistryView {
  modules(): readonly ModuleDefinition[];
  routes(): readonly { module: ModuleDefinition; route: Route }[];
  nodes(): readonly { module: ModuleDefinition; node: NodeDefinition }[];
  tools(): readonly { module: ModuleDefinition; tool: ToolDefinition }[];
  triggers(): readonly { module: ModuleDefinition; trigger: TriggerDefinition }[];
  permissions(): readonly Permission[];
}

export interface ModuleDefinition {
  name: string;
  /** First part of the ids of its API nodes, tools and events. */
  namespace: string;
  description: string;
  dependencies: string[];
  schema: Record<string, PgTable>;
  /** Folder of generated migrations; absent when the module has no tables. */
  migrations?: URL;
  routes: Route[];
  /** Other names of paths: `{"mcp-server-definitions": "mcp-servers"}` answers below the first as below the second. */
  pathAliases: Readonly<Record<string, string>>;
  nodes: NodeDefinition[];
  tools: ToolDefinition[];
  /** What conversations may do here; each is a tool. */
  actions: ActionDefinition[];
  /** Kinds of triggers. */
  triggers: TriggerDefinition[];
  events: { emits: Record<string, z.ZodObject>; listeners: Record<string, Listener | SelectiveListener> };
  permissions: Permission[];
  configSchema: ConfigKey[];
  /** What it reads of the process's environment; handed over in `environment.variables`. */
  variables: readonly EnvironmentVariable[];
  /** What it measures of the installation, for `/api/metrics`. */
  gauges: Gauge[];
  /** What it holds of persons; absent: it was not said, which a test of the installation refuses. */
  personData?: PersonData;
  resources: ResourceInfo[];
  menuItems: MenuItem[];
  /** Builds the module's in-process face and puts it into `services`. */
  services?(deps: ModuleDeps): Promise<Partial<ServiceMap>>;
  /** Idempotent; never deletes. */
  seed?(deps: ModuleDeps): Promise<void>;
  /** Starts background work once every module is ready. */
  start?(deps: ModuleDeps): Promise<void>;
  stop?(deps: ModuleDeps): Promise<void>;
}

type Optional =
  | "schema"
  | "routes"
  | "pathAliases"
  | "nodes"
  | "tools"
  | "actions"
  | "triggers"
  | "events"
  | "permissions"
  | "configSchema"
  | "variables"
  | "gauges"
  | "resources"
  | "menuItems";

/** Declares a module; what it does not have may be left out. */
export function defineModule(
  module: Omit<ModuleDefinition, Optional> & Partial<Pick<ModuleDefinition, Optional>>,
): ModuleDefinition {
  return {
    schema: {},
    routes: [],
    pathAliases: {},
    nodes: [],
    tools: [],
    actions: [],
    triggers: [],
    events: { emits: {}, listeners: {} },
    permissions: [],
    configSchema: [],
    variables: [],
    gauges: [],
    resources: [],
    menuItems: [],
    ...module,
  };
}
