import { expect, it } from "vitest";
import { ApiError, toReport } from "./api-error.ts";

it("reports the status of an answer", () => {
  expect(JSON.parse(toReport(new ApiError(409, { code: "STALE", message: "Changed" })))).toEqual({
    code: "STALE",
    status: 409,
    message: "Changed",
  });
});

it("reports no status of its own for what was no answer, and leaves the one in its details", () => {
  const details = { status: 500, body: "no" };
  expect(JSON.parse(toReport(new ApiError(0, { code: "HTTP_STATUS", message: "answered 500", details })))).toEqual({
    code: "HTTP_STATUS",
    message: "answered 500",
    details,
  });
});
