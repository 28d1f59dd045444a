import { placeholders } from '../placeholders.ts'

/** The placeholders that a text may have. */
export const PlaceholderHint = () => (
  <details>
    <summary className="link">Placeholders</summary>
    <dl className="mt-2 grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[auto_1fr]">
      {Object.entries(placeholders).map(([name, meaning]) => (
        <div key={name} className="contents">
          <dt>
            <code>{`{{${name}}}`}</code>
          </dt>
          <dd className="text-ink-2 max-sm:mb-1">{meaning}</dd>
        </div>
      ))}
    </dl>
  </details>
)
