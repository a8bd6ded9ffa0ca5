/** JavaScript that makes of a page or a database what n8n hands on as its simple form. */
export const SIMPLE_PAGE = `const plainOf = (texts) => (Array.isArray(texts) ? texts.map((text) => text.plain_text ?? "").join("") : "");
const namesOf = (list) => list.map((one) => one?.name ?? {});
const simpleValue = (property) => {
  const value = property[property.type];
  switch (property.type) {
    case "text":
      return property.plain_text;
    case "rich_text":
    case "title":
      return plainOf(value);
    case "created_by":
    case "last_edited_by":
    case "select":
      return value ? value.name : null;
    case "status":
      return value?.name;
    case "people":
      return Array.isArray(value) ? value.map((person) => person.person?.email ?? {}) : value;
    case "multi_select":
      return namesOf(Array.isArray(value) ? value : value.options);
    case "relation":
      return Array.isArray(value) ? value.map((one) => one?.id ?? {}) : value?.database_id;
    case "formula":
      return value?.[value.type];
    case "rollup": {
      const how = value?.function ?? "";
      if (how.startsWith("count") || how.includes("empty")) return how.includes("percent") ? value.number * 100 : value.number;
      if (!how.startsWith("show") || value.type !== "array") return undefined;
      const all = value.array.map(simpleValue).flat();
      return how === "show_unique" ? [...new Set(all)] : all;
    }
    case "files":
      return value.map((file) => file[file.type]?.url);
    case "url":
    case "created_time":
    case "checkbox":
    case "number":
    case "last_edited_time":
    case "email":
    case "phone_number":
    case "date":
      return value;
    default:
      return undefined;
  }
};
const snake = (name) => name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/([A-Z])([A-Z][a-z])/g, "$1 $2").split(/[^A-Za-z0-9]+/).filter((word) => word !== "").join("_").toLowerCase();
const simplePage = (page, version) => {
  const { object, id, url, parent, properties = {}, title } = page;
  const more = version < 2 ? {} : { url };
  if (object === "database") return { id, [version < 2 ? "title" : "name"]: title?.[0]?.plain_text ?? "", ...more };
  if (parent?.type !== "database_id") return { id, name: properties.title?.title?.[0]?.plain_text, ...more };
  const entries = Object.entries(properties);
  if (version < 2) return { id, ...Object.fromEntries(entries.map(([name, property]) => [name, simpleValue(property)])) };
  const named = entries.find(([, property]) => property.type === "title")?.[1].title[0]?.plain_text ?? "";
  return { id, name: named, url, ...Object.fromEntries(entries.map(([name, property]) => ["property_" + snake(name), simpleValue(property)])) };
};`;

/** JavaScript that makes of a block what n8n hands on as its simple form. */
export const SIMPLE_BLOCK = `const simpleBlock = (block, root) => {
  const { created_time: _made, last_edited_time: _edited, created_by: _by, ...rest } = block;
  const own = rest[rest.type];
  const isTitled = rest.type === "child_page" || rest.type === "child_database";
  const content = isTitled ? own?.title : Array.isArray(own?.text) ? own.text.map((text) => text.plain_text ?? "").join("") : undefined;
  const made = { ...rest, root_id: root };
  if (content === undefined) return made;
  delete made[rest.type];
  return { ...made, content };
};`;
