import type { Principal } from "@oven/contract";
import {
  BUILDER_WORKFLOW,
  type Building,
  FIRST_VERSION,
  type StartBuilding,
  type Workflow,
} from "@oven/contract/workflow";
import { requirePermission, type ServiceMap } from "@oven/module-registry";

const NAME_LENGTH = 60;

/** Conversations of persons with the builder: chats with its workflow, each about one agent workflow. */
export class ConversationService {
  readonly #services: ServiceMap;

  constructor(services: ServiceMap) {
    this.#services = services;
  }

  /**
   * Says the first words of a conversation; without a workflow in a new one, which ends at once until it is built.
   * @throws OvenError NOT_FOUND, FORBIDDEN, SHARED_WORKFLOW 403, and what beginning a chat throws
   */
  async start(principal: Principal, { message, workflowId }: StartBuilding): Promise<Building> {
    requirePermission(principal, workflowId === undefined ? "agent-workflows.create" : "agent-workflows.update");
    const { workflows } = this.#services.workflowPlatform.face("agent-workflow");
    const workflow =
      workflowId === undefined
        ? await workflows.create(principal, { name: toName(message), definition: FIRST_VERSION })
        : await workflows.getOwn(principal, String(workflowId));
    return this.#begin(principal, workflow, message);
  }

  /** This person's conversations about a workflow, the newest first. @throws OvenError NOT_FOUND */
  async list(principal: Principal, workflowId: number): Promise<Building[]> {
    const found = await this.#services.chats.about(principal, await this.#target(), { workflow: workflowId });
    return found.map(({ id, title, updatedAt }) => ({ chatId: id, workflowId, title, updatedAt }));
  }

  async #begin(principal: Principal, { id, name }: Workflow, message: string): Promise<Building> {
    const target = await this.#target();
    const chat = await this.#services.chats.begin(principal, { target, mapping: { input: { workflow: id } } }, message);
    return { chatId: chat.id, workflowId: id, title: chat.title ?? name, updatedAt: chat.updatedAt };
  }

  /** By its id: a tenant may have a workflow of its own with the same slug. */
  async #target(): Promise<{ kind: "agent-workflow"; id: number }> {
    const { workflows } = this.#services.workflowPlatform.face("agent-workflow");
    return { kind: "agent-workflow", id: await workflows.sharedId(BUILDER_WORKFLOW) };
  }
}

/** The first words, as the name of a workflow until a person gives it another. */
function toName(message: string): string {
  const [line = ""] = message.trim().split("\n", 1);
  if (line.length <= NAME_LENGTH) return line;
  const cut = line.slice(0, NAME_LENGTH - 1);
  const end = cut.lastIndexOf(" ");
  return `${end > NAME_LENGTH / 2 ? cut.slice(0, end) : cut}…`;
}
