import { listNewest, type Page } from '#tenants/api/list-newest.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { schedule, type ScheduleRecord } from '../records.ts'

/** Schedules, newest first. */
export async function listSchedules(ctx: Ctx, page: Page = {}): Promise<ScheduleRecord[]> {
  authorize(ctx, 'scheduling:availability:read')
  return listNewest(ctx, {
    name: 'scheduling.schedules',
    select: schedule.select,
    from: 'availability_schedule s',
    where: { notDeleted: 's.deleted_at is null' },
    time: 's.created_at',
    id: 's.id',
    ...page,
  })
}

/** Throws not_found. */
export async function getSchedule(ctx: Ctx, id: number): Promise<ScheduleRecord> {
  authorize(ctx, 'scheduling:availability:read')
  const [found] = await ctx.query<ScheduleRecord>({
    name: 'scheduling.schedule',
    text: `select ${schedule.select} from availability_schedule s
      where s.coach_id = $1 and s.id = $2 and s.deleted_at is null`,
    values: [ctx.coachId, id],
  })
  if (!found) throw schedule.notFound()
  return found
}
