/* Ids of the states that an executor becomes, by its place from 0. */
export const mainState = (place: number): string => `executor_${place + 1}`;
export const prepareState = (place: number): string => `${mainState(place)}_prepare`;
export const keepState = (place: number): string => `${mainState(place)}_keep`;
/** Of one item of a loop. */
export const itemState = (place: number): string => `${mainState(place)}_item`;
export const itemPrepareState = (place: number): string => `${itemState(place)}_prepare`;
export const itemKeepState = (place: number): string => `${itemState(place)}_keep`;

/** The place of the executor that a node belongs to; undefined: it belongs to none. */
export function placeOf(nodeId: string): number | undefined {
  const [, number] = /^executor_(\d+)(?:[_.]|$)/.exec(nodeId) ?? [];
  return number === undefined ? undefined : Number(number) - 1;
}
