// Spreadsheets run a cell that starts like a formula. An apostrophe in front prevents that. Cells that already have
// apostrophes before a formula get one more, so that unescaping always restores the original.
const formula = /^'*(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/
const escapedFormula = /^'+(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/

export function escapeFormula(value: string): string {
  return formula.test(value) ? `'${value}` : value
}

/** Reverts `escapeFormula`; leaves other text, such as `'tis`, alone. */
export function unescapeFormula(value: string): string {
  return escapedFormula.test(value) ? value.slice(1) : value
}
