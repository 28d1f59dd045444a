import { authorize, type Ctx } from '#tenants/context.ts'
import { listNewest, type Page } from '#tenants/api/list-newest.ts'
import { appointmentType, type AppointmentTypeRecord } from '../records.ts'

/** Appointment types, newest first. */
export async function listAppointmentTypes(ctx: Ctx, page: Page = {}): Promise<AppointmentTypeRecord[]> {
  authorize(ctx, 'scheduling:type:read')
  return listNewest(ctx, {
    name: 'scheduling.types',
    select: appointmentType.select,
    from: 'appointment_type t',
    where: { notDeleted: 't.deleted_at is null' },
    time: 't.created_at',
    id: 't.id',
    ...page,
  })
}

/** Throws not_found. */
export async function getAppointmentType(ctx: Ctx, id: number): Promise<AppointmentTypeRecord> {
  authorize(ctx, 'scheduling:type:read')
  const [found] = await ctx.query<AppointmentTypeRecord>({
    name: 'scheduling.type',
    text: `select ${appointmentType.select} from appointment_type t
      where t.coach_id = $1 and t.id = $2 and t.deleted_at is null`,
    values: [ctx.coachId, id],
  })
  if (!found) throw appointmentType.notFound()
  return found
}

/** The milliseconds of a type's last change, as a version for edits. Throws not_found. */
export async function getTypeVersion(ctx: Ctx, id: number): Promise<number> {
  authorize(ctx, 'scheduling:type:read')
  const [found] = await ctx.query<{ version: number }>({
    name: 'scheduling.type-version',
    text: `select round(extract(epoch from updated_at) * 1000)::bigint as version from appointment_type
      where coach_id = $1 and id = $2 and deleted_at is null`,
    values: [ctx.coachId, id],
  })
  if (!found) throw appointmentType.notFound()
  return found.version
}

/** All types by name, with the number of their appointments. */
export async function listTypesWithUsage(ctx: Ctx): Promise<{ id: number; name: string; count: number }[]> {
  authorize(ctx, 'scheduling:type:read')
  return ctx.query({
    name: 'scheduling.types-in-use',
    text: `select t.id, t.name, count(a.id) from appointment_type t
      left join appointment a on a.coach_id = $1 and a.appointment_type_id = t.id and a.deleted_at is null
      where t.coach_id = $1 and t.deleted_at is null group by t.coach_id, t.id order by lower(t.name) collate "und-x-icu", t.id`,
    values: [ctx.coachId],
  })
}
