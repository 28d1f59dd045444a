import { useState } from 'react'
import { Dialog, DialogBody } from '#app/ui/components/dialog.tsx'
import { SelectField, TextField } from '#app/ui/forms/field.tsx'
import { StartedUploads, type StartedUpload } from '#app/ui/forms/started-uploads.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { resourceFields } from '../fields.ts'
import { FileUpload } from './file-upload.tsx'

export type Options = { clients: { id: number; name: string }[]; folders: { id: number; name: string }[] }
export const toOptions = (none: string, rows: { id: number; name: string }[]) => [
  { value: '', label: none },
  ...rows.map(({ id, name }) => ({ value: String(id), label: name })),
]

const fields = { ...resourceFields, tags: { kind: 'line', label: 'Tags', optional: true } } as const

/** Uploads a file. `started`: uploads that were interrupted. */
export function UploadDialog({
  clients,
  folders,
  values,
  started,
  toDiscard,
  closeTo,
}: Options & {
  values: { clientId: string; folderId: string }
  started: StartedUpload[]
  toDiscard: (id: number) => string
  closeTo: string
}) {
  const { form, fields: inputs } = useServerForm(fields, { id: 'upload', intent: 'upload', values })
  const [name, setName] = useState('')
  return (
    <Dialog title="Upload Resource" closeTo={closeTo}>
      <DialogBody>
        <FileUpload
          action="/resources/upload"
          fields={{ intent: 'upload' }}
          submitLabel="Upload Resource"
          started={<StartedUploads uploads={started} toDiscard={toDiscard} />}
          errors={form.errors}
          onSelect={(file) => setName(file.name)}
        >
          <TextField key={name} field={{ ...inputs.name, initialValue: name || inputs.name.initialValue }} />
          <div className="grid gap-4 sm:grid-cols-2">
            <SelectField
              field={inputs.clientId}
              choices={toOptions('General', clients)}
              hint="A client sees it once you share it."
            />
            <SelectField field={inputs.folderId} choices={toOptions('No folder', folders)} />
          </div>
          <TextField field={inputs.tags} hint="Separated by commas" autoComplete="off" />
        </FileUpload>
      </DialogBody>
    </Dialog>
  )
}
