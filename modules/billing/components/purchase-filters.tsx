import { Form, useSubmit } from '@remix-run/react'
import { Search } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { ListState } from '../list-state.ts'
import { monthWords, statusChoices } from '../words.ts'

/** The filters stand in the address: a choice at once, words a quarter of a second after the last letter; before scripts there is a button. */
export function PurchaseFilters({ state, months }: { state: ListState; months: string[] }) {
  const submit = useSubmit()
  const input = useRef<HTMLInputElement>(null)
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    // Going back in the history changes the address under a field that keeps its text.
    if (input.current && input.current !== document.activeElement) input.current.value = state.q
  }, [state.q])
  useEffect(() => () => clearTimeout(waiting.current), [])
  const send = (form: HTMLFormElement) => {
    clearTimeout(waiting.current)
    submit(form, { replace: true, preventScrollReset: true })
  }
  return (
    <Form
      role="search"
      action="/purchases"
      className="mb-5 flex flex-wrap gap-3"
      onChange={(event) => {
        const form = event.currentTarget
        if (event.target instanceof HTMLSelectElement) return send(form)
        clearTimeout(waiting.current)
        waiting.current = setTimeout(send, 250, form)
      }}
      onSubmit={(event) => {
        event.preventDefault()
        send(event.currentTarget)
      }}
    >
      <label className="has-icon block min-w-0 basis-full sm:max-w-80 sm:flex-1 sm:basis-64">
        <span className="sr-only">Search purchases</span>
        <Search className="i" />
        <input
          ref={input}
          type="search"
          name="q"
          defaultValue={state.q}
          maxLength={255}
          autoComplete="off"
          className="input input-quiet"
          placeholder="Search by client, product or notes"
        />
      </label>
      <div className="min-w-0 flex-1 sm:max-w-48">
        <select key={state.month} aria-label="Month" name="month" defaultValue={state.month ?? ''} className="input select input-quiet">
          <option value="">All months</option>
          {months.map((month) => (
            <option key={month} value={month}>
              {monthWords(month)}
            </option>
          ))}
        </select>
      </div>
      <div className="min-w-0 flex-1 sm:max-w-44">
        <select key={state.status} aria-label="Status" name="status" defaultValue={state.status ?? ''} className="input select input-quiet">
          <option value="">All statuses</option>
          {statusChoices.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <noscript>
        <button type="submit" className="btn btn-secondary">
          Show
        </button>
      </noscript>
    </Form>
  )
}
