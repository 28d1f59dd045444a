import type { Choice } from '#app/lib/fields.ts'
import type { Ctx } from '#tenants/context.ts'
import { clientFields } from './fields.ts'
import { clientsUrl, countFilters, splitFilter, type ListState } from './list-state.ts'
import { conditionSql, listContributedFilters } from './queries/filters.ts'
import { listTags } from './queries/tags.ts'
import { listViews } from './services/views.ts'

/** The Filters dialog over the client list, or null. */
export async function loadFiltersDialog(ctx: Ctx, params: Record<string, string | undefined>) {
  if (params.dialog !== 'filters' || params.id) return null
  const query = new URLSearchParams(Object.entries(params).flatMap(([name, value]) => (value ? [[name, value]] : [])))
  const { dialog: _, client: _client, ...state } = clientsUrl.parse(`http://localhost/clients?${query}`)
  const [statuses, tags, contributed, views] = await Promise.all([
    countStatuses(ctx, state),
    listTags(ctx),
    listContributedFilters(ctx),
    listViews(ctx),
  ])
  const values = new Map(state.filters.map(splitFilter))
  return {
    state,
    views,
    isSaveable: state.q !== '' || countFilters(state) > 0,
    status: Object.entries(clientFields.status.choices).map(([value, label]) => ({
      value,
      label: `${label} (${(statuses[value] ?? 0).toLocaleString('en-US')})`,
    })),
    tag: withCurrent(
      tags.map(({ tag, clients }) => ({ value: tag, label: `${tag} (${clients.toLocaleString('en-US')})` })),
      state.tag,
    ),
    contributed: await Promise.all(
      contributed.map(async ({ name, label, choices }) => ({
        name,
        label,
        value: values.has(name) ? `${name}.${values.get(name)}` : '',
        choices: (await choices()).map((choice) => ({ ...choice, value: `${name}.${choice.value}` })),
      })),
    ),
  }
}
export type FiltersDialog = Awaited<ReturnType<typeof loadFiltersDialog>>

/** Adds the tag of the URL if it is written in another case or no longer used. */
function withCurrent(choices: Choice[], value: string): Choice[] {
  const others = choices.filter((choice) => choice.value.toLowerCase() !== value.toLowerCase())
  const same = choices.find((choice) => choice.value.toLowerCase() === value.toLowerCase())
  return value ? [{ value, label: same?.label ?? value }, ...others] : choices
}

async function countStatuses({ query, coachId }: Ctx, { show }: ListState): Promise<Record<string, number>> {
  const { name, where } = conditionSql(show, [], 2)
  const rows = await query<{ status: string; clients: number }>({
    name: `crm.statuses-${name}`,
    text: `select status, count(*) as clients from client where coach_id = $1 and ${where} group by status`,
    values: [coachId],
  })
  return Object.fromEntries(rows.map(({ status, clients }) => [status, clients]))
}

/** The filters in use as a coach reads them, each with the state without it. */
export async function describeFilters(ctx: Ctx, { status, tag, filters }: ListState) {
  const contributed = filters.length ? await listContributedFilters(ctx) : []
  const others = await Promise.all(
    filters.map(async (filter) => {
      const [name, value] = splitFilter(filter)
      const own = contributed.find((each) => each.name === name)
      const choice = (await own?.choices())?.find((each) => each.value === value)
      const label = choice ? `${own!.label}: ${choice.label}` : `${own?.label ?? name}: not available`
      return { label, without: { filters: filters.filter((other) => other !== filter) } }
    }),
  )
  return [
    ...(status ? [{ label: `Status: ${clientFields.status.choices[status]}`, without: { status: null } }] : []),
    ...(tag ? [{ label: `Tag: ${tag}`, without: { tag: '' } }] : []),
    ...others,
  ]
}
export type ActiveFilter = Awaited<ReturnType<typeof describeFilters>>[number]
