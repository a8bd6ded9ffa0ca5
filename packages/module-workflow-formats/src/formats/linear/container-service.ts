import { type Json, OvenError, type Principal } from "@oven/contract";
import type {
  DataContainer,
  DataContainerInstance,
  UpdateDataContainer,
  UpdateDataInstance,
} from "@oven/contract/formats/linear.ts";
import { and, eq } from "@oven/db/drizzle";
import { callerOf } from "@oven/module-ai";
import { ownerOf } from "../../shared/owner.ts";
import { toRunUuid, toUserUuid } from "../../shared/source-ids.ts";
import { type DataInstanceRow, type DataInstances, toDataInstance } from "./data-instances.ts";
import type { InstanceService } from "./instance-service.ts";
import type { LinearDeps } from "./linear-compiler.ts";
import { orNameTaken } from "./linear-store.ts";
import { dataContainerInstances, dataContainers } from "./tables/data-containers.table.ts";

/** Data containers and the values that clients put into them. */
export class ContainerService {
  readonly #deps: LinearDeps;
  readonly #data: DataInstances;
  readonly #instances: InstanceService;

  constructor(deps: LinearDeps, parts: { data: DataInstances; instances: InstanceService }) {
    this.#deps = deps;
    this.#data = parts.data;
    this.#instances = parts.instances;
  }

  async list(principal: Principal): Promise<DataContainer[]> {
    return (await this.#deps.store.listContainers(ownerOf(principal))).map(toDataContainer);
  }

  async create(principal: Principal): Promise<DataContainer> {
    return toDataContainer(await this.#deps.store.createContainer(ownerOf(principal)));
  }

  /** @throws OvenError NOT_FOUND */
  async get(principal: Principal, uuid: string): Promise<DataContainer> {
    return toDataContainer(await this.#deps.store.container(ownerOf(principal), uuid));
  }

  /** @throws OvenError NOT_FOUND, NAME_TAKEN 409 */
  async update(principal: Principal, uuid: string, { name }: UpdateDataContainer): Promise<DataContainer> {
    const { db, store } = this.#deps;
    const row = await store.container(ownerOf(principal), uuid);
    await orNameTaken(name, () => db.orm.update(dataContainers).set({ name }).where(eq(dataContainers.uuid, row.uuid)));
    return this.get(principal, uuid);
  }

  /** With its values. @throws OvenError NOT_FOUND, DATA_IN_USE 409 naming what uses it */
  async delete(principal: Principal, uuid: string): Promise<void> {
    const { db, store } = this.#deps;
    const owner = ownerOf(principal);
    await db.jointly(async () => {
      await store.container(owner, uuid, true);
      const [user, ...others] = await store.usersOfContainer(owner, uuid);
      if (user !== undefined) {
        throw inUse(
          `The data container ${uuid} is used by ${user}${others.length === 0 ? "" : ` and ${others.length} more`}`,
          "Delete what uses it, or take it out of there, first.",
        );
      }
      await db.orm
        .delete(dataContainerInstances)
        .where(
          and(eq(dataContainerInstances.tenantId, owner.tenantId), eq(dataContainerInstances.containerUuid, uuid)),
        );
      await db.orm.delete(dataContainers).where(eq(dataContainers.uuid, uuid));
    });
  }

  /** The latest values it had, in whatever run. @throws OvenError NOT_FOUND */
  async listInstances(principal: Principal, uuid: string): Promise<DataContainerInstance[]> {
    await this.#deps.store.container(ownerOf(principal), uuid);
    return (await this.#data.ofContainer(ownerOf(principal), uuid)).map(toDataInstance);
  }

  /** @throws OvenError NOT_FOUND */
  async getInstance(principal: Principal, uuid: string): Promise<DataContainerInstance> {
    return toDataInstance(await this.#instance(principal, uuid));
  }

  /** Summarised anew. @throws OvenError NOT_FOUND, DATA_IN_USE 409 for what a run made itself */
  async updateInstance(
    principal: Principal,
    uuid: string,
    { raw_data, markdown_representation: markdown }: UpdateDataInstance,
    signal: AbortSignal,
  ): Promise<DataContainerInstance> {
    const row = await this.#ofClient(principal, uuid);
    const call = { caller: callerOf(principal, undefined), signal };
    // cast: it came as JSON
    return toDataInstance(await this.#data.change(row, { raw: raw_data as Json, markdown }, call));
  }

  /** @throws OvenError NOT_FOUND, DATA_IN_USE 409 for what a run made itself */
  async deleteInstance(principal: Principal, uuid: string): Promise<void> {
    await this.#data.delete(await this.#ofClient(principal, uuid));
  }

  async #instance(principal: Principal, uuid: string): Promise<DataInstanceRow> {
    const row = await this.#data.get(principal, uuid);
    await this.#instances.executionOf(principal, toRunUuid(row.executionId));
    return row;
  }

  async #ofClient(principal: Principal, uuid: string): Promise<DataInstanceRow> {
    const row = await this.#instance(principal, uuid);
    if (row.madeBy === null) return row;
    throw inUse(
      `The data instance ${uuid} is what the run ${toRunUuid(row.executionId)} made itself: it is part of its record`,
      "Put a newer value into the container, or delete the workflow with its runs.",
    );
  }
}

const inUse = (message: string, fix: string) => new OvenError("DATA_IN_USE", message, { status: 409, fix });

const toDataContainer = ({ uuid, userId, name }: typeof dataContainers.$inferSelect): DataContainer => ({
  uuid,
  user_id: toUserUuid(userId),
  name,
});
