import { Form } from '@remix-run/react'
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react'
import type { FormFailure } from '#app/lib/form-submission.ts'
import { Button } from '../components/button.tsx'
import { FileDropzone } from './file-dropzone.tsx'
import { useFetcher } from './use-fetcher.ts'

type UploadProps = {
  name: string
  label: string
  hint: string
  action: string
  maxBytes: number
  tooLargeMessage: string
}

/**
 * A picture with a form that replaces it and a button that removes it. `preview` shows it, or what replaces a missing
 * one.
 */
export function ImageField({
  preview,
  url,
  removeIntent,
  ...upload
}: { preview: ReactNode; url: string | null; removeIntent: string } & UploadProps) {
  return (
    <div className="flex items-start gap-4">
      <div className="grid justify-items-center gap-1 pt-1">
        {preview}
        {url !== null && (
          <Form method="post" preventScrollReset>
            <Button
              type="submit"
              size="sm"
              variant="ghost"
              name="intent"
              value={removeIntent}
              aria-label={`Remove ${upload.label.toLowerCase()}`}
              className="!px-1.5"
            >
              Remove
            </Button>
          </Form>
        )}
      </div>
      <ImageUpload key={url} {...upload} />
    </div>
  )
}

/** Uploads the file once it is selected, even if that was before hydration. Without JavaScript, a button does. */
function ImageUpload({ name, label, hint, action, maxBytes, tooLargeMessage }: UploadProps) {
  const form = useRef<HTMLFormElement>(null)
  const fetcher = useFetcher<FormFailure>()
  const { submit } = fetcher
  const [isTooLarge, setTooLarge] = useState(false)
  // A new key clears the name of a rejected file.
  const [resetCount, setResetCount] = useState(0)
  const [lastFailure, setLastFailure] = useState(fetcher.data)
  if (fetcher.data !== lastFailure) {
    setLastFailure(fetcher.data)
    setResetCount(resetCount + 1)
  }
  const isUploading = fetcher.state !== 'idle'
  const serverErrors = fetcher.data?.result.error
  const errors = isTooLarge ? [tooLargeMessage] : isUploading ? null : (serverErrors?.[name] ?? serverErrors?.[''])

  const upload = useCallback(
    (file: File) => {
      setTooLarge(file.size > maxBytes)
      if (file.size > maxBytes) setResetCount((count) => count + 1)
      else submit(form.current, { action: `${action}?inline` })
    },
    [submit, maxBytes, action],
  )

  useEffect(() => {
    const input = form.current?.elements.namedItem(name)
    const file = input instanceof HTMLInputElement && input.files?.[0]
    if (file) upload(file)
  }, [upload, name])

  return (
    <fetcher.Form
      ref={form}
      method="post"
      action={action}
      encType="multipart/form-data"
      className="grid min-w-0 flex-1 gap-2"
    >
      <span className="label">{label}</span>
      <FileDropzone
        key={resetCount}
        field={{ id: name, name, errors: errors ?? undefined }}
        label={label}
        hint={isUploading ? 'Uploading...' : hint}
        accept="image/png,image/jpeg,image/svg+xml"
        onSelect={upload}
      />
      <noscript>
        <button type="submit" className="btn btn-secondary btn-sm">
          Upload
        </button>
      </noscript>
    </fetcher.Form>
  )
}
