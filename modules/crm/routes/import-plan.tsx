import {
  data,
  redirect,
  type ActionFunctionArgs,
  type AppLoadContext,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node'
import { Form, useActionData, useLoaderData, useNavigation } from '@remix-run/react'
import { Download, Sparkles, Upload } from 'lucide-react'
import { parseId } from '#app/lib/parse-id.ts'
import { AppError } from '#app/lib/errors.ts'
import type { ToastMessage } from '#app/lib/flash.ts'
import { formOf, redirectWithToast } from '#app/lib/form-submission.ts'
import type { Tone } from '#app/ui/components/badge.tsx'
import { Button, ButtonLink } from '#app/ui/components/button.tsx'
import { titled } from '#app/ui/components/branding.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { Pagination } from '#app/ui/components/pagination.tsx'
import { Stats } from '#app/ui/components/stats.tsx'
import { Tabs } from '#app/ui/components/tabs.tsx'
import { keepTyped } from '#app/ui/forms/offline-action.ts'
import { attempt } from '#modules/core/run-action.server.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { plans } from '#tenants/accounts/plans.ts'
import { ImportColumns } from '../components/import-columns.tsx'
import { ImportProgress } from '../components/import-progress.tsx'
import { ImportRows, type ImportRow } from '../components/import-rows.tsx'
import { sourceNames, unmappedOf, type Mapping } from '../csv/headers.ts'
import { encodings, type CsvFile } from '../csv/read.ts'
import { isTarget, mappingFrom, targetChoices, targetsOf, type Target } from '../csv/column-targets.ts'
import {
  fileOf,
  importOf,
  previewOf,
  previewRows,
  rowsLeft,
  shownOutcomes,
  type ImportRecord,
  type PreviewRow,
  type ShownOutcome,
} from '../queries/imports.ts'
import { cancelImport, chooseColumns, chooseEncoding, runImport } from '../services/import.ts'

export const meta: MetaFunction<typeof loader> = ({ matches, data }) =>
  titled(matches, data ? `Import ${data.fileName}` : 'Import not found')

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const { searchParams } = new URL(request.url)
  return stepOf(ctx, parseId(params.id), searchParams)
}

/** Where an import stands, and what its page shows there. */
async function stepOf(ctx: Ctx, id: number, search: URLSearchParams) {
  const record = await importOf(ctx, id)
  const { fileName, position, total } = record
  const about = { id, fileName }
  if (record.status === 'running') {
    const stalled = ctx.now().getTime() - new Date(record.updatedAt).getTime() > 30_000
    return { ...about, step: 'running' as const, position, total, stalled }
  }
  const file = await fileOf(ctx, record)
  if (record.status === 'done')
    return { ...about, step: 'done' as const, ...(await resultOf(ctx, record, file, pageIn(search))) }
  const known = record.status === 'ready'
  if (!known || search.has('columns')) return { ...about, step: 'columns' as const, known, ...columnsOf(record, file) }

  const show = shownOutcomes.find((outcome) => outcome === search.get('show')) ?? 'all'
  const { rows, ...preview } = await previewOf(ctx, record, file, { show, page: pageIn(search) })
  const { title } = plans[ctx.plan]
  return {
    ...about,
    step: 'preview' as const,
    show,
    plan: title,
    source: record.source && sourceNames[record.source],
    // Of a known export it is plain what comes in, and its columns are many.
    columnsLeft: record.source ? [] : unmappedOf(file.headers, record.mapping).map((at) => file.headers[at]!),
    ...preview,
    rows: rows.map(({ outcome, ...row }): ImportRow => ({ ...row, ...faces[outcome] })),
  }
}

const faces: Record<PreviewRow['outcome'], { what: string; tone: Tone }> = {
  create: { what: 'Will be added', tone: 'success' },
  'left-out': { what: 'Left out', tone: 'warning' },
  duplicate: { what: 'Skipped', tone: 'neutral' },
  error: { what: 'To correct', tone: 'danger' },
}

