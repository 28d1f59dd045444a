// Spreadsheets run a cell that starts like a formula. An apostrophe in front prevents that. Cells that already have
// apostrophes before a formula get one more, so that unescaping always restores the original.
// A phone number with its country code is kept as it is, because other programs take the apostrophe literally.
const formula = /^'*(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/
const phoneNumber = /^\+\d{1,15}(?:[ (][\d ().-]*)?$/
const escapedFormula = /^'+(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/

export function escapeFormula(value: string): string {
  return formula.test(value) && !phoneNumber.test(value) ? `'${value}` : value
}

/** Reverts `escapeFormula`; leaves other text, such as `'tis`, alone. */
export function unescapeFormula(value: string): string {
  return escapedFormula.test(value) ? value.slice(1) : value
}
