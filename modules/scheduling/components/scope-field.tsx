import { scopes } from '../fields.ts'

/** Asks for which sessions of a series a change is. `chosen`: what was submitted. */
export function ScopeField({ label, hint, chosen = 'this' }: { label: string; hint?: string; chosen?: unknown }) {
  return (
    <fieldset className="grid">
      <legend className="label">{label}</legend>
      {hint && <p className="hint">{hint}</p>}
      {Object.entries(scopes).map(([value, text]) => (
        <label key={value} className="flex min-h-11 cursor-pointer items-center gap-2 sm:min-h-8">
          <input type="radio" name="scope" value={value} className="check" defaultChecked={value === chosen} />
          {text}
        </label>
      ))}
    </fieldset>
  )
}
