import { Component, lazy, Suspense, type ComponentType, type ReactNode } from 'react'
import type { Filled } from '#modules/registry.ts'

type Widget = ComponentType<{ data: never }>
type File = { default: Widget }

// The server has all widgets at hand and sends them with the page; the browser loads the ones that it shows.
const widgets: Record<string, Widget> = import.meta.env.SSR
  ? byName(import.meta.glob<File>('../../modules/*/widgets/*.tsx', { eager: true }), (file) => file.default)
  : byName(import.meta.glob<File>('../../modules/*/widgets/*.tsx'), (load) => lazy(load))

/** What the modules put into one place of a screen. A part that fails doesn't take the others along. */
export function Slot({ filled }: { filled: Filled[] }) {
  return filled.map(({ key, module, widget, data }) => {
    const Part = widgets[`${module}/${widget}`]
    return Part ? (
      <Guard key={key}>
        <Suspense fallback={null}>
          <Part data={data as never} />
        </Suspense>
      </Guard>
    ) : null
  })
}

class Guard extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? <p className="note">This part could not be shown. Reload the page to try again.</p> : this.props.children
  }
}

function byName<From>(files: Record<string, From>, widgetOf: (file: From) => Widget): Record<string, Widget> {
  return Object.fromEntries(
    Object.entries(files).map(([path, file]) => {
      const [module, , name] = path.split('/').slice(-3)
      return [`${module}/${name?.replace(/\.tsx$/, '')}`, widgetOf(file)]
    }),
  )
}
