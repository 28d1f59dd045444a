import { FieldNote, TextField } from '#app/ui/forms/field.tsx'
import type { ServerForm } from '#app/ui/forms/use-server-form.ts'
import type { endpointFields } from '../fields.ts'

export type EventChoice = { name: string; label: string }

/** The address, and a checkbox for each event. */
export function EndpointFields({
  fields,
  choices,
  chosen,
}: Pick<ServerForm<typeof endpointFields>, 'fields'> & { choices: EventChoice[]; chosen: string[] }) {
  return (
    <>
      <TextField
        field={fields.url}
        type="url"
        inputMode="url"
        autoComplete="off"
        placeholder="https://"
        hint="We send a POST with JSON there."
      />
      <fieldset aria-describedby={fields.events.errors?.length ? `${fields.events.id}-error` : undefined}>
        <legend className="label mb-2">Events</legend>
        {/* So that the field is there without any of them, and can have an error. */}
        <input type="hidden" name="events" value="" />
        <div className="grid gap-x-4 gap-y-1 sm:grid-cols-2">
          {choices.map(({ name, label }) => (
            <label key={name} className="flex min-h-8 items-center gap-2.5">
              <input
                type="checkbox"
                name="events"
                value={name}
                className="check"
                defaultChecked={chosen.includes(name)}
              />
              {label}
            </label>
          ))}
        </div>
        <FieldNote field={fields.events} />
      </fieldset>
    </>
  )
}

/** The events of a form that was sent, or those that are stored. */
export function getChosen(submitted: Record<string, unknown> | undefined, stored: string[]): string[] {
  if (!submitted) return stored
  return [submitted.events ?? []].flat().filter((name): name is string => typeof name === 'string')
}
