import type { Operations } from "./generated/operations.ts";
import type { CallOptions, Http } from "./http.ts";

/** Method and path of a route, such as `GET /agent-workflows/{id}`. */
export type OperationName = keyof Operations;

type Field<Name extends OperationName, Key extends string> = Operations[Name] extends { [K in Key]: infer Value }
  ? { [K in Key]: Value }
  : Operations[Name] extends { [K in Key]?: infer Value }
    ? { [K in Key]?: Value }
    : unknown;

type Path<Name extends OperationName> = Operations[Name] extends { path: infer Value }
  ? { path: { [Key in keyof Value]: string | number } }
  : unknown;

/** What a route takes: `path`, `query` and `body`, as far as it has them. */
export type OperationInput<Name extends OperationName> = Path<Name> & Field<Name, "query"> & Field<Name, "body">;

export type OperationAnswer<Name extends OperationName> = Operations[Name]["answer"];

/** The second argument may be left out where nothing in it is needed. */
export type OperationArguments<Name extends OperationName> =
  Record<never, never> extends OperationInput<Name>
    ? [input?: OperationInput<Name> & CallOptions]
    : [input: OperationInput<Name> & CallOptions];

/** Calls any route of the API. */
export type Call = <Name extends OperationName>(
  name: Name,
  ...given: OperationArguments<Name>
) => Promise<OperationAnswer<Name>>;

interface Given extends CallOptions {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

export function createCall(http: Http): Call {
  return (name, ...[given]) => {
    const { path = {}, query, body, ...options }: Given = given ?? {};
    const [method = "", template = ""] = name.split(" ");
    const filled = template.replace(/\{(\w+)\}/g, (_, key: string) => {
      // Without it, another route would answer.
      if (path[key] === undefined || path[key] === "") throw new TypeError(`${name} needs path.${key}`);
      return encodeURIComponent(String(path[key]));
    });
    return http.send(method, filled.slice(1), body, { ...options, ...(query === undefined ? {} : { query }) });
  };
}
