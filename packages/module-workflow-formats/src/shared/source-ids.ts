/*
 * Users, runs and steps of runs have whole numbers for ids here; the document wants UUIDs. Version 8 leaves their content to
 * us: a mark, what it is the id of, the number, and for steps their place.
 */
const MARK = "6f76656e";
const KINDS = { user: "0001", run: "0002", step: "0003" } as const;
const RUN = /^6f76656e-0002-8000-8000-([0-9a-f]{12})$/;
const STEP = /^6f76656e-0003-80[0-9a-f]{2}-80[0-9a-f]{2}-([0-9a-f]{12})$/;

function encode(kind: keyof typeof KINDS, id: number, place = 0): string {
  const hex = place.toString(16).padStart(4, "0");
  return `${MARK}-${KINDS[kind]}-80${hex.slice(0, 2)}-80${hex.slice(2)}-${id.toString(16).padStart(12, "0")}`;
}

export const toUserUuid = (userId: number): string => encode("user", userId);
export const toRunUuid = (executionId: number): string => encode("run", executionId);
/** @param place of the step in the workflow as it ran, from 0 */
export const toStepInstanceUuid = (executionId: number, place: number): string => encode("step", executionId, place);

/** Undefined: not the id of a run. */
export const readRunUuid = (uuid: string): number | undefined => read(RUN, uuid);
/** The run of a step; undefined: not the id of a step that the engine ran. */
export const readStepInstanceUuid = (uuid: string): number | undefined => read(STEP, uuid);

function read(pattern: RegExp, uuid: string): number | undefined {
  const [, id] = pattern.exec(uuid.toLowerCase()) ?? [];
  return id === undefined ? undefined : Number.parseInt(id, 16);
}
