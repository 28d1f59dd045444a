import { Component, lazy, Suspense, type ComponentType, type ReactNode } from 'react'
import type { Filled } from './slots.ts'

type Widget = ComponentType<{ data: never }>
type File = { default: Widget }

const files = import.meta.glob<File>('./*/widgets/*.tsx')
const loaded = new Map<string, File>()
const widgets = new Map<string, Widget>()

/**
 * For loaders, around `fill`: the server has the widgets at hand before it renders, so they are in the page from its first
 * byte. The browser loads only those that a page shows.
 */
export async function withWidgets(filled: Filled[]): Promise<Filled[]> {
  await Promise.all(
    filled.map(async (part) => {
      const path = pathOf(part)
      const load = files[path]
      if (load && !loaded.has(path)) loaded.set(path, await load())
    }),
  )
  return filled
}

/** What the modules put into one place of a screen. A part that fails doesn't take the others along. */
export function Slot({ filled }: { filled: Filled[] }) {
  return filled.map((part) => {
    const Part = widgetAt(pathOf(part))
    return Part ? (
      <Guard key={part.key}>
        <Part data={part.data as never} />
      </Guard>
    ) : null
  })
}

/** The widgets in what loaders answered, as `loadWidgets` takes them. */
export function widgetsIn(answers: unknown[]): string[] {
  return answers.flatMap((answer) =>
    answer && typeof answer === 'object' ? Object.values(answer).flat().filter(isFilled).map(pathOf) : [],
  )
}

const isFilled = (value: unknown): value is Filled =>
  value !== null && typeof value === 'object' && 'module' in value && 'widget' in value

export async function loadWidgets(paths: string[]): Promise<void> {
  await Promise.all(
    paths.map(async (path) => {
      const file = await files[path]?.()
      if (file) loaded.set(path, file)
    }),
  )
}

function widgetAt(path: string): Widget | undefined {
  const load = files[path]
  if (!load) return undefined
  const known = widgets.get(path)
  if (known) return known
  // A part at hand stands in the page as it is: React would throw a suspended one away if something is pressed meanwhile.
  const widget = loaded.get(path)?.default ?? later(load)
  widgets.set(path, widget)
  return widget
}

function later(load: () => Promise<File>): Widget {
  const Part = lazy(load)
  return function Later(props) {
    return (
      <Suspense fallback={null}>
        <Part {...props} />
      </Suspense>
    )
  }
}

class Guard extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? (
      <p className="note">This part could not be shown. Reload the page to try again.</p>
    ) : (
      this.props.children
    )
  }
}

const pathOf = ({ module, widget }: Filled): string => `./${module}/widgets/${widget}.tsx`
