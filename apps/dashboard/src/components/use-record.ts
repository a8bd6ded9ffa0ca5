import { useGetOne } from "react-admin";

export interface Loaded<Row> {
  data: Row | undefined;
  error: unknown;
  refetch: () => void;
}

/** One row by what stands in the address: an id or a slug. An answer of 404 is not asked for again. */
export function useRecord<Row>(
  resource: string,
  id: string,
  options: { refetchOnWindowFocus?: boolean } = {},
): Loaded<Row> {
  const { data, error, refetch } = useGetOne(resource, { id }, { retry: false, ...options });
  // cast: the caller names the row type of the resource
  return { data: data as Row | undefined, error, refetch: () => void refetch() };
}
