import { Component, lazy, Suspense, type ComponentType, type ReactNode } from 'react'
import type { SlotResult } from './slots.ts'

type Widget = ComponentType<{ data: never }>
type File = { default: Widget }

// The portal and the public page have no scripts, so browsers need not know their widgets.
const files = import.meta.env.SSR
  ? import.meta.glob<File>('../*/widgets/*.tsx')
  : import.meta.glob<File>(['../*/widgets/*.tsx', '!../*/widgets/{portal,home}-*.tsx'])
const loaded = new Map<string, File>()
const widgets = new Map<string, Widget>()

/**
 * Call it in loaders with the result of `fillSlot`: the server renders the widgets at once. The browser loads only
 * those that a page shows.
 */
export async function preloadWidgets(filled: SlotResult[]): Promise<SlotResult[]> {
  await Promise.all(
    filled.map(async (part) => {
      const path = widgetPath(part)
      const load = files[path]
      if (load && !loaded.has(path)) loaded.set(path, await load())
    }),
  )
  return filled
}

/** Renders a slot. A widget that fails doesn't affect the others. */
export function Slot({ filled: results }: { filled: SlotResult[] }) {
  return results.map((part) => {
    const Part = getWidget(widgetPath(part))
    return Part ? (
      <Guard key={part.key}>
        <Part data={part.data as never} />
      </Guard>
    ) : null
  })
}

/** The paths of all widgets in loader data, for `loadWidgets`. */
export function listWidgets(answers: unknown[]): string[] {
  return answers.flatMap((answer) =>
    answer && typeof answer === 'object' ? Object.values(answer).flat().filter(isSlotResult).map(widgetPath) : [],
  )
}

const isSlotResult = (value: unknown): value is SlotResult =>
  value !== null && typeof value === 'object' && 'module' in value && 'widget' in value

export async function loadWidgets(paths: string[]): Promise<void> {
  await Promise.all(
    paths.map(async (path) => {
      const file = await files[path]?.()
      if (file) loaded.set(path, file)
    }),
  )
}

function getWidget(path: string): Widget | undefined {
  const load = files[path]
  if (!load) return undefined
  const known = widgets.get(path)
  if (known) return known
  // Render a loaded widget directly: React discards a suspended one when the user interacts during hydration.
  const widget = loaded.get(path)?.default ?? lazyWidget(load)
  widgets.set(path, widget)
  return widget
}

function lazyWidget(load: () => Promise<File>): Widget {
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

const widgetPath = ({ module, widget }: SlotResult): string => `../${module}/widgets/${widget}.tsx`
