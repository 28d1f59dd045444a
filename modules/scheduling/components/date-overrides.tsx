import { Form } from '@remix-run/react'
import { Trash2 } from 'lucide-react'
import { formatTimeRange } from '#app/lib/clock.ts'
import { Button } from '#app/ui/components/button.tsx'
import { Card } from '#app/ui/components/page.tsx'
import { useTimeFormat } from '#app/ui/components/time-format.ts'
import { FormError, TextField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { overrideFields } from '../booking-fields.ts'

type Override = { date: string; label: string; hours: string; isPast: boolean }

/** The dates with other hours than the week has. */
export function DateOverrides({ scheduleId, overrides }: { scheduleId: number; overrides: Override[] }) {
  const past = overrides.filter(({ isPast }) => isPast).length
  return (
    <Card title="Date Overrides">
      <div className="border-t border-line-soft">
        {overrides.length > past ? (
          <ul aria-label="Date Overrides" className="rows border-b border-line-soft">
            {overrides
              .filter(({ isPast }) => !isPast)
              .map((override) => (
                <OverrideRow key={override.date} scheduleId={scheduleId} override={override} />
              ))}
          </ul>
        ) : (
          <p className="px-5 pt-5 text-ink-3">Days off and dates with other hours than the week.</p>
        )}
        <AddOverride scheduleId={scheduleId} />
      </div>
    </Card>
  )
}

function OverrideRow({ scheduleId, override: { date, label, hours } }: { scheduleId: number; override: Override }) {
  return (
    <li className="flex items-center gap-3 py-1.5 pl-5 pr-3">
      <span className="min-w-0 flex-1">
        <span className="block font-medium">{label}</span>
        <span className="block text-sm text-ink-3">{hours}</span>
      </span>
      <Form method="post" preventScrollReset>
        <input type="hidden" name="intent" value="remove-override" />
        <input type="hidden" name="id" value={scheduleId} />
        <input type="hidden" name="date" value={date} />
        <Button type="submit" variant="ghost" size="sm" className="btn-icon" aria-label={`Remove ${label}`}>
          <Trash2 className="i" />
        </Button>
      </Form>
    </li>
  )
}

function AddOverride({ scheduleId }: { scheduleId: number }) {
  const { form, fields, busy } = useServerForm(overrideFields, { id: 'override', intent: 'set-override' })
  return (
    <Form method="post" {...form.props} className="grid gap-4 px-5 py-5" preventScrollReset>
      <input type="hidden" name="intent" value="set-override" />
      <input type="hidden" name="id" value={scheduleId} />
      <FormError id={form.errorId} errors={form.errors} />
      <div className="grid items-start gap-4 sm:grid-cols-[11rem_minmax(0,1fr)]">
        <TextField field={fields.date} type="date" min="2000-01-01" max="2200-12-30" />
        <TextField
          field={fields.hours}
          autoComplete="off"
          placeholder="Day off"
          hint={`Such as ${formatTimeRange('10:00', '13:00', useTimeFormat())}. Empty: a day off.`}
        />
      </div>
      <div className="flex justify-end">
        <Button type="submit" busy={busy} busyLabel="Saving...">
          Save Date
        </Button>
      </div>
    </Form>
  )
}
