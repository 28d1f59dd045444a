import { Form } from '@remix-run/react'
import { Upload } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#app/ui/components/button.tsx'
import { Card } from '#app/ui/components/page.tsx'
import { FormError, TextAreaField } from '#app/ui/forms/field.tsx'
import { FileDropzone } from '#app/ui/forms/file-dropzone.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { transcriptFormFields } from '../fields.ts'
import type { MinutesView } from '../recordings/minutes.ts'
import { MinutesLeft } from './minutes-left.tsx'
import { UploadRecording } from './upload-recording.tsx'
import type { SessionPage } from '../session-loader.server.ts'

/** Uploads or pastes a transcript, or says why that is not possible now. */
export function AddTranscript(session: SessionPage) {
  const { consent, hasPlan, hasStarted, maxBytes, canTranscribe, minutes } = session
  if (hasPlan && hasStarted && consent.active)
    return (
      <>
        <Card title="Upload a recording">
          {!canTranscribe ? (
            <NotConnected />
          ) : minutes?.usedUp ? (
            <UsedUp minutes={minutes} />
          ) : (
            <UploadRecording {...session} />
          )}
        </Card>
        <Card title="Upload a transcript">
          <UploadForm maxBytes={maxBytes} />
        </Card>
        <Card title="Paste a transcript">
          <PasteForm />
        </Card>
      </>
    )
  return (
    <Card title="Transcript">
      <p className="border-t border-line-soft px-5 py-5 text-ink-2">
        {!hasPlan ? (
          <>
            AI summaries are part of the Pro and Premium plans.{' '}
            <Link className="link" to="/upgrade">
              See the plans
            </Link>
          </>
        ) : hasStarted ? (
          'Record the consent first. Then upload or paste the transcript here.'
        ) : (
          'Once the session has begun, its transcript can be added here.'
        )}
      </p>
    </Card>
  )
}

function NotConnected() {
  return (
    <p className="border-t border-line-soft px-5 py-5 text-ink-2">
      Rev.ai is not connected on this platform, so recordings can’t be transcribed. Upload the transcript instead.
    </p>
  )
}

function UsedUp({ minutes }: { minutes: MinutesView }) {
  return (
    <p className="border-t border-line-soft px-5 py-5">
      <MinutesLeft minutes={minutes} />{' '}
      <Link className="link" to="/upgrade">
        See the plans
      </Link>
    </p>
  )
}

function UploadForm({ maxBytes }: Pick<SessionPage, 'maxBytes'>) {
  const { form, fields, busy } = useServerForm(transcriptFormFields, { id: 'upload', intent: 'upload' })
  const [isTooLarge, setTooLarge] = useState(false)
  const errors = isTooLarge ? ['This transcript is too large. Upload at most 5 MB of text.'] : fields.file.errors
  return (
    <Form
      method="post"
      encType="multipart/form-data"
      {...form.props}
      className="grid gap-4 border-t border-line-soft p-5"
      onSubmit={(event) => {
        if (isTooLarge) event.preventDefault()
      }}
    >
      <input type="hidden" name="intent" value="upload" />
      <FormError id={form.errorId} errors={form.errors} />
      <FileDropzone
        field={{ ...fields.file, errors }}
        label={fields.file.label}
        hint="VTT, SRT or text, up to 5 MB"
        accept=".vtt,.srt,.txt,text/vtt,text/plain,application/x-subrip"
        onSelect={(file) => setTooLarge(file.size > maxBytes)}
      />
      <div className="flex justify-end">
        <Button type="submit" variant="primary" icon={Upload} busy={busy} busyLabel="Uploading...">
          Upload Transcript
        </Button>
      </div>
    </Form>
  )
}

function PasteForm() {
  const { form, fields, busy } = useServerForm(transcriptFormFields, { id: 'paste', intent: 'paste' })
  return (
    <Form method="post" {...form.props} className="grid gap-4 border-t border-line-soft p-5" preventScrollReset>
      <input type="hidden" name="intent" value="paste" />
      <FormError id={form.errorId} errors={form.errors} />
      <TextAreaField
        field={fields.text}
        rows={8}
        hint="One line for each time somebody speaks, such as “[00:12:03] Anna: I will call her.”"
      />
      <div className="flex justify-end">
        <Button type="submit" busy={busy} busyLabel="Adding...">
          Add Transcript
        </Button>
      </div>
    </Form>
  )
}
