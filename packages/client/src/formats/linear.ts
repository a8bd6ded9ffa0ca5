import type {
  CustomAgent,
  CustomLlm,
  DataContainer,
  DataContainerInstance,
  Json,
  JsonObject,
  LinearInstance,
  LinearProblem,
  LinearStep,
  LinearStepInstance,
  LinearStepType,
  LinearTool,
  LinearTrigger,
  LinearWorkflow,
  LinearWorkflowWithDetails,
  StopChecker,
  StopCondition,
  TriggerType,
  UpdateDataContainer,
  UpdateDataInstance,
  UpdateLinearWorkflow,
} from "../generated/operations.ts";
import type { Http } from "../http.ts";

const INSTANCES = "linear-workflow-instances";

/** Changes of structure answer the whole workflow, as it is afterwards. */
function workflowClient(http: Http) {
  const at = (uuid: string, more = "") => `linear-workflows/${uuid}${more}`;
  return {
    create: (name: string, description: string) =>
      http.send<LinearWorkflow>("POST", "linear-workflows", { name, description }),
    get: (uuid: string) => http.find<LinearWorkflow>(at(uuid)),
    getWithDetails: (uuid: string) => http.find<LinearWorkflowWithDetails>(at(uuid, "/details")),
    list: () => http.send<LinearWorkflow[]>("GET", "linear-workflows"),
    update: (uuid: string, change: UpdateLinearWorkflow) => http.send<LinearWorkflow>("PUT", at(uuid), change),
    delete: (uuid: string) => http.send<void>("DELETE", at(uuid)),
    /** @param position -1: at the end */
    addNewStep: (uuid: string, type: LinearStepType, name: string, position = -1) =>
      http.send<LinearWorkflow>("POST", at(uuid, "/steps"), { type, name, position }),
    deleteStep: (uuid: string, step: string) => http.send<LinearWorkflow>("DELETE", at(uuid, `/steps/${step}`)),
    reorderSteps: (uuid: string, steps: readonly string[]) =>
      http.send<LinearWorkflow>("PUT", at(uuid, "/steps"), { steps }),
    setTrigger: (uuid: string, typeId: string) =>
      http.send<LinearWorkflow>("PUT", at(uuid, "/trigger"), { type_id: typeId }),
    removeTrigger: (uuid: string) => http.send<LinearWorkflow>("DELETE", at(uuid, "/trigger")),
    /** What keeps it from running; empty: nothing. */
    problems: (uuid: string) => http.send<LinearProblem[]>("GET", at(uuid, "/problems")),
    /** What is stored, by the document's names of tables and columns. */
    listRows: (uuid: string, table: string) => http.send<JsonObject[]>("GET", at(uuid, `/rows/${table}`)),
    createInstance: (uuid: string, data: Json) =>
      http.send<LinearInstance>("POST", at(uuid, "/instances"), { triggering_data: data }),
    getInstance: (uuid: string) => http.find<LinearInstance>(`${INSTANCES}/${uuid}`),
    listInstances: (uuid: string) => http.send<LinearInstance[]>("GET", at(uuid, "/instances")),
    cancelInstance: (uuid: string) => http.send<LinearInstance>("POST", `${INSTANCES}/${uuid}/cancel`),
    /** It can be stopped; all else of a run is its record. */
    updateInstance: (uuid: string, change: { status: "stopped" }) =>
      http.send<LinearInstance>("PUT", `${INSTANCES}/${uuid}`, change),
    /** Once it has ended, with its steps and its data. */
    deleteInstance: (uuid: string) => http.send<void>("DELETE", `${INSTANCES}/${uuid}`),
    listData: (uuid: string) => http.send<DataContainerInstance[]>("GET", `${INSTANCES}/${uuid}/data`),
    listAvailableTriggerTypes: () => http.send<TriggerType[]>("GET", "linear-trigger-types"),
    discoverMcpTools: () => http.send<LinearTool[]>("GET", "linear-mcp-tools"),
  };
}

