import { Form } from '@remix-run/react'
import { Button } from '#app/ui/components/button.tsx'
import { Card } from '#app/ui/components/page.tsx'
import type { MessagesData } from '../../messages-loader.server.ts'
import { MessageList } from './message-list.tsx'

/** Which messages a session would get that a visitor books now. */
export function Simulator({ state, types, simulation }: Pick<MessagesData, 'state' | 'types' | 'simulation'>) {
  const { typeId, date, time, messages } = simulation
  return (
    <Card title="What would go out">
      <Form className="grid gap-4 border-t border-line-soft px-5 py-5" preventScrollReset>
        <input type="hidden" name="message" value={state.message} />
        <div className="field">
          <label className="label" htmlFor="simulated-type">
            Appointment type
          </label>
          <select key={typeId} id="simulated-type" name="type" className="input select" defaultValue={typeId ?? ''}>
            <option value="">None</option>
            {types.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <div className="grid grid-cols-2 gap-4">
          <div className="field">
            <label className="label" htmlFor="simulated-date">
              Day
            </label>
            <input key={date} id="simulated-date" type="date" name="date" className="input" defaultValue={date} />
          </div>
          <div className="field">
            <label className="label" htmlFor="simulated-time">
              Time
            </label>
            <input key={time} id="simulated-time" type="time" name="time" className="input" defaultValue={time} />
          </div>
        </div>
        <Button type="submit">Show Messages</Button>
      </Form>
      <div className="grid gap-3 border-t border-line-soft px-5 py-5">
        <p className="hint">If a client booked this session now, for an hour.</p>
        <MessageList messages={messages} label="What would go out" />
      </div>
    </Card>
  )
}