async function resultOf(ctx: Ctx, record: ImportRecord, file: CsvFile, wanted: number) {
  const { created, duplicates, failed, leftOut } = record
  const left = await rowsLeft(ctx, record, file)
  const pages = Math.max(1, Math.ceil(left.length / previewRows))
  const page = Math.min(wanted, pages)
  const rows = left.slice((page - 1) * previewRows, page * previewRows)
  return {
    created,
    duplicates,
    failed,
    leftOut,
    left: left.length,
    page,
    pages,
    plan: plans[ctx.plan].title,
    rows: rows.map(
      ({ line, name, email, reason, kind }): ImportRow => ({ line, name, email, reason, detail: null, ...faces[kind] }),
    ),
  }
}

/** Columns that hold something, with what they hold, and what they are taken for. */
function columnsOf(record: ImportRecord, file: CsvFile) {
  const targets = targetsOf(record.mapping, file.headers.length)
  const columns = file.headers.flatMap((header, at) => {
    const samples: string[] = []
    for (const { cells } of file.rows) {
      const cell = cells[at]?.trim()
      if (cell && !samples.includes(cell.slice(0, 60))) samples.push(cell.slice(0, 60))
      if (samples.length === 3) break
    }
    return samples.length
      ? [{ at, header: header.trim() || `Column ${at + 1}`, samples, target: targets[at] ?? '' }]
      : []
  })
  return {
    columns,
    choices: targetChoices,
    encoding: record.encoding ?? '',
    encodings: [
      { value: '', label: `As recognized${record.encoding ? '' : ` (${file.encoding})`}` },
      ...encodings.map((name) => ({ value: name, label: name })),
    ],
  }
}

function pageIn(search: URLSearchParams): number {
  const page = Number(search.get('page') ?? 1)
  return Number.isSafeInteger(page) && page > 0 ? page : 1
}

type Unmapped = { problem: string; targets: Target[] }

export async function action({ request, params, context }: ActionFunctionArgs) {
  const ctx = context.coach()
  const id = parseId(params.id)
  const form = await formOf(request)
  const here = `/clients/import/${id}`
  switch (form.get('intent')) {
    case 'columns':
      return chooseAndGo(context, id, await chosenIn(ctx, id, form))
    case 'encoding':
      return go(context, `${here}?columns=`, here, (tx) =>
        chooseEncoding(tx, id, String(form.get('encoding') ?? '') || null),
      )
    case 'run':
      return go(context, here, here, (tx) => runImport(tx, id))
    case 'cancel':
      return go(context, '/clients/import', here, (tx) => cancelImport(tx, id), {
        tone: 'success',
        title: 'Import discarded',
      })
    default:
      throw data({ message: 'There is no such step of an import.' }, { status: 400 })
  }
}

export const clientAction = keepTyped()

const sorry = 'This did not work. Please try again.'

/** Does one step and goes on; refused, it goes `back` with a toast. */
async function go(
  context: AppLoadContext,
  to: string,
  back: string,
  work: (ctx: WriteCtx) => Promise<void>,
  done?: ToastMessage,
): Promise<Response> {
  try {
    await attempt(context, sorry, work)
    return done ? redirectWithToast(to, done) : redirect(to)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'not_found') throw data({ message: error.message }, { status: error.status })
    return redirectWithToast(back, { tone: 'error', title: 'Error', text: error.message })
  }
}

type Chosen = { targets: Target[]; mapping: Mapping }

/** What the form says of each column. Columns that it doesn't have stay what they are. */
async function chosenIn(ctx: Ctx, id: number, form: FormData): Promise<Chosen> {
  const record = await importOf(ctx, id)
  const { headers } = await fileOf(ctx, record)
  const before = targetsOf(record.mapping, headers.length)
  const targets = before.map((target, at) => {
    const sent = form.get(`column-${at}`)
    return isTarget(sent) ? sent : target
  })
  const same = targets.every((target, at) => target === before[at])
  return { targets, mapping: same ? record.mapping : mappingFrom(targets) }
}

async function chooseAndGo(context: AppLoadContext, id: number, { targets, mapping }: Chosen) {
  try {
    await attempt(context, sorry, (tx) => chooseColumns(tx, id, mapping))
    return redirect(`/clients/import/${id}`)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return data<Unmapped>({ problem: error.message, targets }, { status: error.status })
  }
}

