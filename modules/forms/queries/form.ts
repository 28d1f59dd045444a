import { isoTimestamp } from '#db/read-pool.ts'
import { matchesSearch } from '#db/search-sql.ts'
import { listNewest, type Page } from '#tenants/api/list-newest.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { pageSize, type FormListState } from '../list-state.ts'
import { form, stateSql, type FormRecord, type VersionRecord } from '../records.ts'
import { isVisible, submissionTables } from '../joins.ts'

/** Newest first. */
export async function listForms(ctx: Ctx, page: Page = {}): Promise<FormRecord[]> {
  authorize(ctx, 'forms:form:read')
  return listNewest(ctx, {
    name: 'forms.list',
    select: form.select,
    from: 'form f',
    where: { isCurrent: 'f.deleted_at is null' },
    time: 'f.created_at',
    id: 'f.id',
    ...page,
  })
}

/** Throws not_found, also for a form in the trash. */
export async function getForm(ctx: Ctx, id: number): Promise<FormRecord> {
  const { version: _version, ...record } = await getFormForEdit(ctx, id)
  return record
}

/** The form with its version, which the builder sends back. Throws not_found. */
export async function getFormForEdit(ctx: Ctx, id: number): Promise<FormRecord & { version: number }> {
  authorize(ctx, 'forms:form:read')
  const [row] = await ctx.query<FormRecord & { version: number }>({
    name: 'forms.get',
    text: `select ${form.select}, f.version from form f
      where f.coach_id = $1 and f.id = $2 and f.deleted_at is null`,
    values: [ctx.coachId, id],
  })
  if (!row) throw form.notFound()
  return row
}

/** The versions of a form, newest first. Throws not_found. */
export async function listVersions(ctx: Ctx, formId: number, page: Page = {}): Promise<VersionRecord[]> {
  await getForm(ctx, formId)
  return listNewest(ctx, {
    name: 'forms.versions',
    select: `v.id, v.coach_id as "coachId", v.number, v.name, v.description, v.questions,
      ${isoTimestamp('v.created_at')} as "createdAt"`,
    from: 'form_version v',
    where: { form: ['v.form_id = ?', formId] },
    time: 'v.created_at',
    id: 'v.id',
    ...page,
  })
}

export type ListedForm = {
  id: number
  name: string
  questions: number
  publishedNumber: number | null
  hasChanges: boolean
  sent: number
  submitted: number
  updatedAt: string
}

const filter = `where f.coach_id = $1 and f.deleted_at is null
  and ($2::text = '' or ${matchesSearch('$2', 'f')})`

/** One page of the forms by name; `count`: of all that match. */
export async function listFormsPage(
  ctx: Ctx,
  { q, page }: FormListState,
): Promise<{ forms: ListedForm[]; count: number }> {
  authorize(ctx, 'forms:form:read')
  const [forms, [found]] = (await ctx.queryAll([
    {
      name: 'forms.page',
      text: `select f.id, f.name, f.published_number as "publishedNumber",
          jsonb_array_length(f.questions) as questions,
          coalesce((select (v.name, coalesce(v.description, ''), v.questions)
              is distinct from (f.name, coalesce(f.description, ''), f.questions)
            from form_version v
            where v.coach_id = $1 and v.form_id = f.id and v.number = f.published_number), true) as "hasChanges",
          coalesce(counted.sent, 0) as sent, coalesce(counted.submitted, 0) as submitted,
          ${isoTimestamp('f.updated_at')} as "updatedAt"
        from form f left join (select s.form_id, count(*)::int as sent, count(s.submitted_at)::int as submitted
            from ${submissionTables} where s.coach_id = $1 and ${isVisible} group by s.form_id) counted
          on counted.form_id = f.id
        ${filter} order by lower(f.name) collate "und-x-icu", f.id limit ${pageSize} offset $3`,
      values: [ctx.coachId, q, (page - 1) * pageSize],
    },
    { name: 'forms.page-count', text: `select count(*)::int as count from form f ${filter}`, values: [ctx.coachId, q] },
  ])) as [ListedForm[], [{ count: number }]]
  return { forms, count: found.count }
}

/** The forms by name, to choose from. */
export async function listFormOptions(ctx: Ctx): Promise<{ id: number; name: string }[]> {
  authorize(ctx, 'forms:form:read')
  return ctx.query({
    name: 'forms.options',
    text: `select id, name from form where coach_id = $1 and deleted_at is null and jsonb_array_length(questions) > 0
      order by lower(name) collate "und-x-icu", id limit 500`,
    values: [ctx.coachId],
  })
}

/** How many submissions of a form are in each state. */
export async function countSubmissions(
  ctx: Ctx,
  formId: number,
): Promise<{ sent: number; started: number; submitted: number }> {
  authorize(ctx, 'forms:submission:read')
  const [row] = await ctx.query<{ sent: number; started: number; submitted: number }>({
    name: 'forms.count-submissions',
    text: `select count(*) filter (where state = 'sent')::int as sent,
        count(*) filter (where state = 'started')::int as started,
        count(*) filter (where state = 'submitted')::int as submitted
      from (select ${stateSql} as state from ${submissionTables}
        where s.coach_id = $1 and s.form_id = $2 and ${isVisible}) counted`,
    values: [ctx.coachId, formId],
  })
  return row!
}
