import { Form, useSubmit } from '@remix-run/react'
import { Upload } from 'lucide-react'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { Button } from '#app/ui/components/button.tsx'
import { Progress } from '#app/ui/components/progress.tsx'
import { FormError } from '#app/ui/forms/field.tsx'
import { FileDropzone } from '#app/ui/forms/file-dropzone.tsx'
import { cancelFile, describeUploadError, sendFile } from '#app/ui/forms/start-upload.ts'
import { StartedUploads } from '#app/ui/forms/started-uploads.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { recordingFormFields } from '../fields.ts'
import { sessionUrl } from '../list-state.ts'
import type { SessionPage } from '../session-loader.server.ts'
import { MinutesLeft } from './minutes-left.tsx'

const maxBytes = 2 * 1024 ** 3
type Sending = { percent: number; waiting: string | null }

/** Sends a recording in parts, with progress; an upload that was interrupted goes on. Then Rev.ai transcribes it. */
export function UploadRecording({ id, state, minutes, keepsRecordings, started }: SessionPage) {
  const submit = useSubmit()
  const { form, fields, busy } = useServerForm(recordingFormFields, { id: 'recording', intent: 'recording' })
  const [file, setFile] = useState<File | null>(null)
  const [sending, setSending] = useState<Sending | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const abort = useRef<AbortController | null>(null)
  useEffect(() => () => abort.current?.abort(), [])

  async function send(event: FormEvent) {
    event.preventDefault()
    if (sending) return
    if (!file) return setProblem('Choose a recording.')
    if (file.size === 0) return setProblem('This file is empty. Choose another one.')
    if (file.size > maxBytes) return setProblem('Choose a file of at most 2 GB.')
    const controller = (abort.current = new AbortController())
    setProblem(null)
    setSending({ percent: 0, waiting: null })
    try {
      const uploadId = await sendFile(file, {
        signal: controller.signal,
        onProgress: (percent) => setSending({ percent, waiting: null }),
        onWaiting: (waiting) => setSending((before) => before && { ...before, waiting }),
      })
      submit({ intent: 'recording', uploadId: String(uploadId) }, { method: 'post', preventScrollReset: true })
    } catch (error) {
      if (!controller.signal.aborted)
        setProblem(describeUploadError(error, 'The recording could not be sent. Try again.'))
    } finally {
      setSending(null)
    }
  }

  function stop() {
    abort.current?.abort()
    if (file) void cancelFile(file)
  }

  const errors = problem ? [problem] : [...(form.errors ?? []), ...(fields.uploadId.errors ?? [])]
  return (
    <Form method="post" className="grid gap-4 border-t border-line-soft p-5" onSubmit={(event) => void send(event)}>
      <FormError id={form.errorId} errors={errors} />
      {!sending && (
        <StartedUploads
          uploads={started}
          toDiscard={(upload) => sessionUrl(id).href(state, { dialog: 'discard-upload', upload })}
        />
      )}
      {sending ? (
        <div className="grid gap-2" role="status">
          <Progress value={sending.percent} label={`Uploading ${file?.name}`} />
          <p className="text-sm text-ink-2">{sending.waiting ?? `${Math.floor(sending.percent)} %`}</p>
        </div>
      ) : (
        <FileDropzone
          field={{ id: 'recording-file', name: 'recording-file' }}
          label="Recording file"
          hint="Audio or video, up to 2 GB"
          accept="audio/*,video/*"
          onSelect={(selected) => {
            setFile(selected)
            setProblem(null)
          }}
        />
      )}
      <p className="text-sm text-ink-3">
        Rev.ai transcribes the recording. It is deleted at Rev.ai as soon as its transcript is there
        {keepsRecordings ? ', and kept here for as long as your settings say.' : ', and here too.'}{' '}
        {minutes && <MinutesLeft minutes={minutes} />}
      </p>
      <div className="flex justify-end gap-2">
        {sending && <Button onClick={stop}>Stop the Upload</Button>}
        <Button type="submit" variant="primary" icon={Upload} busy={sending !== null || busy} busyLabel="Uploading...">
          Upload Recording
        </Button>
      </div>
    </Form>
  )
}
