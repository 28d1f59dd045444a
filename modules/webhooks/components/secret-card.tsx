import { useEffect, useRef } from 'react'
import { CopyButton } from '#app/ui/components/copy-button.tsx'
import { Card } from '#app/ui/components/page.tsx'

/** Shows a new secret, once. */
export function SecretCard({ secret }: { secret: string }) {
  const intro = useRef<HTMLParagraphElement>(null)
  useEffect(() => intro.current?.focus(), [])
  return (
    <Card title="The webhook’s secret">
      <div className="grid gap-4 border-t border-line-soft px-5 py-5">
        <p ref={intro} tabIndex={-1} className="outline-none">
          Copy it now: it is not shown again. With it the other program verifies that a call comes from here.
        </p>
        <code className="rounded-md bg-sunken px-3 py-2 wrap-anywhere" aria-label="New secret">
          {secret}
        </code>
        <div>
          <CopyButton text={secret} label="Copy Secret" />
        </div>
      </div>
    </Card>
  )
}
