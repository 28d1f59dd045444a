import { Form } from '@remix-run/react'
import { Button } from '#app/ui/components/button.tsx'
import { Card } from '#app/ui/components/page.tsx'

type Preview = {
  typeId: number
  durations: number[]
  minutes: number
  day: string
  title: string
  zone: string
  scheduleName: string | null
  slots: string[]
  refused: { key: number; time: string; reason: string }[]
}
type Props = {
  preview: Preview | null
  types: { id: number; name: string }[]
  state: { schedule: number | null }
}

/** The slots of one day, and why the other times can't be booked. */
export function AvailabilityPreview({ preview, types, state }: Props) {
  if (!preview) return null
  const { typeId, durations, minutes, day, title, zone, scheduleName, slots, refused } = preview
  return (
    <Card title="Preview">
      <Form className="grid gap-4 border-t border-line-soft px-5 py-5" preventScrollReset>
        {state.schedule !== null && <input type="hidden" name="schedule" value={state.schedule} />}
        <div className="field">
          <label className="label" htmlFor="preview-type">
            Appointment type
          </label>
          <select key={typeId} id="preview-type" name="type" className="input select" defaultValue={typeId}>
            {types.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <div className="grid grid-cols-2 gap-4">
          <div className="field">
            <label className="label" htmlFor="preview-day">
              Day
            </label>
            <input key={day} id="preview-day" type="date" name="day" className="input" defaultValue={day} />
          </div>
          <div className="field">
            <label className="label" htmlFor="preview-minutes">
              Minutes
            </label>
            <select
              key={`${typeId} ${minutes}`}
              id="preview-minutes"
              name="minutes"
              className="input select"
              defaultValue={minutes}
            >
              {durations.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          </div>
        </div>
        <Button type="submit">Show Times</Button>
      </Form>
      <div className="grid gap-4 border-t border-line-soft px-5 py-5">
        <div>
          <h3 className="font-semibold">{title}</h3>
          <p className="hint">
            {scheduleName ?? 'No working hours'}, {zone.replaceAll('_', ' ')}
          </p>
        </div>
        {slots.length > 0 ? (
          <ul aria-label="Times that can be booked" className="flex flex-wrap gap-2">
            {slots.map((time, index) => (
              <li key={index} className="num rounded-sm bg-success-soft px-2 py-1 text-sm text-success-text">
                {time}
              </li>
            ))}
          </ul>
        ) : (
          <p className="text-ink-3">No time can be booked on this day.</p>
        )}
        {refused.length > 0 && (
          <ul aria-label="Times that can't be booked" className="grid gap-1 text-sm">
            {refused.map(({ key, time, reason }) => (
              <li key={key} className="flex gap-3">
                <span className="num w-20 shrink-0 text-ink-3">{time}</span>
                <span>{reason}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  )
}
