import { Form } from '@remix-run/react'
import { Button } from '#app/ui/components/button.tsx'
import { Card } from '#app/ui/components/page.tsx'
import { fillBody, fillSubject, type MessageText } from '../../messages/texts.ts'
import type { MessagesData } from '../../messages-loader.server.ts'

type Props = Pick<MessagesData, 'state' | 'samples' | 'preview' | 'ownEmail'> & { text: MessageText }

/** The message as its recipient sees it, with what is being typed. */
export function MessagePreview({ state, samples, preview, ownEmail, text }: Props) {
  const { appointmentId, from, color, to, values, button, hint } = preview
  return (
    <Card title="Preview">
      <Form className="flex flex-wrap items-end gap-3 border-t border-line-soft px-5 py-4" preventScrollReset>
        <input type="hidden" name="message" value={state.message} />
        <div className="field min-w-0 flex-1">
          <label className="label" htmlFor="preview-session">
            Session
          </label>
          <select
            key={appointmentId}
            id="preview-session"
            name="appointment"
            className="input select"
            defaultValue={appointmentId ?? ''}
          >
            <option value="">A sample</option>
            {samples.map(({ id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </select>
        </div>
        <Button type="submit">Show</Button>
      </Form>
      <div className="grid gap-4 border-t border-line-soft px-5 py-5">
        <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm wrap-anywhere">
          <dt className="text-ink-3">From</dt>
          <dd>{from}</dd>
          <dt className="text-ink-3">To</dt>
          <dd>{to || 'Nobody: there is no email address'}</dd>
          <dt className="text-ink-3">Subject</dt>
          <dd className="font-semibold">{fillSubject(text.subject, values)}</dd>
        </dl>
        <div className="grid gap-3 rounded-lg border border-line p-5 wrap-anywhere">
          <p className="font-semibold">{from}</p>
          {fillBody(text.body, values).map((paragraph, index) => (
            <p key={index} className="whitespace-pre-line">
              {paragraph}
            </p>
          ))}
          {hint && <p>{hint}</p>}
          {button && (
            <p>
              <span
                className="inline-block rounded-md border-l-[6px] bg-ink px-4 py-2 font-semibold text-surface"
                style={color ? { borderColor: color } : undefined}
              >
                {button}
              </span>
            </p>
          )}
        </div>
        <Form method="post" preventScrollReset className="flex flex-wrap items-center gap-3">
          <input type="hidden" name="intent" value="test" />
          <input type="hidden" name="kind" value={state.message} />
          {appointmentId !== null && <input type="hidden" name="appointment" value={appointmentId} />}
          <Button type="submit">Send me a test</Button>
          <p className="hint min-w-0 flex-1 wrap-anywhere">The saved text, to {ownEmail}.</p>
        </Form>
      </div>
    </Card>
  )
}
