import { OvenError } from "@oven/contract";

const VARIABLE = /^OVEN_SQL_URL(?:_(\d+))?$/;

/**
 * Where `core.sql` of each tenant reads: `OVEN_SQL_URL` for the default tenant, `OVEN_SQL_URL_<tenant id>` for any other. A
 * tenant without a URL of its own has no database: one login never serves two tenants.
 * @throws OvenError INVALID_ENVIRONMENT
 */
export function readSqlUrls(environment: Readonly<Record<string, string | undefined>>): ReadonlyMap<number, string> {
  const urls = new Map<number, string>();
  for (const [name, value] of Object.entries(environment)) {
    const match = VARIABLE.exec(name);
    if (match === null || value === undefined || value === "") continue;
    if (!/^postgres(?:ql)?:$/.test(URL.parse(value)?.protocol ?? "")) {
      throw new OvenError("INVALID_ENVIRONMENT", `${name} is not a URL of a PostgreSQL server`, {
        status: 500,
        fix: `Write ${name}=postgres://login:password@host:5432/database.`,
      });
    }
    urls.set(Number(match[1] ?? 1), value);
  }
  return urls;
}
