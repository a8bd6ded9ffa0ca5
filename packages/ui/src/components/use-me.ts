import { useGetIdentity } from "react-admin";

/** The id of the user who is signed in; undefined until it is known. */
export function useMe(): number | undefined {
  const { identity } = useGetIdentity();
  return identity === undefined ? undefined : Number(identity.id);
}
