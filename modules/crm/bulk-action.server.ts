import type { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import { success } from '#modules/core/form-actions.server.ts'
import type { WriteCtx } from '#tenants/context.ts'
import { clientFields, type ClientStatus } from './fields.ts'
import type { BulkForm } from './forms.ts'
import { clientsUrl } from './list-state.ts'
import { changeClients, undoChange, type BulkChange } from './services/bulk.ts'

/** Changes the chosen clients and says how many they were, with an Undo for all of them. */
export async function runBulkForm(ctx: WriteCtx, { ids, all, url, action, tag = '' }: z.output<typeof BulkForm>) {
  const { dialog: _, client: _client, select: _select, ...state } = clientsUrl.parse(new URL(url, 'http://localhost'))
  if (!all && !ids.length) throw new AppError('validation_failed', 'Choose a client first.')
  const change = toChange(action, tag)
  const { id, changed } = await changeClients(
    ctx,
    all ? { show: state.show, filters: state } : { show: state.show, ids },
    change,
  )
  const fields = { intent: 'undo-bulk', id: String(id) }
  return success({
    to: clientsUrl.href(state),
    toast:
      id === null
        ? { title: 'Nothing to change' }
        : { title: describeChange(change, changed), action: { label: 'Undo', to: '/clients', fields } },
  })
}

function toChange(action: z.output<typeof BulkForm>['action'], tag: string): BulkChange {
  if (action === 'archive' || action === 'unarchive' || action === 'delete') return { action }
  if (action !== 'add-tag' && action !== 'remove-tag')
    return { action: 'status', status: action.slice('status-'.length) as ClientStatus }
  if (!tag) throw new AppError('validation_failed', 'Type a tag first.')
  return { action, tag }
}

function describeChange(change: BulkChange, count: number): string {
  const clients = countClients(count)
  switch (change.action) {
    case 'add-tag':
      return `“${change.tag}” added to ${clients}`
    case 'remove-tag':
      return `“${change.tag}” removed from ${clients}`
    case 'status':
      return `${clients}: ${clientFields.status.choices[change.status]}`
    case 'archive':
      return `${clients} archived`
    case 'unarchive':
      return `${clients} restored`
    case 'delete':
      return `${clients} moved to the trash`
  }
}

const countClients = (count: number): string => `${count.toLocaleString('en-US')} ${count === 1 ? 'client' : 'clients'}`

/** Says for how many clients the change was undone. */
export async function undoBulk(ctx: WriteCtx, id: number) {
  return success({ toast: { title: `Undone for ${countClients(await undoChange(ctx, id))}` } })
}
