import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { Upload } from 'lucide-react'
import { useState } from 'react'
import { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import { requireFile } from '#app/lib/upload.server.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { FormError } from '#app/ui/forms/field.tsx'
import { FileDropzone } from '#app/ui/forms/file-dropzone.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { ById, formActions, success } from '#modules/core/form-actions.server.ts'
import { loadImports } from '../calendar-import/loader.server.ts'
import { fileTooLargeError, maxBytes } from '../calendar-import/read-calendar.ts'
import { prepareImport, undoImport } from '../calendar-import/service.ts'

const noFileError = (): AppError => new AppError('validation_failed', 'Choose an .ics file.', { field: 'file' })

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Import a Calendar')

export async function loader({ context }: LoaderFunctionArgs) {
  return loadImports(context.coach())
}

const messages = {
  upload: { done: null, failed: 'The file could not be read. Please try again.' },
  undo: { done: { title: 'Import undone' }, failed: 'The import could not be undone.' },
}

export const action = formActions(
  messages,
  {
    upload: {
      schema: z.object({ file: z.unknown() }),
      run: async (ctx, input) => {
        const file = requireFile(input.file, { maxBytes, missing: noFileError, tooLarge: fileTooLargeError })
        const content = new Uint8Array(await file.arrayBuffer())
        const id = await prepareImport(ctx, { name: file.name, content })
        return success({ to: `/settings/calendar/import/${id}` })
      },
    },
    undo: {
      schema: ById,
      run: async (ctx, { id }) => {
        const { kept } = await undoImport(ctx, id)
        if (!kept) return success({ to: '/settings/calendar/import' })
        const text = `${kept === 1 ? '1 session that you have changed stays.' : `${kept} sessions that you have changed stay.`}`
        return success({ to: '/settings/calendar/import', toast: { text } })
      },
    },
  },
  { home: '/settings/calendar/import', maxFileBytes: maxBytes },
)

export const clientAction = formClientAction(messages)

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export default function CalendarImportPage() {
  const { imports } = useLoaderData<typeof loader>()
  return (
    <Page
      title="Import a Calendar"
      crumbs={[
        { label: 'Settings', to: '/settings' },
        { label: 'Calendar', to: '/settings/calendar' },
        { label: 'Import' },
      ]}
      description="Bring the sessions and busy times of another calendar. You see everything before it is added."
    >
      <div className="grid max-w-[48rem] gap-6">
        <UploadForm />
        {imports.length > 0 && (
          <Card title="Imported">
            <ul aria-label="Imported" className="rows border-t border-line-soft">
              {imports.map(({ id, fileName, day, added }) => (
                <li key={id} className="flex items-center gap-3 px-5 py-2.5">
                  <span className="min-w-0 flex-1">
                    <Link to={`/settings/calendar/import/${id}`} className="link block truncate">
                      {fileName}
                    </Link>
                    <span className="num block text-sm text-ink-3">
                      {day}, {added}
                    </span>
                  </span>
                  <Form method="post" preventScrollReset>
                    <input type="hidden" name="intent" value="undo" />
                    <input type="hidden" name="id" value={id} />
                    <Button type="submit" size="sm" variant="ghost" aria-label={`Undo the import of ${fileName}`}>
                      Undo
                    </Button>
                  </Form>
                </li>
              ))}
            </ul>
            <p className="border-t border-line-soft px-5 py-4 text-sm text-ink-3">
              Undo removes the busy times and moves the sessions to the trash, unless you have changed them since.
            </p>
          </Card>
        )}
        <Instructions />
      </div>
    </Page>
  )
}

const uploadFields = { file: { kind: 'text', label: 'Calendar file' } } as const

function UploadForm() {
  const { limit } = useLoaderData<typeof loader>()
  const { form, fields, busy } = useServerForm(uploadFields, { id: 'import', intent: 'upload' })
  const [selected, setSelected] = useState<'none' | 'ok' | 'tooLarge'>('none')
  const errors = selected === 'tooLarge' ? [limit.message] : selected === 'ok' ? undefined : fields.file.errors
  return (
    <section className="card p-5" aria-label="Choose a file">
      <Form
        method="post"
        encType="multipart/form-data"
        {...form.props}
        className="grid gap-4"
        onSubmit={(event) => (selected === 'tooLarge' ? event.preventDefault() : setSelected('none'))}
      >
        <input type="hidden" name="intent" value="upload" />
        <FormError id={form.errorId} errors={form.errors} />
        <FileDropzone
          field={{ ...fields.file, errors }}
          label={fields.file.label}
          hint="ICS, up to 5 MB"
          accept=".ics,.ical,.ifb,text/calendar"
          onSelect={(file) => setSelected(file.size > limit.bytes ? 'tooLarge' : 'ok')}
        />
        <div className="flex justify-end">
          <Button type="submit" variant="primary" icon={Upload} busy={busy} busyLabel="Reading...">
            Upload and Preview
          </Button>
        </div>
      </Form>
    </section>
  )
}

const instructions = [
  ['Google Calendar', 'Settings, Import & export, Export. Open the ZIP file, then choose one of the files in it.'],
  ['Outlook', 'On the desktop: File, Save Calendar. On the web: publish the calendar, then open its ICS link.'],
  ['Apple Calendar', 'File, Export, Export.'],
]

function Instructions() {
  return (
    <Card title="Where to find the file">
      <dl className="grid gap-3 border-t border-line-soft px-5 py-4">
        {instructions.map(([name, steps]) => (
          <div key={name}>
            <dt className="font-medium">{name}</dt>
            <dd className="text-sm text-ink-3">{steps}</dd>
          </div>
        ))}
      </dl>
      <p className="border-t border-line-soft px-5 py-4 text-sm text-ink-3">
        Importing the same calendar again adds only its new events. Nobody is emailed. A calendar that is connected
        needs no import: its sessions would be there twice.
      </p>
    </Card>
  )
}
