import { AppError } from '#app/lib/errors.ts'
import type { Merge } from '#modules/crm/index.ts'
import type { WriteCtx } from '#tenants/context.ts'

/** Throws conflict if both clients run a program from the same template: a client runs one at a time. */
export async function assertNoTwoOfTemplate(ctx: WriteCtx, { keptId, mergedId }: Merge): Promise<void> {
  const [program] = await ctx.query<{ name: string }>({
    name: 'programs.of-both-clients',
    text: `select p.name from program p join program other
        on other.coach_id = $1 and other.client_id = $3 and other.template_id = p.template_id
      where p.coach_id = $1 and p.client_id = $2 and p.completed_at is null and p.deleted_at is null
        and other.completed_at is null and other.deleted_at is null
      order by p.id limit 1`,
    values: [ctx.coachId, keptId, mergedId],
  })
  if (program)
    throw new AppError(
      'conflict',
      `Both take part in the program ${program.name}. Complete or delete one of the two first.`,
    )
}
