import { authorize, type Ctx } from '#tenants/context.ts'
import type { Place } from '#tenants/api/cursor.ts'
import { typeNotFound, typeRecordSql, type AppointmentTypeRecord } from '../output.ts'

/** Appointment types, newest first, as the API lists them. */
export async function typesNewestFirst(
  ctx: Ctx,
  { rows = null, after = null }: { rows?: number | null; after?: Place | null } = {},
): Promise<AppointmentTypeRecord[]> {
  authorize(ctx, 'scheduling:type:read')
  const values: unknown[] = []
  const use = (value: unknown) => `$${values.push(value)}`
  const text = `select ${typeRecordSql} from appointment_type where deleted_at is null${
    after ? ` and (created_at, id) < (${use(after.at)}::timestamptz, ${use(after.id)}::bigint)` : ''
  } order by appointment_type.created_at desc, appointment_type.id desc${rows === null ? '' : ` limit ${use(rows)}`}`
  return ctx.rows<AppointmentTypeRecord>({
    name: `calendar.types${after ? '-after' : ''}${rows === null ? '' : '-limit'}`,
    text,
    values,
  })
}

/** One appointment type. Throws not_found. */
export async function typeOf(ctx: Ctx, id: number): Promise<AppointmentTypeRecord> {
  authorize(ctx, 'scheduling:type:read')
  const [found] = await ctx.rows<AppointmentTypeRecord>({
    name: 'scheduling.type',
    text: `select ${typeRecordSql} from appointment_type where id = $1 and deleted_at is null`,
    values: [id],
  })
  if (!found) throw typeNotFound()
  return found
}

/** All of them by name, and how many appointments each has. */
export async function typesInUse(ctx: Ctx): Promise<{ id: number; name: string; count: number }[]> {
  authorize(ctx, 'scheduling:type:read')
  return ctx.rows({
    name: 'scheduling.types-in-use',
    text: `select t.id, t.name, count(a.id) from appointment_type t
      left join appointment a on a.coach_id = t.coach_id and a.appointment_type_id = t.id and a.deleted_at is null
      where t.deleted_at is null group by t.coach_id, t.id order by lower(t.name) collate "und-x-icu", t.id`,
  })
}