function stepClient<Step extends LinearStep>(http: Http, path: string) {
  return {
    list: () => http.send<Step[]>("GET", path),
    get: (uuid: string) => http.find<Step>(`${path}/${uuid}`),
    save: (step: Step) => http.send<Step>("PUT", `${path}/${step.uuid}`, step),
    delete: (uuid: string) => http.send<void>("DELETE", `${path}/${uuid}`),
    /** A record of a step that is run elsewhere; the engine writes its own. */
    createInstance: (run: string, uuid: string) =>
      http.send<LinearStepInstance>("POST", `${path}/${uuid}/instances`, { workflow_instance_uuid: run }),
    listInstances: (run: string) => http.send<LinearStepInstance[]>("GET", `${INSTANCES}/${run}/steps`),
    getInstance: (uuid: string) => http.find<LinearStepInstance>(`linear-step-instances/${uuid}`),
    deleteInstance: (uuid: string) => http.send<void>("DELETE", `linear-step-instances/${uuid}`),
    saveInstance: (instance: LinearStepInstance) =>
      http.send<LinearStepInstance>("PUT", `linear-step-instances/${instance.uuid}`, instance),
  };
}

function modelStepClient<Step extends CustomLlm | CustomAgent>(http: Http, path: string) {
  return {
    ...stepClient<Step>(http, path),
    create: (name: string, model: string, systemPrompt: string) =>
      http.send<Step>("POST", path, { name, model, system_prompt: systemPrompt }),
  };
}

function triggerClient(http: Http) {
  const path = "linear-triggers";
  return {
    getAvailableTypes: () => http.send<TriggerType[]>("GET", "linear-trigger-types"),
    create: (workflow: string, typeId: string) =>
      http.send<LinearTrigger>("POST", path, { workflow_uuid: workflow, type_id: typeId }),
    get: (uuid: string) => http.find<LinearTrigger>(`${path}/${uuid}`),
    getForWorkflow: (workflow: string) => http.find<LinearTrigger>(`linear-workflows/${workflow}/trigger`),
    list: () => http.send<LinearTrigger[]>("GET", path),
    save: (trigger: LinearTrigger) => http.send<LinearTrigger>("PUT", `${path}/${trigger.uuid}`, trigger),
    delete: (uuid: string) => http.send<void>("DELETE", `${path}/${uuid}`),
  };
}

function dataContainerClient(http: Http) {
  const path = "linear-data-containers";
  return {
    create: () => http.send<DataContainer>("POST", path),
    get: (uuid: string) => http.find<DataContainer>(`${path}/${uuid}`),
    list: () => http.send<DataContainer[]>("GET", path),
    update: (uuid: string, change: UpdateDataContainer) => http.send<DataContainer>("PUT", `${path}/${uuid}`, change),
    /** With its values; refused while a step or a trigger uses it. */
    delete: (uuid: string) => http.send<void>("DELETE", `${path}/${uuid}`),
    createInstance: (
      run: string,
      container: string,
      raw: Json,
      { stepInstance = null, markdown = null }: { stepInstance?: string | null; markdown?: string | null } = {},
    ) =>
      http.send<DataContainerInstance>("POST", `${path}/${container}/instances`, {
        workflow_instance_uuid: run,
        raw_data: raw,
        step_instance_uuid: stepInstance,
        markdown_representation: markdown,
      }),
    getInstance: (uuid: string) => http.find<DataContainerInstance>(`linear-data-instances/${uuid}`),
    /** In whatever run, newest first. */
    listInstances: (container: string) => http.send<DataContainerInstance[]>("GET", `${path}/${container}/instances`),
    /** Changes data that a client has made. Data that a run has made itself cannot be changed. */
    updateInstance: (uuid: string, change: UpdateDataInstance) =>
      http.send<DataContainerInstance>("PUT", `linear-data-instances/${uuid}`, change),
    deleteInstance: (uuid: string) => http.send<void>("DELETE", `linear-data-instances/${uuid}`),
    resolveDataFromRun: (run: string, container: string, format: "compressed" | "uncompressed") =>
      http.send<Json>(
        "GET",
        `${path}/${container}/resolve?${new URLSearchParams({ workflow_instance_uuid: run, target_format: format })}`,
      ),
  };
}

/** Linear workflows with data containers, under their document's names. */
export function createLinearClient(http: Http) {
  return {
    workflow: workflowClient(http),
    llm: modelStepClient<CustomLlm>(http, "linear-llm-steps"),
    agent: {
      ...modelStepClient<CustomAgent>(http, "linear-agent-steps"),
      discoverMcpTools: () => http.send<LinearTool[]>("GET", "linear-mcp-tools"),
    },
    checker: {
      ...stepClient<StopChecker>(http, "linear-checker-steps"),
      create: (name: string, conditions: StopCondition[]) =>
        http.send<StopChecker>("POST", "linear-checker-steps", { name, stop_conditions: conditions }),
    },
    trigger: triggerClient(http),
    dataContainer: dataContainerClient(http),
  };
}
