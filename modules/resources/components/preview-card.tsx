import { ExternalLink } from 'lucide-react'
import { Card } from '#app/ui/components/page.tsx'

type Preview =
  | { kind: 'picture' | 'video' | 'audio' | 'pdf'; url: string }
  | { kind: 'text'; text: string; isCut: boolean }

/** Shows a file in ways in which no script of it can run. */
export function PreviewCard({ name, preview }: { name: string; preview: Preview }) {
  return (
    <Card title="Preview">
      <div className="border-t border-line-soft p-5">
        <Content name={name} preview={preview} />
      </div>
    </Card>
  )
}

function Content({ name, preview }: { name: string; preview: Preview }) {
  if (preview.kind === 'text')
    return (
      <>
        <pre
          className="max-h-80 overflow-y-auto font-sans whitespace-pre-wrap wrap-anywhere text-ink-2"
          tabIndex={0}
          role="group"
          aria-label="Text"
        >
          {preview.text}
        </pre>
        {preview.isCut && <p className="mt-3 text-sm text-ink-3">The text goes on in the file.</p>}
      </>
    )
  const { kind, url } = preview
  if (kind === 'picture')
    return <img src={url} alt={name} className="mx-auto max-h-[32rem] max-w-full rounded-md object-contain" />
  // The captions of a video are in its file, if it has any.
  if (kind === 'video')
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    return <video src={url} controls preload="metadata" aria-label={name} className="max-h-[32rem] w-full rounded-md" />
  if (kind === 'audio')
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    return <audio src={url} controls preload="metadata" aria-label={name} className="w-full" />
  return (
    <a className="btn btn-secondary" href={url} target="_blank" rel="noopener noreferrer">
      <ExternalLink className="i" />
      Open PDF
    </a>
  )
}
