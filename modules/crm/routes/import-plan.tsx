import {
  data,
  redirect,
  type ActionFunctionArgs,
  type AppLoadContext,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node'
import { useActionData, useLoaderData, useNavigation } from '@remix-run/react'
import { AppError } from '#app/lib/errors.ts'
import type { ToastMessage } from '#app/lib/flash.ts'
import { readForm, redirectWithToast } from '#app/lib/form-submission.ts'
import { parseId } from '#app/lib/url.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { keepFormOnFailure } from '#app/ui/forms/offline-action.ts'
import { runWrite } from '#modules/core/run-action.server.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import type { Mapping } from '../import/column-mapping.ts'
import { isColumnTarget, toMapping, toTargets, type ColumnTarget } from '../import/column-targets.ts'
import { ColumnMappingForm } from '../import/components/import-columns.tsx'
import { ImportPreview, PreviewActions } from '../import/components/import-preview.tsx'
import { ImportProgress } from '../import/components/import-progress.tsx'
import { ImportResult, ResultActions } from '../import/components/import-result.tsx'
import { loadImportStep, type ImportStep } from '../import/import-loader.server.ts'
import { getImport, getImportFile } from '../import/queries.ts'
import { cancelImport, changeEncoding, mapColumns, runImport } from '../import/service.ts'

export const meta: MetaFunction<typeof loader> = ({ matches, data }) =>
  pageTitle(matches, data ? `Import ${data.fileName}` : 'Import not found')

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  return loadImportStep(context.coach(), parseId(params.id), new URL(request.url).searchParams)
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const ctx = context.coach()
  const id = parseId(params.id)
  const form = await readForm(request)
  const importUrl = `/clients/import/${id}`
  switch (form.get('intent')) {
    case 'columns':
      return saveMapping(context, id, await parseMappingForm(ctx, id, form))
    case 'encoding':
      return runStep(context, { to: `${importUrl}?columns=`, failedTo: importUrl }, (tx) =>
        changeEncoding(tx, id, String(form.get('encoding') ?? '') || null),
      )
    case 'run':
      return runStep(context, { to: importUrl, failedTo: importUrl }, (tx) => runImport(tx, id))
    case 'cancel':
      return runStep(
        context,
        {
          to: '/clients/import',
          failedTo: importUrl,
          toast: { tone: 'success', title: 'Import discarded' },
        },
        (tx) => cancelImport(tx, id),
      )
    default:
      throw data({ message: 'Unknown form.' }, { status: 400 })
  }
}

export const clientAction = keepFormOnFailure()

const failureMessage = 'Something went wrong. Please try again.'

/** Runs one step of the import and redirects: to `to`, or to `failedTo` with an error toast. */
async function runStep(
  context: AppLoadContext,
  { to, failedTo, toast }: { to: string; failedTo: string; toast?: ToastMessage },
  work: (ctx: WriteCtx) => Promise<void>,
): Promise<Response> {
  try {
    await runWrite(context, failureMessage, work)
    return toast ? redirectWithToast(to, toast) : redirect(to)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'not_found') throw data({ message: error.message }, { status: error.status })
    return redirectWithToast(failedTo, { tone: 'error', title: 'Error', text: error.message })
  }
}

type MappingForm = { targets: ColumnTarget[]; mapping: Mapping }
type MappingFailure = { error: string; targets: ColumnTarget[] }

/** The mapping sent by the form; columns missing from the form keep their targets. */
async function parseMappingForm(ctx: Ctx, id: number, form: FormData): Promise<MappingForm> {
  const record = await getImport(ctx, id)
  const { headers } = await getImportFile(ctx, record)
  const previous = toTargets(record.mapping, headers.length)
  const targets = previous.map((target, column) => {
    const sent = form.get(`column-${column}`)
    return isColumnTarget(sent) ? sent : target
  })
  const isUnchanged = targets.every((target, column) => target === previous[column])
  return { targets, mapping: isUnchanged ? record.mapping : toMapping(targets) }
}

async function saveMapping(context: AppLoadContext, id: number, { targets, mapping }: MappingForm) {
  try {
    await runWrite(context, failureMessage, (tx) => mapColumns(tx, id, mapping))
    return redirect(`/clients/import/${id}`)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return data<MappingFailure>({ error: error.message, targets }, { status: error.status })
  }
}

const titles = {
  columns: 'Match columns',
  preview: 'Review import',
  running: 'Import in progress',
  done: 'Import complete',
}

export default function ImportPlanPage() {
  const step = useLoaderData<typeof loader>()
  const navigation = useNavigation()
  const submitting = navigation.state === 'idle' ? null : String(navigation.formData?.get('intent') ?? '')
  return (
    <Page
      title={titles[step.step]}
      crumbs={[
        { label: 'Dashboard', to: '/dashboard' },
        { label: 'Clients', to: '/clients' },
        { label: 'Import', to: '/clients/import' },
        { label: step.fileName },
      ]}
      description={describeStep(step)}
      actions={
        step.step === 'preview' ? (
          <PreviewActions step={step} submitting={submitting} />
        ) : step.step === 'done' ? (
          <ResultActions />
        ) : undefined
      }
    >
      {step.step === 'columns' && <MappingStep step={step} submitting={submitting} />}
      {step.step === 'preview' && <ImportPreview step={step} />}
      {step.step === 'running' && <ImportProgress {...step} />}
      {step.step === 'done' && <ImportResult step={step} />}
    </Page>
  )
}

function describeStep(step: ImportStep): string | undefined {
  if (step.step === 'preview' && step.source) return `Recognized as an export of ${step.source}.`
  if (step.step === 'columns') return 'Name and email are required. All other columns are optional.'
  return undefined
}

function MappingStep({
  step,
  submitting,
}: {
  step: Extract<ImportStep, { step: 'columns' }>
  submitting: string | null
}) {
  const failure = useActionData<typeof action>() as MappingFailure | undefined
  return (
    <ColumnMappingForm
      key={step.encoding}
      columns={step.columns.map((column) => ({ ...column, target: failure?.targets[column.index] ?? column.target }))}
      targetOptions={step.targetOptions}
      encodings={step.encodings}
      encoding={step.encoding}
      error={failure?.error ?? null}
      submitting={submitting}
      cancelTo={step.isMapped ? `/clients/import/${step.id}` : null}
    />
  )
}
