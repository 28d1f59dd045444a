import { InputRule } from 'prosemirror-inputrules'
import { schema } from './document.ts'
import { markNames, markSyntax, type Mark } from '#app/lib/markup.ts'

/**
 * Applies a mark when its closing syntax is typed: `**bold**`, `*italic*`, `__underline__`, `==highlight==`. The syntax
 * must touch the text, start a word and not be escaped: `2 * 3 * 4`, `a*b*c` and `\*a\*` stay as they are.
 */
export const markInputRules: InputRule[] = markNames.map(markInputRule)

function markInputRule(name: Mark): InputRule {
  const syntax = markSyntax[name]
  const char = syntax.startsWith('*') ? '\\*' : syntax.charAt(0)
  const delimiter = `${char}{${syntax.length}}`
  const opening = `(?<![\\p{L}\\p{N}\\\\${char}])${delimiter}(?![\\s${char}])`
  const closing = `(?<![\\s\\\\${char}])${delimiter}`
  const pattern = new RegExp(`${opening}([^${char}]+)${closing}$`, 'u')
  const type = schema.marks[name]!
  return new InputRule(pattern, (state, match, start, end) => {
    const length = match[1]!.length
    // The last typed character isn't in the document yet.
    const { tr } = state
    tr.delete(start + syntax.length + length, end).delete(start, start + syntax.length)
    return tr.addMark(start, start + length, type.create()).removeStoredMark(type)
  })
}
