import { Root, Separator, ToggleGroup, ToggleItem } from '@radix-ui/react-toolbar'
import type { Command, EditorState } from 'prosemirror-state'
import { blockTools, markTools, type Tool } from './tools.ts'

/** The formatting buttons of an editor. `state` is null while nobody edits: no button looks pressed. */
export function Toolbar({
  labelId,
  state,
  run,
}: {
  labelId: string
  state: EditorState | null
  run: (command: Command) => void
}) {
  return (
    <Root
      id={`${labelId}-tools`}
      aria-label="Formatting"
      aria-labelledby={`${labelId}-tools ${labelId}`}
      className="rt-bar"
      // Keep the focus, and with it the selection, in the text.
      onMouseDown={(event) => event.preventDefault()}
    >
      <Tools tools={markTools} state={state} run={run} />
      <Separator className="sep" />
      <Tools tools={blockTools} state={state} run={run} />
    </Root>
  )
}

function Tools({ tools, state, run }: { tools: Tool[]; state: EditorState | null; run: (command: Command) => void }) {
  const active = state ? tools.filter((tool) => tool.isActive(state)).map(({ label }) => label) : []
  return (
    <ToggleGroup type="multiple" role="group" value={active}>
      {tools.map((tool) => (
        <ToggleItem
          key={tool.label}
          value={tool.label}
          aria-label={tool.label}
          title={tool.keys ? `${tool.label} (${modifier}${tool.keys})` : tool.label}
          onClick={() => run(tool.run)}
        >
          <tool.icon className="i" />
        </ToggleItem>
      ))}
    </ToggleGroup>
  )
}

/** The editor is loaded in the browser only. */
const modifier = /Mac|iP(hone|[oa]d)/.test(navigator.platform) ? '⌘' : 'Ctrl+'
