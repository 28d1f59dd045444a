import { Form, useSubmit } from '@remix-run/react'
import { useCallback, useEffect, useRef, type ReactNode } from 'react'

/**
 * A form of filters that are stored in the URL. Applies a select immediately, text 250 ms after the last key or on
 * Enter. Works without JavaScript. `values`: the filters in the URL; empty ones are omitted from it.
 */
export function FilterForm({
  action,
  values,
  className,
  children,
}: {
  action: string
  values: Record<string, string>
  className?: string
  children: ReactNode
}) {
  const submit = useSubmit()
  const form = useRef<HTMLFormElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const serialized = JSON.stringify(values)
  const send = useCallback(() => {
    clearTimeout(timer.current)
    if (!form.current) return
    const filters = [...new FormData(form.current)].filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
    )
    submit(new URLSearchParams(filters), { action, method: 'get', replace: true, preventScrollReset: true })
  }, [submit, action])
  const applied = useRef<string>(undefined)
  useEffect(() => {
    if (applied.current === serialized) return
    const isFirst = applied.current === undefined
    applied.current = serialized
    const stale = Object.entries(JSON.parse(serialized) as Record<string, string>).flatMap(([name, value]) => {
      const field = form.current?.elements.namedItem(name)
      return (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) && field.value !== value
        ? [{ field, value }]
        : []
    })
    // Apply input from before hydration.
    if (isFirst) return stale.length ? send() : undefined
    // Back and Forward change the URL, but not the fields.
    for (const { field, value } of stale) if (field !== document.activeElement) field.value = value
  }, [serialized, send])
  useEffect(() => () => clearTimeout(timer.current), [])

  return (
    <Form
      ref={form}
      role="search"
      action={action}
      className={className}
      autoComplete="off"
      onChange={(event) => {
        if (event.target instanceof HTMLSelectElement) return send()
        clearTimeout(timer.current)
        timer.current = setTimeout(send, 250)
      }}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {children}
    </Form>
  )
}
