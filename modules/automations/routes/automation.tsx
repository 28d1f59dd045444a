import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData, useNavigation } from '@remix-run/react'
import { parseId } from '#app/lib/url.ts'
import { Badge } from '#app/ui/components/badge.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Button, ButtonLink, HistoryLink } from '#app/ui/components/button.tsx'
import { ConfirmDialog } from '#app/ui/components/confirm-dialog.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { Tabs } from '#app/ui/components/tabs.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { ById, formActions } from '#modules/core/form-actions.server.ts'
import { loadAutomation, type AutomationPage as PageData } from '../automation-loader.server.ts'
import { ActionDialog } from '../components/action-dialog.tsx'
import { DryRunList } from '../components/dry-run-list.tsx'
import { PlanNote } from '../components/plan-note.tsx'
import { RunList } from '../components/run-list.tsx'
import { Setup } from '../components/setup.tsx'
import { readSettings } from '../fields.ts'
import { ActionForm, ByAction, OnlyIfForm, WhenForm } from '../forms.ts'
import { automationsUrl, automationUrl } from '../list-state.ts'
import {
  deleteAction,
  moveActionUp,
  saveAction,
  saveFilters,
  switchAutomation,
  updateAutomation,
} from '../services/automations.ts'
import { retryRun } from '../services/runs.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction<typeof loader> = ({ matches, data }) => pageTitle(matches, data?.name ?? 'Automation')

export const loader = ({ params, request, context }: LoaderFunctionArgs) =>
  loadAutomation(context.coach(), parseId(params.id), request.url)

const messages = {
  when: { done: 'Automation saved', failed: 'Failed to save the automation.' },
  'only-if': { done: 'Conditions saved', failed: 'Failed to save the conditions.' },
  'save-action': { done: 'Action saved', failed: 'Failed to save the action.' },
  'remove-action': { done: 'Action removed', failed: 'Failed to remove the action.' },
  'move-up': { done: null, failed: 'Failed to move the action.' },
  on: { done: 'Automation switched on', failed: 'Failed to switch the automation on.' },
  off: { done: 'Automation switched off', failed: 'Failed to switch the automation off.' },
  retry: {
    done: { title: 'On its way again', text: 'Reload the page to see the result.' },
    failed: 'Failed to try it again.',
  },
}

const toPage = ({ page }: { page: string }): string => page

export const action = formActions(
  messages,
  {
    when: {
      schema: WhenForm,
      run: (ctx, { id, version, days, ...input }) =>
        updateAutomation(ctx, id, { ...input, days: days ?? null }, version),
    },
    'only-if': {
      schema: OnlyIfForm,
      run: (ctx, { id, version }, { form }) => saveFilters(ctx, id, readSettings(form), version),
    },
    'save-action': {
      schema: ActionForm,
      run: (ctx, { id, version, action: actionId, kind }, { form }) =>
        saveAction(ctx, id, { id: actionId || null, action: kind, settings: readSettings(form) }, version),
    },
    'remove-action': {
      schema: ByAction,
      run: (ctx, { id, action: actionId }) => deleteAction(ctx, id, actionId),
      isButton: true,
    },
    'move-up': {
      schema: ByAction,
      run: (ctx, { id, action: actionId }) => moveActionUp(ctx, id, actionId),
      to: toPage,
      isButton: true,
    },
    on: { schema: ById, run: (ctx, { id }) => switchAutomation(ctx, id, true), to: toPage },
    off: { schema: ById, run: (ctx, { id }) => switchAutomation(ctx, id, false), to: toPage },
    retry: { schema: ById, run: (ctx, { id }) => retryRun(ctx, id), to: toPage },
  },
  { home: automationsUrl.href(), dialog: ['dialog', 'action', 'kind'] },
)

export const clientAction = formClientAction(messages)

export default function AutomationPage() {
  const data = useLoaderData<typeof loader>()
  const { id, name, view, isOn, hasPlan, loop } = data
  const url = automationUrl(id)
  return (
    <Page
      title={name}
      crumbs={[
        { label: 'Dashboard', to: '/dashboard' },
        { label: 'Automations', to: '/automations' },
        { label: 'Automation' },
      ]}
      actions={
        <>
          <HistoryLink kind="automation" id={id} />
          <ButtonLink variant="danger-ghost" to={automationsUrl.href({ dialog: 'delete', automation: id })}>
            Delete
          </ButtonLink>
          <SwitchButton {...data} />
        </>
      }
    >
      {!hasPlan && <PlanNote />}
      {loop && (
        <p className="note mb-4 !block !bg-warning-soft !text-warning-text">
          This automation can set itself off: {loop.map((link) => `“${link}”`).join(' → ')}. It is stopped when it comes
          back to itself.
        </p>
      )}
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <Tabs
          label="Automation"
          tabs={[
            { label: 'Set up', to: url.href(), current: view === null },
            { label: 'Dry run', to: url.href({ view: 'dry-run' }), current: view === 'dry-run' },
            { label: 'Runs', to: url.href({ view: 'runs' }), current: view === 'runs' },
          ]}
        />
        <Badge tone={isOn ? 'success' : 'neutral'}>{isOn ? 'On' : 'Off'}</Badge>
      </div>
      <View {...data} />
      <OpenDialog {...data} />
    </Page>
  )
}

function SwitchButton({ id, isOn, hasPlan, described }: PageData) {
  const { formData } = useNavigation()
  const intent = isOn ? 'off' : 'on'
  if (!isOn && (!hasPlan || !described.actions.length)) return null
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="id" value={id} />
      <Button
        type="submit"
        variant={isOn ? 'secondary' : 'primary'}
        busy={formData?.get('intent') === intent}
        busyLabel="Saving..."
      >
        {isOn ? 'Switch Off' : 'Switch On'}
      </Button>
    </Form>
  )
}

function View({ view, dry, log, ...data }: PageData) {
  if (view === 'dry-run') return <DryRunList id={data.id} dry={dry} />
  if (view === 'runs' && log) return <RunList id={data.id} log={log} />
  return <Setup {...data} />
}

function OpenDialog({ id, version, dialog, removing }: PageData) {
  const closeTo = automationUrl(id).href()
  if (dialog)
    return <ActionDialog key={dialog.id ?? dialog.kind} id={id} version={version} dialog={dialog} closeTo={closeTo} />
  if (!removing) return null
  return (
    <ConfirmDialog
      title="Remove Action"
      confirm="Remove Action"
      busyLabel="Removing..."
      closeTo={closeTo}
      fields={{ intent: 'remove-action', id: String(id), action: removing.id }}
    >
      {removing.text}: this is not done any more.
    </ConfirmDialog>
  )
}
