import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { Upload } from 'lucide-react'
import { useState } from 'react'
import { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import { formatDate } from '#app/lib/time.ts'
import { pageHref, parsePage } from '#app/lib/url.ts'
import { requireFile } from '#app/lib/upload.server.ts'
import { Badge } from '#app/ui/components/badge.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { FormError } from '#app/ui/forms/field.tsx'
import { FileDropzone } from '#app/ui/forms/file-dropzone.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { PageSummary } from '#app/ui/components/pagination.tsx'
import { ById, formActions, success } from '#modules/core/form-actions.server.ts'
import { maxBytes, fileTooLargeError } from '../import/read-csv.ts'
import { UndoButton } from '../import/components/undo-button.tsx'
import { importsPerPage, listImports } from '../import/queries.ts'
import { startImport } from '../import/service.ts'
import { undoImport } from '../import/undo.ts'

const noFileError = (): AppError => new AppError('validation_failed', 'Choose a CSV file.', { field: 'file' })

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Import clients')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const page = parsePage(new URL(request.url).searchParams)
  const { imports, count } = await listImports(ctx, page)
  return {
    limit: { bytes: maxBytes, message: fileTooLargeError().message },
    page,
    size: importsPerPage,
    count,
    imports: imports.map(({ id, fileName, status, created, tag, createdAt }) => ({
      id,
      fileName,
      status,
      created,
      tag,
      day: formatDate(createdAt, ctx.account.timezone),
      canUndo: status === 'done' && created > 0,
    })),
  }
}

const messages = {
  upload: { done: null, failed: 'Something went wrong. Please try again.' },
  undo: { done: null, failed: 'Failed to undo the import. Please try again.' },
}

export const action = formActions(
  messages,
  {
    upload: {
      schema: z.object({ file: z.unknown() }),
      run: async (ctx, input) => {
        const file = requireFile(input.file, { maxBytes, missing: noFileError, tooLarge: fileTooLargeError })
        const content = new Uint8Array(await file.arrayBuffer())
        const id = await startImport(ctx, { name: file.name, content })
        return success({ to: `/clients/import/${id}` })
      },
    },
    undo: {
      schema: ById,
      run: async (ctx, { id }) => {
        await undoImport(ctx, id)
        return success({ to: `/clients/import/${id}` })
      },
      to: () => '/clients/import',
    },
  },
  { home: '/clients/import', maxFileBytes: maxBytes },
)

export const clientAction = formClientAction(messages)

export default function ImportPage() {
  const { count } = useLoaderData<typeof loader>()
  return (
    <Page
      title="Import clients"
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Clients', to: '/clients' }, { label: 'Import' }]}
      description="Import the people you already work with. You can review everything before it is added."
    >
      <div className="grid gap-6 xl:grid-cols-[1fr_21.5rem]">
        <div className="grid content-start gap-6">
          <UploadForm />
          {count > 0 && <PastImports />}
        </div>
        <ExportInstructions />
      </div>
    </Page>
  )
}

const uploadFields = { file: { kind: 'text', label: 'CSV file' } } as const

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
          hint="CSV, up to 10 MB and 50,000 people"
          accept=".csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values"
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

const statusLabels = {
  mapping: 'Columns not matched',
  ready: 'Not started',
  running: 'Running',
  done: 'Done',
  undoing: 'Being undone',
  undone: 'Undone',
} as const
const statusTones = {
  mapping: 'warning',
  ready: 'warning',
  running: 'info',
  done: 'success',
  undoing: 'info',
  undone: 'neutral',
} as const

/** The imports of the last 30 days. */
function PastImports() {
  const { imports, page, size, count } = useLoaderData<typeof loader>()
  return (
    <Card title="Past imports">
      <ul className="rows border-t border-line-soft">
        {imports.map(({ id, fileName, status, created, tag, day, canUndo }) => (
          <li key={id} className="flex flex-wrap items-center gap-3 px-5 py-3">
            <span className="min-w-0 flex-1 basis-48">
              <Link to={`/clients/import/${id}`} className="link block truncate">
                {fileName}
              </Link>
              <span className="num block truncate text-sm text-ink-3">
                {day}
                {(status === 'done' || status === 'undone') && ` · ${created.toLocaleString('en-US')} added`}
                {tag && ` · ${tag}`}
              </span>
            </span>
            <Badge tone={statusTones[status]}>{statusLabels[status]}</Badge>
            {canUndo && (
              <UndoButton id={id} label={`Undo the import of ${fileName}`}>
                Undo
              </UndoButton>
            )}
          </li>
        ))}
      </ul>
      <div className="border-t border-line-soft px-5 pb-4">
        {count > size && (
          <PageSummary
            page={page}
            size={size}
            rows={imports.length}
            count={count}
            to={(other) => pageHref('/clients/import', other)}
          />
        )}
        <p className="mt-4 text-sm text-ink-3">
          Imports are listed for 30 days. Undo moves the clients of an import to the trash, except for those that were
          changed or used since.
        </p>
      </div>
    </Card>
  )
}

const instructions = [
  ['Google Contacts', 'Export, then Google CSV'],
  ['Outlook', 'Manage contacts, then Export contacts'],
  ['Apple Contacts', 'Select all, copy into Numbers, export as CSV'],
  ['HubSpot', 'Contacts, Export view, CSV'],
  ['HoneyBook', 'Reports, Booked clients, export as CSV'],
  ['Excel', 'Save As, CSV UTF-8'],
]

function ExportInstructions() {
  return (
    <Card title="Where to find the file" className="self-start">
      <dl className="grid gap-3 border-t border-line-soft px-5 py-4">
        {instructions.map(([name, steps]) => (
          <div key={name}>
            <dt className="font-medium">{name}</dt>
            <dd className="text-sm text-ink-3">{steps}</dd>
          </div>
        ))}
      </dl>
      <p className="border-t border-line-soft px-5 py-4 text-sm text-ink-3">
        We recognize the columns of these exports. Any other list works too: you match the columns. Importing the same
        file again creates no duplicates.
      </p>
    </Card>
  )
}
