import { useSubmit } from '@remix-run/react'
import { useEffect, useRef, useState, type FormEvent, type ReactNode, type RefObject } from 'react'
import { Button } from '#app/ui/components/button.tsx'
import { DialogActions, DialogClose } from '#app/ui/components/dialog.tsx'
import { Progress } from '#app/ui/components/progress.tsx'
import { FileDropzone } from '#app/ui/forms/file-dropzone.tsx'
import { FormError } from '#app/ui/forms/field.tsx'
import { cancelFile, describeUploadError, sendFile } from '#app/ui/forms/start-upload.ts'

const maxBytes = 2 * 1024 ** 3

/**
 * A form that sends its file in parts, with progress, and then its fields to the page with the upload's id. Without
 * scripts it posts all of it to `action`.
 */
export function FileUpload({
  action,
  fields,
  submitLabel,
  started,
  children,
  errors,
  onSelect,
}: {
  action: string
  /** Hidden fields. */
  fields: Record<string, string>
  submitLabel: string
  /** Above the field, while nothing is sent. */
  started?: ReactNode
  children?: ReactNode
  errors: string[] | undefined
  onSelect?: (file: File) => void
}) {
  const form = useRef<HTMLFormElement>(null)
  const { file, setFile, percent, waiting, problem, setProblem, send, stop } = useUpload(form)
  const isSending = percent !== null
  return (
    <form
      ref={form}
      method="post"
      action={action}
      encType="multipart/form-data"
      className="grid gap-4"
      onSubmit={(event) => void send(event)}
    >
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <FormError errors={problem ? [problem] : errors} />
      {isSending && <UploadProgress file={file} percent={percent} waiting={waiting} />}
      <div className={isSending ? 'hidden' : 'contents'}>
        {started}
        <FileDropzone
          field={{ id: 'file', name: 'file' }}
          label="File"
          hint="Any file, up to 2 GB"
          onSelect={(selected) => {
            setFile(selected)
            setProblem(null)
            onSelect?.(selected)
          }}
        />
        {children}
      </div>
      <DialogActions>
        {isSending ? <Button onClick={stop}>Stop the Upload</Button> : <DialogClose />}
        <Button type="submit" variant="primary" busy={isSending} busyLabel="Uploading...">
          {submitLabel}
        </Button>
      </DialogActions>
    </form>
  )
}

/** Sends the chosen file, then the fields of `form` with the upload's id. `percent`: null while nothing is sent. */
function useUpload(form: RefObject<HTMLFormElement>) {
  const submit = useSubmit()
  const abort = useRef<AbortController | null>(null)
  const [file, setFile] = useState<File | null>(null)
  const [percent, setPercent] = useState<number | null>(null)
  const [waiting, setWaiting] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => () => abort.current?.abort(), [])

  async function send(event: FormEvent) {
    event.preventDefault()
    if (percent !== null || !form.current) return
    const invalid = findProblem(file)
    setProblem(invalid)
    if (!file || invalid) return
    const controller = (abort.current = new AbortController())
    setPercent(0)
    try {
      const id = await sendFile(file, { signal: controller.signal, onProgress: setPercent, onWaiting: setWaiting })
      const data = new FormData(form.current)
      data.delete('file')
      data.set('uploadId', String(id))
      submit(data, { method: 'post', preventScrollReset: true })
    } catch (error) {
      if (!controller.signal.aborted) setProblem(describeUploadError(error, 'The file could not be sent. Try again.'))
    } finally {
      setPercent(null)
      setWaiting(null)
    }
  }

  function stop() {
    abort.current?.abort()
    if (file) void cancelFile(file)
  }

  return { file, setFile, percent, waiting, problem, setProblem, send, stop }
}

function findProblem(file: File | null): string | null {
  if (!file) return 'Choose a file.'
  if (file.size === 0) return 'This file is empty. Choose another one.'
  return file.size > maxBytes ? 'Choose a file of at most 2 GB.' : null
}

function UploadProgress(props: { file: File | null; percent: number; waiting: string | null }) {
  const { file, percent, waiting } = props
  return (
    <div className="grid gap-2" role="status">
      <Progress value={percent} label={`Uploading ${file?.name}`} />
      <p className="text-sm text-ink-2">
        {waiting ?? `${Math.floor(percent)} % of ${formatMegabytes(file?.size ?? 0)}`}
      </p>
    </div>
  )
}

export const formatMegabytes = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MB`
