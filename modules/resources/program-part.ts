import type {
  NewProgramRecord,
  ProgramPart,
  ProgramRecordItem,
  ProgramRecordState,
} from '#modules/core/program-parts.ts'
import { authorize, requireClient, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { resourceUrl } from './list-state.ts'
import { getSharePath } from './public-link.ts'
import { getFile } from './queries/files.ts'
import { isOpen } from './queries/shares.ts'
import { resource } from './records.ts'
import { shareWithClient } from './services/shares.ts'

/** The resources of clients' programs: to read, so they are not counted. */
export const programPart: ProgramPart = {
  kind: 'resource',
  label: 'Resource',
  isCounted: false,
  needsChoice: true,
  choicePermission: 'resources:resource:write',
  listChoices,
  getChoice,
  start,
  load,
}

/** Those that don't belong to a client, by name. */
async function listChoices(ctx: Ctx): Promise<{ id: number; name: string }[]> {
  authorize(ctx, 'resources:resource:read')
  return ctx.query({
    name: 'resources.options',
    text: `select id, name from resource where coach_id = $1 and client_id is null and deleted_at is null
      order by lower(name) collate "und-x-icu", id limit 500`,
    values: [ctx.coachId],
  })
}

/** A file of one client is never given to another one. */
async function getChoice(ctx: Ctx, id: number): Promise<void> {
  if ((await getFile(ctx, id)).clientId !== null) throw resource.notFound()
}

async function start(ctx: WriteCtx, { clientId, choiceId }: NewProgramRecord): Promise<number> {
  return shareWithClient(ctx, choiceId!, clientId)
}

/** The shares that work now. A client sees their own alone. */
async function load(ctx: Ctx, items: ProgramRecordItem[]): Promise<Record<number, ProgramRecordState>> {
  if (ctx.client) requireClient(ctx, 'client:resource:read')
  else authorize(ctx, 'resources:resource:read')
  const rows = await ctx.query<{ id: number; resourceId: number; clientId: number }>({
    name: 'resources.of-programs',
    text: `select s.id, s.resource_id as "resourceId", s.client_id as "clientId"
      from resource_share s join resource r on r.coach_id = $1 and r.id = s.resource_id and r.deleted_at is null
      where s.coach_id = $1 and s.id = any($2::bigint[]) and s.audience = 'client' and ${isOpen('$3', 's.client_id')}`,
    values: [ctx.coachId, items.flatMap(({ recordId }) => recordId ?? []), ctx.now()],
  })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return Object.fromEntries(
    items.flatMap(({ id, recordId }): [number, ProgramRecordState][] => {
      const row = recordId === null ? undefined : byId.get(recordId)
      if (!row) return []
      const to = ctx.client ? getSharePath(ctx, row.id, row.clientId) : resourceUrl(row.resourceId).href()
      return [[id, { doneAt: null, to, toggle: null }]]
    }),
  )
}
