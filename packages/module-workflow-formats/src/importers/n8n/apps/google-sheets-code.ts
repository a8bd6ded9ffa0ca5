/** JavaScript that makes items of the rows of a sheet; each has the number of its row. */
export const READ_TABLE = `const isFilled = (cell) => cell !== undefined && cell !== null && cell !== "";
const readTable = (values, { how, until, head, first }) => {
  let lines = values.map((cells, index) => ({ number: index + 1, cells }));
  const width = Math.max(0, ...values.map((cells) => cells.length));
  let columns = Array.from({ length: width }, (_, index) => index);
  let [top, begin] = [0, 1];
  if (how === "specifyRange") [top, begin] = [head - 1, first - 1];
  if (how === "detectAutomatically") {
    columns = columns.filter((column) => values[0][column] !== "" || values.slice(1).some((cells) => isFilled(cells[column])));
    lines = lines.slice(lines.findIndex(({ cells }) => cells.some(isFilled)));
    const end = lines.findIndex(({ cells }) => !cells.some(isFilled));
    lines = until !== "firstEmptyRow" ? lines.filter(({ cells }) => cells.some(isFilled)) : end < 0 ? lines : lines.slice(0, end);
  }
  if (lines.length === 0 || top >= lines.length) return [];
  const names = columns.map((column, index) => [column, lines[top].cells[column] || "col_" + (index + 1)]);
  const isPadded = how === "detectAutomatically";
  return lines.slice(begin).map(({ number, cells }) => {
    const row = { row_number: number };
    for (const [column, name] of names) if (isPadded || column < cells.length) row[name] = cells[column] ?? "";
    return row;
  });
};`;

/** JavaScript that finds rows by what stands in their columns, compared as text. */
export const FIND_ROWS = `const findRows = (rows, filters, { isFirst, combine }) => {
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  for (const { column } of filters)
    if (rows.length > 0 && !names.has(column)) throw new Error("The sheet has no column " + column);
  const holds = (row, { column, value }) => String(row[column] ?? "") === String(value ?? "");
  if (combine === "AND") {
    const found = rows.filter((row) => filters.every((filter) => holds(row, filter)));
    return isFirst ? found.slice(0, 1) : found;
  }
  const found = filters.flatMap((filter) => {
    const fitting = rows.filter((row) => holds(row, filter));
    return isFirst ? fitting.slice(0, 1) : fitting;
  });
  return [...new Set(found)];
};`;

/** JavaScript for the request that writes a row: into cells of the row that it matches, or below the table. */
export const WRITE_CELLS = `const nameOfColumn = (index) => (index < 26 ? "" : nameOfColumn(Math.floor(index / 26) - 1)) + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[index % 26];
const toCell = (value) => (value === undefined || value === null ? "" : typeof value === "object" ? JSON.stringify(value) : value);
const cellsFor = ({ range = "", values = [] }, { row: given, document }, { operation, head, first, format, by, extra }) => {
  const title = range.slice(0, range.lastIndexOf("!"));
  const names = values[head - 1] ?? [];
  if (names.length === 0) throw new Error("Row " + head + " of the sheet has no names of columns");
  const { row_number: number, ...row } = given;
  if (extra !== "ignoreIt")
    for (const name of Object.keys(row)) if (!names.includes(name)) throw new Error("The sheet has no column " + name);
  const write = (at) => {
    const data = names.flatMap((name, column) =>
      name === by || row[name] === undefined || row[name] === null ? [] : [{ range: title + "!" + nameOfColumn(column) + at, values: [[toCell(row[name])]] }],
    );
    return { found: data.length > 0, path: document + "/values:batchUpdate", body: { valueInputOption: format, data } };
  };
  if (operation !== "append" && by === "row_number" && number !== undefined && number !== null && number !== "") return write(Number(number));
  if (operation !== "append" && by !== "row_number") {
    const key = names.indexOf(by);
    if (key < 0) throw new Error("The sheet has no column " + by);
    const wanted = row[by];
    const at = values.findIndex((cells, index) => index >= first - 1 && wanted !== undefined && wanted !== null && String(cells[key] ?? "") === String(wanted));
    if (at >= 0) return write(at + 1);
  }
  if (operation === "update") {
    if (extra === "error" && by !== "row_number") return { found: false, path: "", body: {} };
    throw new Error("No row of the sheet matches");
  }
  const cells = names.map((name) => toCell(row[name]));
  const path = document + "/values/" + encodeURIComponent(title) + ":append?valueInputOption=" + format + "&insertDataOption=INSERT_ROWS";
  return { found: true, path, body: { majorDimension: "ROWS", values: [cells] } };
};`;
