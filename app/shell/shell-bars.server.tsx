import { renderToStaticMarkup } from 'react-dom/server'
import type { ShellBar } from '#modules/core/manifest.ts'

/** The markup of the bars over a coach's pages, which the browser shows without code; null without any. */
export function renderBars(bars: ShellBar[]): string | null {
  if (!bars.length) return null
  return renderToStaticMarkup(
    bars.map(({ title, text, action, fields }) => (
      <section key={Object.values(fields).join()} aria-label={title} className="no-print px-gutter pt-4">
        <div className="note mx-auto max-w-page flex-wrap items-center">
          <div className="min-w-0 flex-1 basis-60 wrap-anywhere">
            <p className="font-semibold">{title}</p>
            <p className="whitespace-pre-line">{text}</p>
          </div>
          <form method="post" action={action}>
            {Object.entries(fields).map(([name, value]) => (
              <input key={name} type="hidden" name={name} value={value} />
            ))}
            <button type="submit" className="btn btn-secondary btn-sm" aria-label={`Dismiss ${title}`}>
              Dismiss
            </button>
          </form>
        </div>
      </section>
    )),
  )
}
