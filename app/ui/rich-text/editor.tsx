import { baseKeymap, chainCommands, lift, setBlockType, toggleMark } from 'prosemirror-commands'
import { history, redo, undo } from 'prosemirror-history'
import { inputRules, textblockTypeInputRule, undoInputRule, wrappingInputRule } from 'prosemirror-inputrules'
import { keymap } from 'prosemirror-keymap'
import { Slice } from 'prosemirror-model'
import { liftListItem, splitListItem } from 'prosemirror-schema-list'
import { EditorState, Plugin, Selection, type Command } from 'prosemirror-state'
import { canJoin } from 'prosemirror-transform'
import { EditorView } from 'prosemirror-view'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { escapeMarkup, parseMarkup, printMarkup } from '#app/lib/markup.ts'
import { fromEditor, schema, toEditor } from './document.ts'
import { sanitizePastedHtml } from './paste.ts'
import { markInputRules } from './input-rules.ts'
import { Toolbar } from './toolbar.tsx'
import { inList } from './tools.ts'

const { heading, paragraph, bullet_list: list, list_item: item } = schema.nodes

/** The rich text editor. Calls `onChange` with the stored markup after every change. */
export function RichTextEditor({
  initial,
  focus,
  label,
  rows,
  compact,
  describedBy,
  invalid,
  onChange,
}: {
  initial: string
  /** Focuses the editor with the caret at the end. */
  focus: boolean
  /** The id of the visible label. */
  label: string
  /** The height of the empty editor, in lines. */
  rows: number
  /** Shows the toolbar only while the editor has the focus. */
  compact: boolean
  describedBy: string | undefined
  invalid: boolean
  onChange: (source: string) => void
}) {
  const mount = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const latestOnChange = useRef(onChange)
  const [state, setState] = useState<EditorState | null>(null)
  const [isFocused, setIsFocused] = useState(false)
  latestOnChange.current = onChange
  // The editor owns its content after it has been created.
  const [initialState] = useState({ initial, focus })

  // A layout effect, so that no keystroke is lost while the editor replaces the text area.
  useLayoutEffect(() => {
    const editor = new EditorView(mount.current, {
      state: EditorState.create({ doc: toEditor(parseMarkup(initialState.initial)), plugins: plugins() }),
      transformPastedHTML: sanitizePastedHtml,
      // Pasted plain text keeps blank lines and bullets; its other markup characters are escaped.
      clipboardTextParser: (text) =>
        Slice.maxOpen(toEditor(parseMarkup(escapeMarkup(text.replaceAll(/\r\n?/g, '\n')))).content),
      handleDOMEvents: {
        // A busy browser reports a moved caret after the next key, which would act on the old position.
        keydown: () => void document.dispatchEvent(new Event('selectionchange')),
      },
      dispatchTransaction(transaction) {
        const next = editor.state.apply(transaction)
        editor.updateState(next)
        setState(next)
        if (transaction.docChanged) latestOnChange.current(printMarkup(fromEditor(next.doc)))
      },
    })
    view.current = editor
    setState(editor.state)
    if (initialState.focus) {
      // Don't continue a mark that ends at the caret.
      editor.dispatch(editor.state.tr.setSelection(Selection.atEnd(editor.state.doc)).setStoredMarks([]))
      editor.focus()
    }
    return () => editor.destroy()
  }, [initialState])

  useEffect(() => {
    view.current?.setProps({
      attributes: {
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-labelledby': label,
        style: `min-height: ${rows * 1.625 + 1.5}rem`,
        ...(describedBy ? { 'aria-describedby': describedBy } : {}),
        ...(invalid ? { 'aria-invalid': 'true' } : {}),
      },
    })
  }, [label, rows, describedBy, invalid])

  return (
    <div
      className={compact ? 'rt is-compact' : 'rt'}
      onFocus={() => setIsFocused(true)}
      onBlur={({ currentTarget, relatedTarget }) => setIsFocused(currentTarget.contains(relatedTarget))}
    >
      <Toolbar
        labelId={label}
        state={isFocused ? state : null}
        run={(command) => view.current && (command(view.current.state, view.current.dispatch), view.current.focus())}
      />
      <div ref={mount} className="prose" />
    </div>
  )
}

function plugins(): Plugin[] {
  return [
    inputRules({
      rules: [
        textblockTypeInputRule(/^(#{1,3})\s$/, heading!, (match) => ({ level: match[1]!.length })),
        wrappingInputRule(/^\s*([-*•])\s$/, list!),
        ...markInputRules,
      ],
    }),
    history(),
    keymap({
      'Mod-b': toggleMark(schema.marks.bold!),
      'Mod-i': toggleMark(schema.marks.italic!),
      'Mod-u': toggleMark(schema.marks.underline!),
      'Mod-z': chainCommands(undoInputRule, undo),
      'Mod-y': redo,
      'Shift-Mod-z': redo,
      Enter: splitListItem(item!),
      'Shift-Enter': chainCommands(splitListItem(item!), baseKeymap.Enter!),
      Backspace: chainCommands(undoInputRule, headingToParagraph, outOfList),
    }),
    keymap(baseKeymap),
    mergeAdjacentLists,
  ]
}

/** Joins adjacent lists: the stored markup can't separate them. */
const mergeAdjacentLists = new Plugin({
  appendTransaction(_transactions, _before, state) {
    const { tr } = state
    let position = state.doc.content.size
    for (let index = state.doc.childCount - 1; index > 0; index--) {
      position -= state.doc.child(index).nodeSize
      const both = state.doc.child(index).type === list && state.doc.child(index - 1).type === list
      if (both && canJoin(tr.doc, position)) tr.join(position)
    }
    return tr.docChanged ? tr : null
  },
})

const atLineStart = ({ selection }: EditorState): boolean => selection.empty && selection.$from.parentOffset === 0

const headingToParagraph: Command = (state, dispatch) =>
  atLineStart(state) && state.selection.$from.parent.type === heading
    ? setBlockType(paragraph!)(state, dispatch)
    : false

const outOfList: Command = (state, dispatch) =>
  atLineStart(state) && inList(state) ? liftListItem(item!)(state, dispatch) || lift(state, dispatch) : false
