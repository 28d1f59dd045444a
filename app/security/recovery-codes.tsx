import { Download } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { CopyButton } from '#app/ui/components/copy-button.tsx'
import { Card } from '#app/ui/components/page.tsx'

/** The recovery codes, after they were made: they are stored as hashes and can't be shown again. */
export function RecoveryCodes({ codes }: { codes: string[] }) {
  const text = `${codes.join('\n')}\n`
  const intro = useRef<HTMLParagraphElement>(null)
  useEffect(() => intro.current?.focus(), [])
  return (
    <Card title="Your recovery codes">
      <div className="grid gap-4 border-t border-line-soft px-5 py-5">
        <p ref={intro} tabIndex={-1} className="outline-none">
          Each code signs you in once if you lose your phone. Keep them in a safe place: they are shown only now.
        </p>
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(17rem,1fr))] gap-x-6 gap-y-1 font-mono whitespace-nowrap">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className="flex flex-wrap gap-2">
          <a
            className="btn btn-secondary"
            download="recovery-codes.txt"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          >
            <Download className="i" />
            Download
          </a>
          <CopyButton text={text} />
        </div>
      </div>
    </Card>
  )
}
