import fc from 'fast-check'
import { inputRules, undoInputRule } from 'prosemirror-inputrules'
import { EditorState, type Plugin, type Transaction } from 'prosemirror-state'
import { expect, test } from 'vitest'
import { parseMarkup, plainText, printMarkup } from '#app/lib/markup.ts'
import { fromEditor, toEditor } from './document.ts'
import { markInputRules } from './input-rules.ts'

const rules: Plugin = inputRules({ rules: markInputRules })

/** An editor without a screen: what typing needs of one. */
function anEditor(source = '') {
  const view = {
    composing: false,
    state: EditorState.create({ doc: toEditor(parseMarkup(source)), plugins: [rules] }),
    dispatch: (transaction: Transaction) => void (view.state = view.state.apply(transaction)),
  }
  const end = () => view.state.doc.content.size - 1
  return {
    type(text: string) {
      for (const char of text) {
        const at = end()
        if (!Reflect.apply(rules.props.handleTextInput!, rules, [view, at, at, char]))
          view.dispatch(view.state.tr.insertText(char, at))
      }
      return this
    },
    undo: () => undoInputRule(view.state, view.dispatch),
    get stored() {
      return printMarkup(fromEditor(view.state.doc))
    },
  }
}
const typed = (text: string): string => anEditor().type(text).stored

test.each([
  ['**bold** and on', '**bold** and on'],
  ['*italic*', '*italic*'],
  ['__under__', '__under__'],
  ['==high==', '==high=='],
  ['so (**two words**)', 'so (**two words**)'],
  ['**a *b* c**', '**a *b* c**'],
  ['*üñï*.', '*üñï*.'],
  ['==__both__==', '__==both__=='],
])('typing %s stores %s', (text, stored) => {
  expect(typed(text)).toBe(stored)
})

test.each([
  '2 * 3 * 4',
  '2*3*4',
  'a**b**',
  '**',
  '****',
  '** a **',
  '*a',
  'x == y == z',
  'snake__case__name',
  '\\*a*',
  '*a\\*',
  '**a*',
  '__ a__',
])('typing %s stores plain text', (text) => {
  expect(plainText(typed(text))).toBe(text)
})

test('an undone input rule stays plain text while typing on', () => {
  const editor = anEditor().type('so *what*')
  expect(editor.stored).toBe('so *what*')
  expect(editor.undo()).toBe(true)
  expect(plainText(editor.type(' and').stored)).toBe('so *what* and')
  expect(editor.undo()).toBe(false)
})

test('any typed text is stored and read back unchanged', () => {
  const text = fc.string({ unit: fc.constantFrom('*', '_', '=', '\\', ' ', 'a', 'b', '#', '•'), maxLength: 40 })
  fc.assert(
    fc.property(text, (signsAndWords) => {
      const stored = typed(signsAndWords)
      expect(printMarkup(parseMarkup(stored))).toBe(stored)
      const words = plainText(stored)
      // Nothing but signs is lost, and only in pairs.
      expect(words.replaceAll(/[*_=]/g, '')).toBe(signsAndWords.replaceAll(/[*_=]/g, ''))
      expect((signsAndWords.length - words.length) % 2).toBe(0)
    }),
    { numRuns: 500 },
  )
})
