import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { Upload } from 'lucide-react'
import { useState } from 'react'
import { AppError } from '#app/lib/errors.ts'
import type { Refusal } from '#app/lib/form-submission.ts'
import { dayOf } from '#app/lib/time.ts'
import { uploadedFile } from '#app/lib/upload.server.ts'
import { Badge } from '#app/ui/components/badge.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { DropZone } from '#app/ui/forms/file-dropzone.tsx'
import { useServerForm } from '#app/ui/forms/form.ts'
import { titled } from '#app/ui/components/branding.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { keepTyped } from '#app/ui/forms/offline-action.ts'
import { maxBytes, tooLargeFile } from '../csv/read.ts'
import { recentImports } from '../queries/imports.ts'
import { startImport } from '../services/import.ts'

const noFile = (): AppError => new AppError('validation_failed', 'Choose a CSV file.', { field: 'file' })

export const meta: MetaFunction = ({ matches }) => titled(matches, 'Import clients')

export async function loader({ context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const recent = await recentImports(ctx)
  return {
    limit: { bytes: maxBytes, sentence: tooLargeFile().message },
    recent: recent.map(({ id, fileName, status, created, createdAt }) => ({
      id,
      fileName,
      status,
      created,
      day: dayOf(createdAt, ctx.account.timezone),
    })),
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = context.coach()
  try {
    const id = await startImport(
      ctx,
      await uploadedFile(request, 'file', { maxBytes, missing: noFile, tooLarge: tooLargeFile }),
    )
    return redirect(`/clients/import/${id}`)
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return data<Refusal>(
      { result: { status: 'error', initialValue: {}, error: { file: [error.message] } } },
      { status: error.status },
    )
  }
}

export const clientAction = keepTyped()

export default function ImportPage() {
  const { recent } = useLoaderData<typeof loader>()
  return (
    <Page
      title="Import clients"
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Clients', to: '/clients' }, { label: 'Import' }]}
      sentence="Bring the people you already have. Nothing is added before you have seen what will happen."
    >
      <div className="grid gap-6 xl:grid-cols-[1fr_21.5rem]">
        <div className="grid content-start gap-6">
          <ChooseFile />
          {recent.length > 0 && <Recent recent={recent} />}
        </div>
        <Sources />
      </div>
    </Page>
  )
}

function ChooseFile() {
  const { limit } = useLoaderData<typeof loader>()
  const { form, fields, busy } = useServerForm<{ file: string }>({ id: 'import' })
  const [chosen, setChosen] = useState<'none' | 'fits' | 'large'>('none')
  const errors = chosen === 'large' ? [limit.sentence] : chosen === 'fits' ? undefined : fields.file.errors
  return (
    <section className="card p-5" aria-label="Choose a file">
      <Form
        method="post"
        encType="multipart/form-data"
        {...form.props}
        className="grid gap-4"
        onSubmit={(event) => (chosen === 'large' ? event.preventDefault() : setChosen('none'))}
      >
        <DropZone
          field={{ id: fields.file.id, name: 'file', errors }}
          label="CSV file"
          hint="CSV, up to 10 MB and 50,000 people"
          accept=".csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values"
          onChoose={(file) => setChosen(file.size > limit.bytes ? 'large' : 'fits')}
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

const states = { mapping: 'Needs columns', ready: 'Not started', running: 'Running', done: 'Done' } as const
const tones = { mapping: 'warning', ready: 'warning', running: 'info', done: 'success' } as const

function Recent({ recent }: Pick<ReturnType<typeof useLoaderData<typeof loader>>, 'recent'>) {
  return (
    <Card title="Recent imports">
      <ul className="rows border-t border-line-soft">
        {recent.map(({ id, fileName, status, created, day }) => (
          <li key={id} className="flex items-center gap-3 px-5 py-3">
            <span className="min-w-0 flex-1">
              <Link to={`/clients/import/${id}`} className="link block truncate">
                {fileName}
              </Link>
              <span className="num block text-sm text-ink-3">
                {day}
                {status === 'done' && ` · ${created.toLocaleString('en-US')} added`}
              </span>
            </span>
            <Badge tone={tones[status]}>{states[status]}</Badge>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const sources = [
  ['Google Contacts', 'Export, then Google CSV'],
  ['Outlook', 'Manage contacts, then Export contacts'],
  ['Apple Contacts', 'Select all, copy into Numbers, export as CSV'],
  ['HubSpot', 'Contacts, Export view, CSV'],
  ['Excel', 'Save As, CSV UTF-8'],
]

function Sources() {
  return (
    <Card title="Where to find the file" className="self-start">
      <dl className="grid gap-3 border-t border-line-soft px-5 py-4">
        {sources.map(([name, way]) => (
          <div key={name}>
            <dt className="font-medium">{name}</dt>
            <dd className="text-sm text-ink-3">{way}</dd>
          </div>
        ))}
      </dl>
      <p className="border-t border-line-soft px-5 py-4 text-sm text-ink-3">
        Columns of these exports are recognized. Any other list works too: you say which column is what. Importing a
        file twice adds nobody twice.
      </p>
    </Card>
  )
}
