import { Form, useSubmit } from '@remix-run/react'
import { useCallback, useEffect, useRef, type ReactNode } from 'react'

/**
 * A form of filters that stand in the address: a choice is followed at once, words a quarter of a second after the last
 * letter, Enter at once, also before scripts. `values`: what its fields hold by the address; empty ones are left out of it.
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
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const held = JSON.stringify(values)
  const send = useCallback(() => {
    clearTimeout(waiting.current)
    if (!form.current) return
    const asked = [...new FormData(form.current)].filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
    )
    submit(new URLSearchParams(asked), { action, method: 'get', replace: true, preventScrollReset: true })
  }, [submit, action])
  const followed = useRef<string>(undefined)
  useEffect(() => {
    if (followed.current === held) return
    const begins = followed.current === undefined
    followed.current = held
    const others = Object.entries(JSON.parse(held) as Record<string, string>).flatMap(([name, value]) => {
      const field = form.current?.elements.namedItem(name)
      return (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) && field.value !== value
        ? [{ field, value }]
        : []
    })
    // What was typed or chosen before scripts had loaded is followed now.
    if (begins) return others.length ? send() : undefined
    // Going back in the history changes the address under fields that keep what they hold.
    for (const { field, value } of others) if (field !== document.activeElement) field.value = value
  }, [held, send])
  useEffect(() => () => clearTimeout(waiting.current), [])

  return (
    <Form
      ref={form}
      role="search"
      action={action}
      className={className}
      autoComplete="off"
      onChange={(event) => {
        if (event.target instanceof HTMLSelectElement) return send()
        clearTimeout(waiting.current)
        waiting.current = setTimeout(send, 250)
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
