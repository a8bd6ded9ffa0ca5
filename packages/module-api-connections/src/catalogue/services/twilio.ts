import type { CataloguedService } from "@oven/contract/api";

export const twilio: CataloguedService = {
  slug: "twilio",
  name: "Twilio",
  category: "communication",
  description: "Text messages, calls and phone numbers.",
  documentation: "https://www.twilio.com/docs/usage/api",
  source: {
    type: "url",
    url: "https://raw.githubusercontent.com/twilio/twilio-oai/main/spec/json/twilio_api_v2010.json",
  },
  serverUrl: "https://api.twilio.com",
  auth: {
    type: "basic",
  },
  steps: [
    "In the Twilio console, create an API key of the type restricted or standard.",
    "The user is the key's SID, which begins with SK; the password is its secret.",
  ],
  operations: [
    "POST /2010-04-01/Accounts/{AccountSid}/Messages.json",
    "GET /2010-04-01/Accounts/{AccountSid}/Messages.json",
    "GET /2010-04-01/Accounts/{AccountSid}/Messages/{Sid}.json",
    "GET /2010-04-01/Accounts/{AccountSid}/Calls.json",
    "GET /2010-04-01/Accounts/{AccountSid}/IncomingPhoneNumbers.json",
    "GET /2010-04-01/Accounts/{AccountSid}/Balance.json",
  ],
  notes: [],
  checkedAt: "2026-11-29",
};
