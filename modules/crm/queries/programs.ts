import { authorize, type Ctx } from '#tenants/context.ts'

/** The programs of clients outside the trash, by name, each once, whatever its case. At most 500. */
export async function listPrograms(ctx: Ctx): Promise<string[]> {
  authorize(ctx, 'crm:client:read')
  const rows = await ctx.query<{ program: string }>({
    name: 'crm.programs',
    text: `select min(program) as program from client
      where coach_id = $1 and deleted_at is null and program <> '' group by lower(program) order by lower(program) limit 500`,
    values: [ctx.coachId],
  })
  return rows.map(({ program }) => program)
}
