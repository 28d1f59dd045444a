import { Bold, Heading1, Heading2, Heading3, Highlighter, Italic, List, Underline } from 'lucide-react'
import { baseKeymap, chainCommands, lift, setBlockType, toggleMark } from 'prosemirror-commands'
import { history, redo, undo } from 'prosemirror-history'
import { inputRules, textblockTypeInputRule, undoInputRule, wrappingInputRule } from 'prosemirror-inputrules'
import { keymap } from 'prosemirror-keymap'
import { Slice } from 'prosemirror-model'
import { liftListItem, splitListItem, wrapInList } from 'prosemirror-schema-list'
import { EditorState, Plugin, Selection, type Command } from 'prosemirror-state'
import { canJoin } from 'prosemirror-transform'
import { EditorView } from 'prosemirror-view'
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { escapeMarkup, parseMarkup, printMarkup, type Mark } from '#app/lib/markup.ts'
import type { Icon } from '../components/button.tsx'
import { fromEditor, schema, toEditor } from './document.ts'
import { sanitizePastedHtml } from './paste.ts'
import { markInputRules } from './input-rules.ts'

const { heading, paragraph, bullet_list: list, list_item: item } = schema.nodes

type Tool = { label: string; keys?: string; icon: Icon; run: Command; isActive: (state: EditorState) => boolean }

const tools: Tool[] = [
  markTool('bold', 'Bold', Bold, 'B'),
  markTool('italic', 'Italic', Italic, 'I'),
  markTool('underline', 'Underline', Underline, 'U'),
  markTool('highlight', 'Highlight', Highlighter),
  {
    label: 'Bullet list',
    icon: List,
    isActive: inList,
    run: (state, dispatch) => (inList(state) ? liftListItem(item!)(state, dispatch) : toList(state, dispatch)),
  },
  headingTool(1, Heading1),
  headingTool(2, Heading2),
  headingTool(3, Heading3),
]

/** The rich text editor. Calls `onChange` with the stored markup after every change. */
export function RichTextEditor({
  initial,
  focus,
  label,
  rows,
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
  describedBy: string | undefined
  invalid: boolean
  onChange: (source: string) => void
}) {
  const mount = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const latestOnChange = useRef(onChange)
  const [state, setState] = useState<EditorState | null>(null)
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
    <div className="rt">
      <Toolbar
        labelId={label}
        state={state}
        run={(command) => view.current && (command(view.current.state, view.current.dispatch), view.current.focus())}
      />
      <div ref={mount} className="prose" />
    </div>
  )
}

/** A toolbar with one tab stop and arrow key navigation. */
function Toolbar({
  labelId,
  state,
  run,
}: {
  labelId: string
  state: EditorState | null
  run: (command: Command) => void
}) {
  const [focused, setFocused] = useState(0)
  const bar = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent) => {
    const to = { ArrowRight: focused + 1, ArrowLeft: focused - 1, Home: 0, End: tools.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    const next = (to + tools.length) % tools.length
    setFocused(next)
    bar.current?.querySelectorAll('button')[next]?.focus()
  }
  return (
    <div
      ref={bar}
      id={`${labelId}-tools`}
      role="toolbar"
      aria-label="Formatting"
      aria-labelledby={`${labelId}-tools ${labelId}`}
      className="rt-bar"
      onKeyDown={move}
    >
      {tools.map((tool, index) => (
        <button
          key={tool.label}
          type="button"
          tabIndex={index === focused ? 0 : -1}
          aria-pressed={state ? tool.isActive(state) : false}
          aria-label={tool.label}
          title={tool.keys ? `${tool.label} (Ctrl+${tool.keys})` : tool.label}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            setFocused(index)
            run(tool.run)
          }}
        >
          <tool.icon className="i" />
        </button>
      ))}
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

function markTool(name: Mark, label: string, icon: Icon, keys?: string): Tool {
  const type = schema.marks[name]!
  return {
    label,
    icon,
    ...(keys ? { keys } : {}),
    run: toggleMark(type),
    isActive: ({ selection, storedMarks, doc }) =>
      selection.empty
        ? Boolean(type.isInSet(storedMarks ?? selection.$from.marks()))
        : doc.rangeHasMark(selection.from, selection.to, type),
  }
}

function headingTool(level: number, icon: Icon): Tool {
  const isActive = (state: EditorState) =>
    state.selection.$from.parent.type === heading && state.selection.$from.parent.attrs.level === level
  return {
    label: `Heading ${level}`,
    icon,
    isActive,
    run: (state, dispatch) =>
      isActive(state)
        ? setBlockType(paragraph!)(state, dispatch)
        : chainCommands(setBlockType(heading!, { level }), outOfListInto(level))(state, dispatch),
  }
}

function inList({ selection }: EditorState): boolean {
  return selection.$from.node(-1)?.type === item
}

/** Turns a paragraph or heading into a list item; the heading becomes a paragraph. */
const toList: Command = (state, dispatch) =>
  wrapInList(list!)(state, dispatch) || setBlockType(paragraph!)(state, dispatch)

/** Turns a list item into a heading outside of the list. */
function outOfListInto(level: number): Command {
  return (state, dispatch, view) => {
    if (!inList(state)) return false
    if (!dispatch || !view) return true
    liftListItem(item!)(state, dispatch)
    return setBlockType(heading!, { level })(view.state, dispatch)
  }
}

const atLineStart = ({ selection }: EditorState): boolean => selection.empty && selection.$from.parentOffset === 0

const headingToParagraph: Command = (state, dispatch) =>
  atLineStart(state) && state.selection.$from.parent.type === heading
    ? setBlockType(paragraph!)(state, dispatch)
    : false

const outOfList: Command = (state, dispatch) =>
  atLineStart(state) && inList(state) ? liftListItem(item!)(state, dispatch) || lift(state, dispatch) : false
