import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData, useNavigation } from '@remix-run/react'
import { z } from 'zod'
import { parseId } from '#app/lib/url.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { ButtonLink } from '#app/ui/components/button.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { formActions, NoInput, success, type FormRequest } from '#modules/core/form-actions.server.ts'
import type { Ctx } from '#tenants/context.ts'
import { ImportChoices } from '../forms.ts'
import type { Mapping } from '../import/column-mapping.ts'
import { columnField, isColumnTarget, toMapping, toTargets } from '../import/column-targets.ts'
import { ColumnMappingForm } from '../import/components/import-columns.tsx'
import { ImportPreview, PreviewActions } from '../import/components/import-preview.tsx'
import { ImportProgress } from '../import/components/import-progress.tsx'
import { ImportResult, ResultActions } from '../import/components/import-result.tsx'
import { ImportUndone } from '../import/components/import-undone.tsx'
import { loadImportStep, type ImportStep } from '../import/import-loader.server.ts'
import { getImport, type ImportRecord } from '../import/queries.ts'
import { undoAction } from '../import/undo-action.ts'
import { cancelImport, changeEncoding, chooseRows, mapColumns, readImportFile, runImport } from '../import/service.ts'

export const meta: MetaFunction<typeof loader> = ({ matches, data }) =>
  pageTitle(matches, data ? `Import ${data.fileName}` : 'Import not found')

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  return loadImportStep(context.coach(), parseId(params.id), new URL(request.url).searchParams)
}

const failed = 'Something went wrong. Please try again.'
const messages = {
  columns: { done: null, failed },
  encoding: { done: null, failed },
  choose: { done: null, failed },
  run: { done: null, failed },
  cancel: { done: { title: 'Import discarded' }, failed },
}

export const action = formActions(
  messages,
  {
    columns: {
      schema: z.looseObject({}),
      run: async (ctx, targets, { params }) => {
        const record = await getImport(ctx, parseId(params.id))
        await mapColumns(ctx, record.id, await parseMapping(ctx, record, targets))
      },
      to: importHref,
    },
    encoding: {
      schema: z.object({ encoding: z.string() }),
      run: (ctx, { encoding }, { params }) => changeEncoding(ctx, parseId(params.id), encoding || null),
      to: (request) => `${importHref(request)}?columns=`,
      isButton: true,
    },
    choose: {
      schema: ImportChoices,
      run: async (ctx, { shown, rows, tag = '', then }, { params }) => {
        const id = parseId(params.id)
        const isBulk = then === 'all' || then === 'none'
        await chooseRows(ctx, id, { rows: isBulk ? then : { shown, chosen: rows }, tag: tag || null })
        if (then !== 'run') return undefined
        await runImport(ctx, id)
        const toast = { title: 'Import started', action: undoAction(id) }
        return success({ to: `/clients/import/${id}`, toast })
      },
      to: ({ page }) => page,
    },
    run: { schema: NoInput, run: (ctx, _, { params }) => runImport(ctx, parseId(params.id)), to: importHref },
    cancel: {
      schema: NoInput,
      run: (ctx, _, { params }) => cancelImport(ctx, parseId(params.id)),
      to: () => '/clients/import',
      onError: (_, request) => ({ to: importHref(request) }),
    },
  },
  { home: '/clients/import' },
)

export const clientAction = formClientAction(messages)

function importHref({ params }: Pick<FormRequest, 'params'>): string {
  return `/clients/import/${parseId(params.id)}`
}

/** The mapping sent by the form. Columns missing from the form keep their targets. */
async function parseMapping(ctx: Ctx, record: ImportRecord, sent: Record<string, unknown>): Promise<Mapping> {
  const { headers } = await readImportFile(ctx, record)
  const previous = toTargets(record.mapping, headers.length)
  const targets = previous.map((target, column) => {
    const chosen = sent[columnField(column)]
    return isColumnTarget(chosen) ? chosen : target
  })
  const isUnchanged = targets.every((target, column) => target === previous[column])
  return isUnchanged ? record.mapping : toMapping(targets)
}

const titles = {
  columns: 'Match columns',
  preview: 'Review import',
  running: 'Import in progress',
  done: 'Import complete',
  undoing: 'Undoing import',
  undone: 'Import undone',
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
          <ResultActions step={step} />
        ) : step.step === 'undone' ? (
          <ButtonLink to="/clients/import">Import Another File</ButtonLink>
        ) : undefined
      }
    >
      {step.step === 'columns' && <ColumnMappingForm key={step.encoding} step={step} submitting={submitting} />}
      {step.step === 'preview' && <ImportPreview key={step.id} step={step} />}
      {(step.step === 'running' || step.step === 'undoing') && <ImportProgress step={step} />}
      {step.step === 'done' && <ImportResult step={step} />}
      {step.step === 'undone' && <ImportUndone step={step} />}
    </Page>
  )
}

function describeStep(step: ImportStep): string | undefined {
  if (step.step === 'preview' && step.source) return `Recognized as an export of ${step.source}.`
  if (step.step === 'columns') return 'Name and email are required. All other columns are optional.'
  return undefined
}
