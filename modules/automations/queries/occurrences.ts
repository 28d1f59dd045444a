import { isoTimestamp } from '#db/read-pool.ts'
import type { AutomationTrigger, Person, TriggerRows } from '#modules/core/automations.ts'
import type { Ctx } from '#tenants/context.ts'
import type { StoredFilters } from '../fields.ts'

/** Something that happened. `filters`: its values by the trigger's filters; `facts`: of the placeholders. */
export type Occurrence = {
  key: string
  at: string
  title: string
  to: string | null
  person: Person
  timezone: string | null
  stillTrue: boolean
  filters: Record<string, string[] | null>
  facts: Record<string, string | null>
}
type Row = Omit<Occurrence, 'person'> & {
  clientId: number | null
  prospectId: number | null
  name: string
  email: string | null
}
type Which = { where: string; values: unknown[]; rows: number }

/** Those that `where` selects, newest first. `days`: of the automation. */
export async function findOccurrences(
  ctx: Ctx,
  trigger: AutomationTrigger,
  days: number | null,
  { where, values, rows: limit }: Which,
): Promise<Occurrence[]> {
  const rows = trigger.rows(Math.trunc(days ?? 0))
  // Without a name: the statement differs by days.
  const found = await ctx.query<Row>({
    text: `${selectSql(trigger, rows)} ${rows.from} and ${where} order by ${rows.at} desc, ${rows.key} desc limit ${limit}`,
    values: [ctx.coachId, ...values],
  })
  return found.map(toOccurrence)
}

/** Finds those of a period, newest first. */
export const findOfPeriod = (
  ctx: Ctx,
  trigger: AutomationTrigger,
  { days, from, to, rows }: { days: number | null; from: Date; to: Date; rows: number },
): Promise<Occurrence[]> => {
  const { at } = trigger.rows(Math.trunc(days ?? 0))
  return findOccurrences(ctx, trigger, days, { where: `${at} >= $2 and ${at} <= $3`, values: [from, to], rows })
}

/** The one of a run: by the payload of its event, or by its key. Null if it is no longer there. */
export async function findByPayload(
  ctx: Ctx,
  trigger: AutomationTrigger,
  { days, payload }: { days: number | null; payload: unknown },
): Promise<Occurrence | null> {
  const { key } = trigger.rows(Math.trunc(days ?? 0))
  const match = trigger.on
    ? trigger.on.match(payload)
    : { where: `${key} = $2`, values: [(payload as { key: string }).key] }
  if (!match) return null
  const [found] = await findOccurrences(ctx, trigger, days, { ...match, rows: 1 })
  return found ?? null
}

function selectSql({ filters, placeholders }: AutomationTrigger, rows: TriggerRows): string {
  const toObject = (entries: [string, string][]) =>
    `jsonb_build_object(${entries.map(([name, sql]) => `'${name}', ${sql}`).join(', ')})`
  return `select ${rows.key} as key, ${isoTimestamp(`(${rows.at})`)} as at, ${rows.title} as title, ${rows.to} as to,
    ${rows.clientId} as "clientId", ${rows.prospectId} as "prospectId", ${rows.name} as name, ${rows.email} as email,
    ${rows.timezone} as timezone, ${rows.stillTrue ?? 'true'} as "stillTrue",
    ${toObject(filters.map(({ name, values }) => [name, `to_jsonb(${values})`]))} as filters,
    ${toObject(Object.entries(placeholders).map(([name, { sql }]) => [name, sql]))} as facts`
}

function toOccurrence({ clientId, prospectId, name, email, ...row }: Row): Occurrence {
  const person: Person =
    clientId === null
      ? { kind: 'prospect', id: prospectId!, name, email: email || null }
      : { kind: 'client', id: clientId, name, email: email || null }
  return { ...row, person }
}

/** Whether all chosen filters apply. One that the trigger doesn't have applies to nothing. */
export function matchesFilters(
  trigger: AutomationTrigger,
  chosen: StoredFilters,
  { filters: values }: Pick<Occurrence, 'filters'>,
): boolean {
  return Object.entries(chosen).every(([name, value]) => {
    const filter = trigger.filters.find((own) => own.name === name)
    if (!filter) return false
    const has = values[name]?.includes(value) ?? false
    return has !== (filter.excludes ?? false)
  })
}
