import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { Pencil, Plus, UserPlus } from 'lucide-react'
import { parseId } from '#app/lib/url.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { ButtonLink, PrimaryLink } from '#app/ui/components/button.tsx'
import { EmptyState } from '#app/ui/components/empty-state.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { formActions } from '#modules/core/form-actions.server.ts'
import { TemplateDialog } from '../components/template-dialogs.tsx'
import { TemplateList } from '../components/template-list.tsx'
import { limits } from '../fields.ts'
import {
  ByItem,
  ByMilestone,
  EditTemplateForm,
  ItemForm,
  MilestoneForm,
  MoveItemForm,
  MoveMilestoneForm,
} from '../forms.ts'
import { programsUrl, templateUrl } from '../list-state.ts'
import {
  deleteItem,
  deleteMilestone,
  moveItem,
  moveMilestone,
  saveItem,
  saveMilestone,
  updateTemplate,
} from '../services/templates.ts'
import { loadTemplate } from '../template-loader.server.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction<typeof loader> = ({ matches, data }) => pageTitle(matches, data?.name ?? 'Template')

export const loader = ({ params, request, context }: LoaderFunctionArgs) =>
  loadTemplate(context.coach(), parseId(params.id), request.url)

const messages = {
  edit: { done: 'Template updated', failed: 'Failed to update the template.' },
  'save-milestone': { done: 'Milestone saved', failed: 'Failed to save the milestone.' },
  'delete-milestone': { done: 'Milestone deleted', failed: 'Failed to delete the milestone.' },
  move: { done: null, failed: 'Failed to move the milestone.' },
  'save-item': { done: 'Item saved', failed: 'Failed to save the item.' },
  'delete-item': { done: 'Item deleted', failed: 'Failed to delete the item.' },
  'move-item': { done: null, failed: 'Failed to move the item.' },
}

const toPage = ({ page }: { page: string }): string => page

export const action = formActions(
  messages,
  {
    edit: {
      schema: EditTemplateForm,
      run: (ctx, { id, version, ...input }) => updateTemplate(ctx, id, input, version),
    },
    'save-milestone': { schema: MilestoneForm, run: saveMilestone },
    'delete-milestone': {
      schema: ByMilestone,
      run: (ctx, { id, milestone }) => deleteMilestone(ctx, id, milestone),
      isButton: true,
    },
    move: {
      schema: MoveMilestoneForm,
      run: (ctx, { id, ...move }) => moveMilestone(ctx, id, move),
      to: toPage,
      isButton: true,
    },
    'save-item': {
      schema: ItemForm,
      run: saveItem,
      onError: ({ subject }) =>
        subject === 'milestone' ? { field: 'milestone', message: 'Choose the milestone' } : undefined,
    },
    'delete-item': { schema: ByItem, run: (ctx, { id, ...item }) => deleteItem(ctx, id, item), isButton: true },
    'move-item': {
      schema: MoveItemForm,
      run: (ctx, { id, ...move }) => moveItem(ctx, id, move),
      to: toPage,
      isButton: true,
    },
  },
  { dialog: ['dialog', 'milestone', 'item', 'kind'] },
)

export const clientAction = formClientAction(messages)

export default function TemplatePage() {
  const data = useLoaderData<typeof loader>()
  const { id, name, description, milestones, isFull } = data
  const url = templateUrl(id)
  return (
    <Page
      title={name}
      crumbs={[
        { label: 'Dashboard', to: '/dashboard' },
        { label: 'Programs', to: programsUrl.href({ view: 'templates' }) },
        { label: 'Template' },
      ]}
      description={description}
      actions={
        <>
          <ButtonLink icon={Pencil} to={url.href({ dialog: 'details' })} preventScrollReset>
            Details
          </ButtonLink>
          {milestones.length > 0 && (
            <PrimaryLink icon={UserPlus} to={programsUrl.href({ view: 'templates', dialog: 'assign', template: id })}>
              Assign Program
            </PrimaryLink>
          )}
        </>
      }
    >
      {milestones.length > 0 ? (
        <TemplateList {...data} />
      ) : (
        <div className="card">
          <EmptyState title="No milestones yet">Add the first one below.</EmptyState>
        </div>
      )}
      <div className="mt-4">
        {isFull ? (
          <p className="note">A program has at most {limits.milestones} milestones.</p>
        ) : (
          <ButtonLink icon={Plus} to={url.href({ dialog: 'milestone' })} preventScrollReset>
            Add Milestone
          </ButtonLink>
        )}
      </div>
      <TemplateDialog {...data} />
    </Page>
  )
}