type Step = ReturnType<typeof useLoaderData<typeof loader>>
type At<Name extends Step['step']> = Extract<Step, { step: Name }>

const titles = {
  columns: 'Say which column is what',
  preview: 'What will happen',
  running: 'Import is running',
  done: 'Import is done',
}

export default function ImportPlanPage() {
  const step = useLoaderData<typeof loader>()
  const navigation = useNavigation()
  const busy = navigation.state === 'idle' ? null : String(navigation.formData?.get('intent') ?? '')
  return (
    <Page
      title={titles[step.step]}
      crumbs={[
        { label: 'Dashboard', to: '/dashboard' },
        { label: 'Clients', to: '/clients' },
        { label: 'Import', to: '/clients/import' },
        { label: step.fileName },
      ]}
      sentence={
        step.step === 'preview' && step.source
          ? `Recognized as an export of ${step.source}.`
          : step.step === 'columns'
            ? 'A name and an email address are needed; all else is optional.'
            : undefined
      }
      actions={
        step.step === 'preview' ? (
          <PreviewActions step={step} busy={busy} />
        ) : step.step === 'done' ? (
          <ResultActions />
        ) : undefined
      }
    >
      {step.step === 'columns' && <Columns step={step} busy={busy} />}
      {step.step === 'preview' && <Preview step={step} />}
      {step.step === 'running' && <ImportProgress {...step} />}
      {step.step === 'done' && <Result step={step} />}
    </Page>
  )
}

function Columns({ step, busy }: { step: At<'columns'>; busy: string | null }) {
  const refused = useActionData<typeof action>() as Unmapped | undefined
  const targets = refused?.targets
  return (
    <ImportColumns
      key={step.encoding}
      columns={step.columns.map((column) => ({ ...column, target: targets?.[column.at] ?? column.target }))}
      choices={step.choices}
      encodings={step.encodings}
      encoding={step.encoding}
      problem={refused?.problem ?? null}
      busy={busy}
      backTo={step.known ? `/clients/import/${step.id}` : null}
    />
  )
}

const people = (count: number): string => `${count.toLocaleString('en-US')} ${count === 1 ? 'client' : 'clients'}`

function PreviewActions({ step, busy }: { step: At<'preview'>; busy: string | null }) {
  const count = step.counts.create
  return (
    <>
      <Form method="post">
        <Button type="submit" name="intent" value="cancel" busy={busy === 'cancel'}>
          Discard
        </Button>
      </Form>
      <ButtonLink to={`/clients/import/${step.id}?columns=`}>Change Columns</ButtonLink>
      {count > 0 && (
        <Form method="post">
          <Button
            type="submit"
            variant="primary"
            icon={Upload}
            name="intent"
            value="run"
            busy={busy === 'run'}
            busyLabel="Starting..."
          >
            Import {count.toLocaleString('en-US')} {count === 1 ? 'Client' : 'Clients'}
          </Button>
        </Form>
      )}
    </>
  )
}

function Preview({ step }: { step: At<'preview'> }) {
  const { id, show, counts, room, plan, rows, page, pages, columnsLeft } = step
  const left = counts['left-out']
  const addressOf = (to: { show?: ShownOutcome; page?: number }): string => {
    const search = new URLSearchParams()
    if ((to.show ?? show) !== 'all') search.set('show', to.show ?? show)
    if ((to.page ?? 1) > 1) search.set('page', String(to.page))
    return `/clients/import/${id}${search.size ? `?${search}` : ''}`
  }
  const tab = (outcome: ShownOutcome, label: string) => ({
    label: `${label} (${counts[outcome].toLocaleString('en-US')})`,
    to: addressOf({ show: outcome }),
    current: show === outcome,
  })
  return (
    <>
      {room !== null && left > 0 && <NoRoom plan={plan} room={room} left={left} />}
      {counts.create + left === 0 && (
        <p className="mb-4 text-ink-2">
          There is nobody to add: everybody in this file is a client already, or has something to correct.
        </p>
      )}
      {columnsLeft.length > 0 && (
        <p className="mb-4 text-ink-2 wrap-anywhere">
          {columnsLeft.length === 1 ? 'This column is' : 'These columns are'} not taken over: {inWords(columnsLeft)}.
        </p>
      )}
      <Tabs
        label="Rows"
        tabs={[
          tab('all', 'All'),
          tab('create', 'Will be added'),
          ...(left ? [tab('left-out', 'Left out')] : []),
          tab('duplicate', 'Skipped'),
          tab('error', 'To correct'),
        ]}
      />
      <div className="mt-4">
        {rows.length ? (
          <ImportRows label="What happens to each row" rows={rows} />
        ) : (
          <p className="py-8 text-center text-ink-3">No rows here.</p>
        )}
      </div>
      {rows.length > 0 && (
        <Pagination
          previous={page > 1 ? addressOf({ page: page - 1 }) : undefined}
          next={page < pages ? addressOf({ page: page + 1 }) : undefined}
        >
          Page {page.toLocaleString('en-US')} of {pages.toLocaleString('en-US')}
        </Pagination>
      )}
    </>
  )
}

