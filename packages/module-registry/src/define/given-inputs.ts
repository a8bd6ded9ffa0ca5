type Given = (name: string) => boolean;

interface GivenCheck {
  message: string;
  params: { readsNames: true };
  when(payload: { value: unknown }): boolean;
}

/**
 * A check of which inputs a node is given, for `refine`. It reads no values, so a definition is checked by it before any run,
 * also where the values are known in a run only.
 * @param isRight by the names of the inputs
 */
export function checkGiven(
  isRight: (has: Given) => boolean,
  message: string,
): [check: (input: object) => boolean, settings: GivenCheck] {
  const check = (input: object) =>
    isRight((name) => Object.hasOwn(input, name) && Reflect.get(input, name) !== undefined);
  const when = ({ value }: { value: unknown }) => typeof value === "object" && value !== null;
  return [check, { message, params: { readsNames: true }, when }];
}
