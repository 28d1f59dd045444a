import { AppError } from '#app/lib/errors.ts'
import { insertRow } from '#modules/core/insert-row.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { clientsUrl, maxViews } from '../list-state.ts'

export type ClientView = { id: number; name: string; url: string }

/** The saved views by name. */
export async function listViews(ctx: Ctx): Promise<ClientView[]> {
  authorize(ctx, 'crm:client:read')
  return ctx.query<ClientView>({
    name: 'crm.views',
    text: 'select id, name, url from client_view where coach_id = $1 order by lower(name) collate "und-x-icu", id',
    values: [ctx.coachId],
  })
}

/** Saves what the list shows at `url`. Throws conflict for a taken name, in any case, and for too many views. */
export async function createView(ctx: WriteCtx, { name, url }: { name: string; url: string }): Promise<number> {
  authorize(ctx, 'crm:client:write')
  const views = await lockViews(ctx)
  if (views.length >= maxViews)
    throw new AppError('conflict', `You have ${maxViews} views. Delete one to save another.`, { field: 'name' })
  assertFreeName(views, name)
  const { page: _, dialog: _dialog, client: _client, ...state } = clientsUrl.parse(new URL(url, 'http://localhost'))
  const now = ctx.now()
  return insertRow(ctx, {
    table: 'client_view',
    name: 'crm.insert-view',
    row: { name, url: clientsUrl.href(state), createdAt: now, updatedAt: now },
  })
}

/** Throws not_found, and conflict for a taken name. */
export async function renameView(ctx: WriteCtx, id: number, name: string): Promise<void> {
  authorize(ctx, 'crm:client:write')
  const views = await lockViews(ctx)
  if (!views.some((view) => view.id === id)) throw viewNotFound()
  assertFreeName(
    views.filter((view) => view.id !== id),
    name,
  )
  await ctx.query({
    name: 'crm.rename-view',
    text: 'update client_view set name = $3, updated_at = $4 where coach_id = $1 and id = $2',
    values: [ctx.coachId, id, name, ctx.now()],
  })
}

/** Throws not_found. */
export async function deleteView(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'crm:client:write')
  const deleted = await ctx.query({
    name: 'crm.delete-view',
    text: 'delete from client_view where coach_id = $1 and id = $2 returning id',
    values: [ctx.coachId, id],
  })
  if (!deleted.length) throw viewNotFound()
}

/** The views, while no other transaction adds or renames one. */
async function lockViews(ctx: WriteCtx): Promise<ClientView[]> {
  await ctx.query({
    name: 'crm.lock-views',
    text: 'select id from account where id = $1 for no key update',
    values: [ctx.coachId],
  })
  return listViews(ctx)
}

function assertFreeName(views: ClientView[], name: string): void {
  if (views.some((view) => view.name.toLowerCase() === name.toLowerCase()))
    throw new AppError('conflict', 'A view with this name already exists.', { field: 'name' })
}

const viewNotFound = (): AppError => new AppError('not_found', 'View not found')