/** The first six by name. */
function inWords(columns: string[]): string {
  const named = columns.slice(0, 6)
  const others = columns.length - named.length
  return new Intl.ListFormat('en-US').format(others ? [...named, `${others.toLocaleString('en-US')} more`] : named)
}

function NoRoom({ plan, room, left }: { plan: string; room: number; left: number }) {
  return (
    <p className="mb-4 flex gap-2.5 rounded-md bg-brand-soft px-3.5 py-2.5">
      <Sparkles className="i mt-0.5" />
      <span>
        Your {plan} plan{' '}
        {room === 0
          ? 'has no room for more clients'
          : `has room for ${people(room)} more: the first ${room === 1 ? 'one' : room} will be added`}
        . {people(left)} will be left out.{' '}
        <Link to="/upgrade" className="link">
          Upgrade
        </Link>
      </span>
    </p>
  )
}

function ResultActions() {
  return (
    <>
      <ButtonLink to="/clients/import">Import Another File</ButtonLink>
      <ButtonLink to="/clients" variant="primary">
        View Clients
      </ButtonLink>
    </>
  )
}

function Result({ step }: { step: At<'done'> }) {
  const { id, created, duplicates, failed, leftOut, left, plan, rows, page, pages } = step
  const pageAt = (at: number): string => `/clients/import/${id}${at > 1 ? `?page=${at}` : ''}`
  const number = (value: number): string => value.toLocaleString('en-US')
  return (
    <>
      <Stats
        stats={[
          { label: 'Added', value: number(created), fact: 'New clients' },
          { label: 'Skipped', value: number(duplicates), fact: 'Clients already, or twice in the file' },
          { label: 'To correct', value: number(failed), fact: failed ? 'Listed below' : 'Every row was fine' },
          {
            label: 'Left out',
            value: number(leftOut),
            fact: leftOut ? `No room on your ${plan} plan` : 'There was room for all',
          },
        ]}
      />
      {left > 0 && (
        <section className="mt-8" aria-label="Rows that were not imported">
          <div className="mb-3 flex flex-wrap items-end justify-between gap-3">
            <div className="min-w-0 flex-1 basis-72">
              <h2 className="h2">Not imported</h2>
              <p className="mt-1 text-sm text-ink-3">
                Download these rows, correct them in a spreadsheet, and import the file again.
                {leftOut > 0 && (
                  <>
                    {' '}
                    For those left out,{' '}
                    <Link to="/upgrade" className="link">
                      upgrade your plan
                    </Link>{' '}
                    or archive clients first.
                  </>
                )}
              </p>
            </div>
            <ButtonLink to={`/clients/import/${id}/errors`} reloadDocument icon={Download}>
              Download Rows
            </ButtonLink>
          </div>
          <ImportRows label="Rows that were not imported" rows={rows} />
          {pages > 1 && (
            <Pagination
              previous={page > 1 ? pageAt(page - 1) : undefined}
              next={page < pages ? pageAt(page + 1) : undefined}
            >
              Page {number(page)} of {number(pages)}
            </Pagination>
          )}
        </section>
      )}
    </>
  )
}
