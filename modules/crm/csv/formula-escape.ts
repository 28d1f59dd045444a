/**
 * Spreadsheets run a cell that begins like a formula. Such a cell gets one apostrophe in front, and so does one that
 * already has apostrophes before such a beginning: taking one away brings back what was there, always.
 */
const formula = /^'*(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/
const defused = /^'+(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/

export function defuse(value: string): string {
  return formula.test(value) ? `'${value}` : value
}

/** Takes back what `defuse` did. Other text, `'tis` for one, stays as it is. */
export function undefuse(value: string): string {
  return defused.test(value) ? value.slice(1) : value
}
