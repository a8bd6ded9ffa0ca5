import { type JsonObject, OvenError } from "@oven/contract";
import { type Neo4jPath, type Neo4jStep, toDocument } from "./neo4j-graph.ts";

const URL_KEY = "OVEN_NEO4J_URL";
const TIMEOUT_MS = 15_000;
const MAX_ROWS = 10_000;

const STEPS = `MATCH (s:STEP) WHERE $graph IS NULL OR s.graph = $graph
RETURN s.id AS id, s.function AS function, s.input AS input, s.description AS description ORDER BY s.id LIMIT ${MAX_ROWS + 1}`;
const PATHS = `MATCH (a:STEP)-[n:NEXT]->(b:STEP) WHERE $graph IS NULL OR (a.graph = $graph AND b.graph = $graph)
RETURN a.id AS from, b.id AS to, n.conditions AS conditions, n.operator AS operator, n.priority AS priority
ORDER BY a.id, n.priority, b.id LIMIT ${MAX_ROWS + 1}`;

/** Reads graphs from the Neo4j database that the operator opened to a tenant. */
export interface Neo4jSource {
  /**
   * @param graph the property `graph` of its steps; null: all steps are of one graph
   * @param more of the document, such as its name
   * @throws OvenError NEO4J_NOT_CONFIGURED 422, NEO4J_UNREACHABLE 503
   */
  read(tenantId: number, graph: string | null, more?: JsonObject): Promise<JsonObject>;
}

/** Each tenant has a login of its own, as databases have: `OVEN_NEO4J_URL` is the default tenant's. */
export function createNeo4jSource(environment: Record<string, string | undefined>): Neo4jSource {
  return {
    async read(tenantId, graph, more = {}) {
      const key = tenantId === 1 ? URL_KEY : `${URL_KEY}_${tenantId}`;
      const url = environment[key];
      if (url === undefined || url === "") {
        throw new OvenError("NEO4J_NOT_CONFIGURED", "No Neo4j database is opened to this tenant", {
          status: 422,
          fix: `An operator sets ${key}, such as bolt://reader:password@host:7687/neo4j.`,
        });
      }
      return readGraph(url, graph, more);
    },
  };
}

async function readGraph(url: string, graph: string | null, more: JsonObject): Promise<JsonObject> {
  const { address, user, password, database } = readUrl(url);
  // Only where one is configured.
  const { default: neo4j } = await import("neo4j-driver");
  const driver = neo4j.driver(address, user === "" ? undefined : neo4j.auth.basic(user, password), {
    disableLosslessIntegers: true,
    connectionTimeout: TIMEOUT_MS,
    connectionAcquisitionTimeout: TIMEOUT_MS,
    maxTransactionRetryTime: 0,
    maxConnectionPoolSize: 1,
    telemetryDisabled: true,
    userAgent: "oven",
  });
  try {
    const session = driver.session({
      defaultAccessMode: neo4j.session.READ,
      ...(database === "" ? {} : { database }),
    });
    try {
      const rows = async <T>(query: string): Promise<T[]> => {
        const { records } = await session.run(query, { graph }, { timeout: TIMEOUT_MS });
        if (records.length > MAX_ROWS) {
          throw new OvenError("SOURCE_INVALID", `The graph has over ${MAX_ROWS} steps or paths`, {
            status: 422,
            fix: "Name the graph whose steps are meant.",
          });
        }
        return records.map((record) => record.toObject() as T); // cast: as the query returns them
      };
      const steps = await rows<Neo4jStep>(STEPS);
      return toDocument(steps, await rows<Neo4jPath>(PATHS), more);
    } finally {
      await session.close();
    }
  } catch (error) {
    if (error instanceof OvenError) throw error;
    // The driver's words; neither address nor login are in them.
    const why = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw new OvenError(
      "NEO4J_UNREACHABLE",
      `The graph could not be read from Neo4j: ${why?.replaceAll(password || "\0", "…")}`,
      {
        status: 503,
        fix: "Check the address, the login, and that the server is running.",
        cause: error,
      },
    );
  } finally {
    await driver.close();
  }
}

function readUrl(url: string): { address: string; user: string; password: string; database: string } {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch (cause) {
    throw new OvenError("NEO4J_NOT_CONFIGURED", `${URL_KEY} is no address`, {
      status: 422,
      fix: "Write it as bolt://reader:password@host:7687/neo4j.",
      cause,
    });
  }
  const { protocol, host, username, password, pathname } = parsed;
  return {
    address: `${protocol}//${host}`,
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: pathname.replace(/^\//, ""),
  };
}
