import { authorize, type Ctx } from '#tenants/context.ts'
import type { Cursor } from '#tenants/api/cursor.ts'
import { typeNotFound, typeRecordSql, type AppointmentTypeRecord } from '../output.ts'

/** Appointment types, newest first. */
export async function listAppointmentTypes(
  ctx: Ctx,
  { rows = null, after = null }: { rows?: number | null; after?: Cursor | null } = {},
): Promise<AppointmentTypeRecord[]> {
  authorize(ctx, 'scheduling:type:read')
  const values: unknown[] = []
  const param = (value: unknown) => `$${values.push(value)}`
  const text = `select ${typeRecordSql} from appointment_type where deleted_at is null${
    after ? ` and (created_at, id) < (${param(after.at)}::timestamptz, ${param(after.id)}::bigint)` : ''
  } order by appointment_type.created_at desc, appointment_type.id desc${rows === null ? '' : ` limit ${param(rows)}`}`
  return ctx.query<AppointmentTypeRecord>({
    name: `scheduling.types${after ? '-after' : ''}${rows === null ? '' : '-limit'}`,
    text,
    values,
  })
}

/** Throws not_found. */
export async function getAppointmentType(ctx: Ctx, id: number): Promise<AppointmentTypeRecord> {
  authorize(ctx, 'scheduling:type:read')
  const [found] = await ctx.query<AppointmentTypeRecord>({
    name: 'scheduling.type',
    text: `select ${typeRecordSql} from appointment_type where id = $1 and deleted_at is null`,
    values: [id],
  })
  if (!found) throw typeNotFound()
  return found
}

/** All types by name, with the number of their appointments. */
export async function listTypesWithUsage(ctx: Ctx): Promise<{ id: number; name: string; count: number }[]> {
  authorize(ctx, 'scheduling:type:read')
  return ctx.query({
    name: 'scheduling.types-in-use',
    text: `select t.id, t.name, count(a.id) from appointment_type t
      left join appointment a on a.coach_id = t.coach_id and a.appointment_type_id = t.id and a.deleted_at is null
      where t.deleted_at is null group by t.coach_id, t.id order by lower(t.name) collate "und-x-icu", t.id`,
  })
}
