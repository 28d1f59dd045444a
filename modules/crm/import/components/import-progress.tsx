import { Form, useRevalidator } from '@remix-run/react'
import { useEffect } from 'react'
import { Button } from '#app/ui/components/button.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { Progress } from '#app/ui/components/progress.tsx'
import type { ImportStep } from '../import-loader.server.ts'

type RunningStep = Extract<ImportStep, { step: 'running' | 'undoing' }>

/** The progress of an import or its undo. Polls every second; without JavaScript the page refreshes itself. */
export function ImportProgress({ step: { id, step, position, total, stalled } }: { step: RunningStep }) {
  const isUndo = step === 'undoing'
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
        <span role="status">{isUndo ? 'Moving clients to the trash…' : 'Importing…'}</span>
        <span className="num text-ink-3">
          {position.toLocaleString('en-US')} of {total.toLocaleString('en-US')} {isUndo ? 'clients' : 'rows'}
        </span>
      </p>
      <Progress value={percent} label={isUndo ? 'Clients processed' : 'Rows processed'} className="!h-2" />
      <p className="text-sm text-ink-3">
        You can leave this page; find it under{' '}
        <Link className="link" to="/clients/import">
          Past imports
        </Link>
        .
      </p>
      {stalled && (
        <Form
          method="post"
          action={isUndo ? '/clients/import' : undefined}
          className="flex flex-wrap items-center gap-3 border-t border-line-soft pt-3"
        >
          <input type="hidden" name="intent" value={isUndo ? 'undo' : 'run'} />
          <input type="hidden" name="id" value={id} />
          <span className="flex-1">
            {isUndo
              ? 'The undo paused. Resume to move the other clients.'
              : 'The import paused. Resume; no one is added twice.'}
          </span>
          <Button type="submit">Resume</Button>
        </Form>
      )}
    </section>
  )
}
