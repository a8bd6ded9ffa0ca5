/** What a timestamp of the States Language is: RFC 3339 with a capital T and Z, on a day that the calendar has, from the year 1 on. */
const DAY = [
  "(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])",
  "(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)",
  "02-(?:0[1-9]|1[0-9]|2[0-8])",
].join("|");
const YEAR = "(?:000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})";
const LEAP = "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)";
const TIME = "T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:[.][0-9]{1,9})?(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])";

/** Its pattern, which RE2 and JavaScript read alike. */
const TIMESTAMP = `^(?:${YEAR}-(?:${DAY})|${LEAP}-02-29)${TIME}$`;

export const isTimestamp = (text: unknown): text is string =>
  typeof text === "string" && new RegExp(TIMESTAMP).test(text);

/** Whether a value in CEL is one. */
export const celIsTimestamp = (value: string): string =>
  `type(${value}) == string && ${value}.matches(${JSON.stringify(TIMESTAMP)})`;
