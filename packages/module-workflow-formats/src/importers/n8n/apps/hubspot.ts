import type { Json, JsonObject } from "@oven/contract";
import { fieldsOf, operationOf } from "./app-fields.ts";
import type { Given } from "./app-given.ts";
import { type App, type AppPlan, partJson } from "./app-steps.ts";
import { encoded, isExpression, url } from "./app-values.ts";

const API = "https://api.hubapi.com";

export const HUBSPOT: App = {
  title: "HubSpot",
  credential: "hubspotAppToken",
  oauth: "hubspotOAuth2Api",
  secret: "hubspot",
  plan: (given, names) => {
    const defaults = { contact: "upsert", deal: "create", company: "create" };
    const resource = given.version < 2 ? "deal" : "contact";
    return operationOf(given, OPERATIONS, { resource, operation: defaults })(given, names);
  },
};

const OPERATIONS: Readonly<Record<string, (given: Given, names: (what: string) => string) => AppPlan>> = {
  "contact:upsert": upsertContact,
  "contact:get": (given) =>
    got(given, "contactId", (id) => url`https://api.hubapi.com/contacts/v1/contact/vid/${id}/profile`),
  "company:get": (given) => got(given, "companyId", (id) => url`https://api.hubapi.com/companies/v2/companies/${id}`),
  "deal:get": (given) => got(given, "dealId", (id) => url`https://api.hubapi.com/deals/v1/deal/${id}`),
  "deal:update": updateDeal,
};

/** Fields of a contact by the names of their properties. */
const CONTACT: Readonly<Record<string, string>> = {
  ...{ annualRevenue: "annualrevenue", city: "city", companyName: "company", companySize: "company_size" },
  ...{ description: "description", contactOwner: "hubspot_owner_id", country: "country", degree: "degree" },
  ...{ dateOfBirth: "date_of_birth", faxNumber: "fax", fieldOfStudy: "field_of_study", firstName: "firstname" },
  ...{ gender: "gender", graduationDate: "graduation_date", industry: "industry", jobFunction: "job_function" },
  ...{ jobTitle: "jobtitle", lastName: "lastname", leadStatus: "hs_lead_status", lifeCycleStage: "lifecyclestage" },
  ...{ maritalStatus: "marital_status", membershipNote: "hs_content_membership_notes", message: "message" },
  ...{ mobilePhoneNumber: "mobilephone", numberOfEmployees: "numemployees", originalSource: "hs_analytics_source" },
  ...{ phoneNumber: "phone", postalCode: "zip", prefferedLanguage: "hs_language", school: "school" },
  ...{ relationshipStatus: "relationship_status", salutation: "salutation", seniority: "seniority" },
  ...{ startDate: "start_date", stateRegion: "state", status: "hs_content_membership_status" },
  ...{ streetAddress: "address", twitterUsername: "twitterhandle", websiteUrl: "website", workEmail: "work_email" },
};

/** A setting that chooses a record, as a locator since version 2. */
const recordOf = (given: Given, name: string): Json => (given.version < 2 ? given.need(name) : given.locator(name));

function got(given: Given, name: string, at: (id: Json) => string): AppPlan {
  given.group("additionalFields");
  return { steps: [{ method: "GET", url: at(recordOf(given, name)) }] };
}

/** The contact is read again, unless the node says not to. */
function upsertContact(given: Given, names: (what: string) => string): AppPlan {
  const email = encoded(given.need("email"));
  const more = given.group("additionalFields");
  const own = more.list("customPropertiesUi", "customPropertiesValues");
  const properties: Json[] = [
    ...Object.entries(fieldsOf(more, CONTACT)).map(([property, value]) => ({ property, value })),
    ...own.map((field) => ({ property: field.need("property"), value: field.or("value", "") })),
  ];
  const isRead = given.version < 2 ? given.flag("resolveData", true) : !given.group("options").flag("resolveData");
  const at = `${API}/contacts/v1/contact/createOrUpdate/email/`;
  const request = {
    method: "POST" as const,
    url: isExpression(email) ? `=${at}${email.slice(1)}` : `${at}${email}`,
    body: { properties } as JsonObject, // cast: a list of JSON
  };
  if (!isRead) return { steps: [request] };
  const made = partJson(names("request"));
  return {
    steps: [
      { what: "request", ...request },
      {
        what: "read",
        method: "GET",
        url: `=${API}/contacts/v1/contact/vid/{{ ${made}.vid }}/profile`,
      },
      { code: `return { ...$json, isNew: ${made}.isNew };` },
    ],
  };
}

/** The owner alone is known here; other fields have names of their own. */
function updateDeal(given: Given): AppPlan {
  const fields = given.group("updateFields");
  const owner =
    given.version < 2
      ? fields.get("dealOwner")
      : fields.get("dealOwner") === undefined
        ? undefined
        : fields.locator("dealOwner");
  const own = fields.list("customPropertiesUi", "customPropertiesValues");
  const named = fieldsOf(fields, { dealName: "dealname", stage: "dealstage", amount: "amount", pipeline: "pipeline" });
  const properties: Json[] = [
    ...Object.entries(named).map(([name, value]) => ({ name, value })),
    ...(owner === undefined ? [] : [{ name: "hubspot_owner_id", value: owner }]),
    ...own.map((field) => ({ name: field.need("property"), value: field.or("value", "") })),
  ];
  return {
    steps: [
      {
        method: "PUT",
        url: url`https://api.hubapi.com/deals/v1/deal/${recordOf(given, "dealId")}`,
        body: { properties } as JsonObject, // cast: a list of JSON
      },
    ],
  };
}
