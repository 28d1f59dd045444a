import { Form } from '@remix-run/react'
import { Button } from '#app/ui/components/button.tsx'
import type { MessageLine } from '../../message-lines.ts'

/** The messages of a session: sent, to come, or left out with the reason. */
export function MessageList({ messages, label }: { messages: MessageLine[]; label: string }) {
  return (
    <ul aria-label={label} className="grid gap-2 text-sm">
      {messages.map(({ id, label, state, status, why }, index) => (
        <li key={index} className="wrap-anywhere">
          <span className={state === 'left-out' ? 'text-ink-3' : 'font-medium'}>{label}</span>
          <span className="block text-ink-3">
            <span className={state === 'in-doubt' ? 'font-medium text-ink' : ''}>{status}.</span> {why}
          </span>
          {id !== null && <ResendForm id={id} />}
        </li>
      ))}
    </ul>
  )
}

/** The coach decides, since the message may arrive twice. */
export function ResendForm({ id }: { id: number }) {
  return (
    <Form method="post" action="/calendar/messages" preventScrollReset>
      <input type="hidden" name="intent" value="resend" />
      <input type="hidden" name="id" value={id} />
      <Button type="submit" size="sm">
        Send again
      </Button>
    </Form>
  )
}
