import { Globe } from 'lucide-react'
import { commonTimezones, type Timezone } from '#app/lib/timezones.ts'
import { SelectField } from '#app/ui/forms/field.tsx'

/** The visitor's time zone, and a form that changes it: a GET of the page with the other params. */
export function ZonePicker({
  zone,
  name,
  otherZones,
  action,
}: {
  zone: string
  name: string
  otherZones: Timezone[]
  /** The URL of the page without the zone. */
  action: string
}) {
  const [path = '', query = ''] = action.split('?')
  return (
    <details className="mb-3">
      <summary
        className={`hit flex min-h-6 w-fit cursor-pointer list-none items-center gap-1.5 rounded-sm text-sm text-ink-3
          before:order-last before:mx-0.5 hover:text-ink`}
      >
        <Globe className="i size-3.5" />
        {name}
      </summary>
      <form action={path} className="mt-3 grid gap-2">
        {[...new URLSearchParams(query)].map(([param, value]) => (
          <input key={param} type="hidden" name={param} value={value} />
        ))}
        <SelectField field={{ id: 'booking-zone', name: 'zone', label: 'Time zone' }}>
          <ZoneGroup label="Common" zones={commonTimezones} chosen={zone} />
          <ZoneGroup label="All time zones" zones={otherZones} chosen={zone} />
        </SelectField>
        <button className="btn btn-secondary">Show my time</button>
      </form>
    </details>
  )
}

function ZoneGroup({ label, zones, chosen }: { label: string; zones: Timezone[]; chosen: string }) {
  const option = `value="${chosen}"`
  const html = renderOptions(zones).replace(option, `${option} selected=""`)
  // oxlint-disable-next-line react/no-danger -- the names of time zones
  return <optgroup label={label} dangerouslySetInnerHTML={{ __html: html }} />
}

/** The options of a list that never changes: rendering 420 of them takes longer than the rest of the page. */
function renderOptions(zones: Timezone[]): string {
  let html = optionsByList.get(zones)
  if (html === undefined) {
    html = zones.map(({ value, label }) => `<option value="${value}">${label}</option>`).join('')
    optionsByList.set(zones, html)
  }
  return html
}

const optionsByList = new WeakMap<Timezone[], string>()
