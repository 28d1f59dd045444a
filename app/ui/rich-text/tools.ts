import { Bold, Heading1, Heading2, Heading3, Highlighter, Italic, List, Underline } from 'lucide-react'
import { chainCommands, setBlockType, toggleMark } from 'prosemirror-commands'
import { liftListItem, wrapInList } from 'prosemirror-schema-list'
import type { Command, EditorState } from 'prosemirror-state'
import type { Mark } from '#app/lib/markup.ts'
import type { Icon } from '../components/button.tsx'
import { schema } from './document.ts'

const { heading, paragraph, bullet_list: list, list_item: item } = schema.nodes

export type Tool = { label: string; keys?: string; icon: Icon; run: Command; isActive: (state: EditorState) => boolean }

export const markTools: Tool[] = [
  markTool('bold', 'Bold', Bold, 'B'),
  markTool('italic', 'Italic', Italic, 'I'),
  markTool('underline', 'Underline', Underline, 'U'),
  markTool('highlight', 'Highlight', Highlighter),
]

export const blockTools: Tool[] = [
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

export function inList({ selection }: EditorState): boolean {
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
