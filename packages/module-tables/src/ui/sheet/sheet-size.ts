/** Pixels. */
export const ROW_HEIGHT = 34;
export const NUMBER_WIDTH = 76;
export const COLUMN_WIDTH = 180;

/** The id of a cell's element, for the grid's focus. */
export function cellId(gridId: string, { row, column }: { row: number; column: number }): string {
  return `${gridId}-${row}-${column}`;
}
