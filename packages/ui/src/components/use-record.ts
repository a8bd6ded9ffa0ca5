import { useGetOne } from "react-admin";

export interface Loaded<Row> {
  data: Row | undefined;
  error: unknown;
  refetch: () => void;
}

/**
 * One row by what stands in the address: an id or a slug. An answer of 404 is not asked for again. Lists leave fields out and
 * what they showed is at hand at once, so `detail` names a field that only the whole row has.
 */
export function useRecord<Row>(
  resource: string,
  id: string,
  {
    detail,
    askAgain,
    ...options
  }: {
    refetchOnWindowFocus?: boolean;
    detail?: keyof Row & string;
    /** Milliseconds until it is read again, while there is something to wait for. */
    askAgain?: (row: Row | undefined) => number | false;
  } = {},
): Loaded<Row> {
  const { data, error, refetch } = useGetOne(
    resource,
    { id },
    {
      retry: false,
      ...options,
      // cast: the caller names the row type of the resource
      ...(askAgain && { refetchInterval: ({ state }) => askAgain(state.data as Row | undefined) }),
    },
  );
  const isWhole = detail === undefined || (data !== undefined && detail in data);
  // cast: the caller names the row type of the resource
  return { data: isWhole ? (data as Row | undefined) : undefined, error, refetch: () => void refetch() };
}
