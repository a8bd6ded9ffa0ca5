import { intersectPermissions, isGranted, type JsonObject, type Principal } from "@oven/contract";
import type { ExecutionKind } from "@oven/contract/run";
import type { Definition } from "@oven/contract/workflow";
import type { CallClosure } from "../definitions/call-closure.ts";
import { pinKey } from "../definitions/called-workflows.ts";
import type { RegisteredNodes } from "../nodes/node-catalog.ts";
import type { PolicyService } from "../policies/policy-service.ts";
import { type NeededPermissions, type NeedOptions, neededPermissions } from "./needed-permissions.ts";

export interface VersionGrantsDeps {
  nodes: RegisteredNodes;
  calls: CallClosure;
  policies: Pick<PolicyService, "factsOf">;
}

/** A workflow whose own definition is looked at. */
export interface Self {
  kind: ExecutionKind;
  id: number;
}

export interface LookOptions extends Pick<NeedOptions, "agent"> {
  self?: Self | undefined;
}

/** What a version is granted when it is published: the permissions that its steps need, as far as its publisher has them. */
export class VersionGrants {
  readonly #deps: VersionGrantsDeps;

  constructor(deps: VersionGrantsDeps) {
    this.#deps = deps;
  }

  /** What a valid definition needs, with all that it calls as that is now. */
  needs(principal: Principal, definition: JsonObject, { self, agent }: LookOptions = {}): Promise<NeededPermissions> {
    const { nodes, calls, policies } = this.#deps;
    const sources = {
      node: nodes.get.bind(nodes),
      facts: policies.factsOf(principal.tenantId),
      called: async (call: Parameters<CallClosure["find"]>[1]) => {
        const found = await calls.find(principal, call);
        return found && { key: pinKey(call.kind, found.id, call.version), definition: toDefinition(found.definition) };
      },
    };
    const key = self && pinKey(self.kind, self.id);
    return neededPermissions(toDefinition(definition), sources, { self: key, agent });
  }

  /** What a version is granted whose publisher has these permissions, in the order of the alphabet. */
  cut({ required, optional, computed }: NeededPermissions, { permissions, tenantId }: Cutter): string[] {
    const known = [...required.keys(), ...optional].filter((permission) => isGranted(permissions, permission));
    // What is chosen at run time can be any step or tool that the publisher might use.
    const chosen = computed.length === 0 ? [] : intersectPermissions(permissions, this.#usableInRuns(tenantId));
    return [...new Set([...known, ...chosen])].sort();
  }

  async grant(principal: Principal, definition: JsonObject, options: LookOptions = {}): Promise<string[]> {
    return this.cut(await this.needs(principal, definition, options), principal);
  }

  #usableInRuns(tenantId: number): string[] {
    const { nodes, policies } = this.#deps;
    const ofNodes = nodes.all().flatMap(({ node }) => node.permissions ?? []);
    const ofTools = policies.factsOf(tenantId).everyTool();
    return [
      ...new Set([...ofNodes, ...ofTools.flatMap(({ permissions, mayNeed = [] }) => [...permissions, ...mayNeed])]),
    ];
  }
}

type Cutter = Pick<Principal, "permissions" | "tenantId">;

function toDefinition(definition: JsonObject): Definition {
  return definition as unknown as Definition; // cast: only valid definitions are looked at
}
