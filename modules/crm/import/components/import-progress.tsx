import { Form, useRevalidator } from '@remix-run/react'
import { useEffect } from 'react'
import { Button } from '#app/ui/components/button.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { Progress } from '#app/ui/components/progress.tsx'

/** The progress of a running import. Polls every second; without JavaScript the page refreshes itself. */
export function ImportProgress({ position, total, stalled }: { position: number; total: number; stalled: boolean }) {
  const { revalidate, state } = useRevalidator()
  useEffect(() => {
    if (state !== 'idle') return
    const timer = setTimeout(revalidate, 1000)
    return () => clearTimeout(timer)
  }, [revalidate, state])
  const percent = Math.floor((position / Math.max(1, total)) * 100)
  return (
    <section className="card grid gap-3 p-5" aria-label="Progress">
      <noscript>
        <meta httpEquiv="refresh" content="3" />
      </noscript>
      <p className="flex justify-between gap-3">
        <span role="status">Importing…</span>
        <span className="num text-ink-3">
          {position.toLocaleString('en-US')} of {total.toLocaleString('en-US')} rows
        </span>
      </p>
      <Progress value={percent} label="Rows processed" className="!h-2" />
      <p className="text-sm text-ink-3">
        You can leave this page; find it under{' '}
        <Link className="link" to="/clients/import">
          Recent imports
        </Link>
        .
      </p>
      {stalled && (
        <Form method="post" className="flex flex-wrap items-center gap-3 border-t border-line-soft pt-3">
          <input type="hidden" name="intent" value="run" />
          <span className="flex-1">The import paused. Resume; no one is added twice.</span>
          <Button type="submit">Resume</Button>
        </Form>
      )}
    </section>
  )
}
