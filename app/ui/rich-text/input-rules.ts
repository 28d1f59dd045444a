import { InputRule } from 'prosemirror-inputrules'
import { schema } from './document.ts'
import { markNames, signs, type Mark } from '#app/lib/markup.ts'

/**
 * What is typed between the signs of a mark gets it as the last sign is typed: `**bold**`, `*italic*`, `__underline__`, `==highlight==`.
 * The words touch their signs, and the first sign stands at the beginning of a word and behind no backslash: `2 * 3 * 4`, `a*b*c`
 * and `\*a\*` stay what they are.
 */
export const signRules: InputRule[] = markNames.map(signRule)

function signRule(name: Mark): InputRule {
  const sign = signs[name]
  const char = sign.startsWith('*') ? '\\*' : sign.charAt(0)
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}\\\\${char}])${char}{${sign.length}}(?![\\s${char}])([^${char}]+)(?<![\\s\\\\${char}])${char}{${sign.length}}$`,
    'u',
  )
  const type = schema.marks[name]!
  return new InputRule(pattern, (state, match, start, end) => {
    const words = match[1]!.length
    // The sign that is being typed isn't there yet.
    const { tr } = state
    tr.delete(start + sign.length + words, end).delete(start, start + sign.length)
    return tr.addMark(start, start + words, type.create()).removeStoredMark(type)
  })
}
