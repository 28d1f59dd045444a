import { isoTimestamp } from '#db/read-pool.ts'
import { matchesSearch } from '#db/search-sql.ts'
import { listNewest, type Page } from '#tenants/api/list-newest.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { pageSize } from '../list-state.ts'
import { template, type TemplateRecord } from '../records.ts'

/** Newest first. */
export async function listTemplates(ctx: Ctx, page: Page = {}): Promise<TemplateRecord[]> {
  authorize(ctx, 'programs:template:read')
  return listNewest(ctx, {
    name: 'programs.templates',
    select: template.select,
    from: 'program_template t',
    where: { isCurrent: 't.deleted_at is null' },
    time: 't.created_at',
    id: 't.id',
    ...page,
  })
}

/** Throws not_found, also for a template in the trash. */
export async function getTemplate(ctx: Ctx, id: number): Promise<TemplateRecord> {
  const { version: _version, ...record } = await getTemplateForEdit(ctx, id)
  return record
}

/** The template with its version, which the editor sends back. Throws not_found. */
export async function getTemplateForEdit(ctx: Ctx, id: number): Promise<TemplateRecord & { version: number }> {
  authorize(ctx, 'programs:template:read')
  const [row] = await ctx.query<TemplateRecord & { version: number }>({
    name: 'programs.template',
    text: `select ${template.select}, t.version from program_template t
      where t.coach_id = $1 and t.id = $2 and t.deleted_at is null`,
    values: [ctx.coachId, id],
  })
  if (!row) throw template.notFound()
  return row
}

export type ListedTemplate = { id: number; name: string; milestones: number; items: number; updatedAt: string }

const filtered = `from program_template t where t.coach_id = $1 and t.deleted_at is null
  and ($2::text = '' or ${matchesSearch('$2', 't')})`

/** One page of the templates by name; `count`: of all that match. */
export async function listTemplatesPage(
  ctx: Ctx,
  { q, page }: { q: string; page: number },
): Promise<{ templates: ListedTemplate[]; count: number }> {
  authorize(ctx, 'programs:template:read')
  const [templates, [found]] = (await ctx.queryAll([
    {
      name: 'programs.templates-page',
      text: `select t.id, t.name, jsonb_array_length(t.milestones) as milestones,
          (select coalesce(sum(jsonb_array_length(m -> 'items')), 0)::int from jsonb_array_elements(t.milestones) m) as items,
          ${isoTimestamp('t.updated_at')} as "updatedAt"
        ${filtered} order by lower(t.name) collate "und-x-icu", t.id limit ${pageSize} offset $3`,
      values: [ctx.coachId, q, (page - 1) * pageSize],
    },
    {
      name: 'programs.templates-count',
      text: `select count(*)::int as count ${filtered}`,
      values: [ctx.coachId, q],
    },
  ])) as [ListedTemplate[], [{ count: number }]]
  return { templates, count: found.count }
}

/** The templates with items by name, to choose from. */
export async function listTemplateOptions(ctx: Ctx): Promise<{ id: number; name: string }[]> {
  authorize(ctx, 'programs:template:read')
  return ctx.query({
    name: 'programs.template-options',
    text: `select id, name from program_template
      where coach_id = $1 and deleted_at is null and jsonb_array_length(milestones) > 0
      order by lower(name) collate "und-x-icu", id limit 500`,
    values: [ctx.coachId],
  })
}

/** The templates that programs of clients are running from, by name. At most 500. */
export async function listRunningTemplates(ctx: Ctx): Promise<{ value: string; label: string }[]> {
  authorize(ctx, 'programs:program:read')
  return ctx.query({
    name: 'programs.running-templates',
    text: `select id::text as value, name as label from program_template where coach_id = $1 and id in (
        select template_id from program where coach_id = $1 and template_id is not null and completed_at is null
          and deleted_at is null)
      order by lower(name) collate "und-x-icu", id limit 500`,
    values: [ctx.coachId],
  })
}
