import { isoTimestamp } from '#db/read-pool.ts'
import type { ProgramPart, ProgramRecordItem, ProgramRecordState } from '#modules/core/program-parts.ts'
import { authorize, requireClient, type Ctx } from '#tenants/context.ts'
import { getAppointmentType, listTypesWithUsage } from './queries/types.ts'

/** The sessions of clients' programs: nothing is made for them; each is the next session that the client completes. */
export const programPart: ProgramPart = {
  kind: 'session',
  label: 'Session',
  isCounted: true,
  listChoices,
  getChoice: getAppointmentType,
  choicePermission: 'scheduling:type:read',
  load,
}

/** The appointment types by name. */
async function listChoices(ctx: Ctx): Promise<{ id: number; name: string }[]> {
  return (await listTypesWithUsage(ctx)).map(({ id, name }) => ({ id, name }))
}

type Session = { id: number; clientId: number; typeId: number | null; start: string; end: string }

/**
 * In each program the first item is the first session that was completed since it began, the second one the next, and so
 * on. One of a type takes sessions of that type.
 */
async function load(ctx: Ctx, items: ProgramRecordItem[]): Promise<Record<number, ProgramRecordState>> {
  const sessions = await listCompleted(ctx, items)
  const states: Record<number, ProgramRecordState> = {}
  for (const own of Map.groupBy(items, ({ programId }) => programId).values()) {
    const free = sessions.filter(
      ({ clientId, start }) => clientId === own[0]!.clientId && start >= own[0]!.since.toISOString(),
    )
    for (const { id, choiceId } of own) {
      const index = free.findIndex(({ typeId }) => choiceId === null || typeId === choiceId)
      const [session] = index < 0 ? [] : free.splice(index, 1)
      states[id] = { doneAt: session?.end ?? null, to: ctx.client ? null : toHref(session), toggle: null }
    }
  }
  return states
}

const toHref = (session: Session | undefined): string | null =>
  session ? `/calendar?dialog=appointment&appointment=${session.id}` : null

/** The sessions that the clients have completed, the first one first. */
async function listCompleted(ctx: Ctx, items: ProgramRecordItem[]): Promise<Session[]> {
  if (ctx.client) requireClient(ctx, 'client:session:read')
  else authorize(ctx, 'scheduling:appointment:read')
  const since = items.map((item) => item.since.getTime())
  return ctx.query<Session>({
    name: 'scheduling.of-programs',
    text: `select id, client_id as "clientId", appointment_type_id as "typeId", ${isoTimestamp('start_time')} as start,
        ${isoTimestamp('least(end_time, completed_at)')} as end
      from appointment
      where coach_id = $1 and client_id = any($2::bigint[]) and status = 'completed' and deleted_at is null
        and start_time >= $3
      order by start_time, id limit 5000`,
    values: [ctx.coachId, [...new Set(items.map(({ clientId }) => clientId))], new Date(Math.min(...since))],
  })
}
