import { AppError } from '#app/lib/errors.ts'
import type { EraseCtx, ErasePart } from '#modules/core/manifest.ts'
import type { Person, PersonKind } from '#modules/core/automations.ts'
import type { Conversion } from '#modules/crm/index.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { enqueueRuns } from './queues.ts'

/** Does again what failed in a run. Throws not_found. */
export async function retryRun(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'automations:automation:write')
  const [row] = await ctx.query({
    name: 'automations.retry-run',
    text: `update automation_run set state = 'waiting', attempts = 0, problem = null, finished_at = null,
        results = coalesce((
          select jsonb_agg(result) from jsonb_array_elements(results) result where result ->> 'state' <> 'failed'), '[]')
      where coach_id = $1 and id = $2 and state = 'failed' returning id`,
    values: [ctx.coachId, id],
  })
  if (!row) throw new AppError('not_found', 'There is nothing to try again in this run.')
  await enqueueRuns(ctx, [id])
}

/** The log names people, and quotes what was written to them. */
const toErasePart = (kind: PersonKind): ErasePart => ({
  kind,
  run: async (ctx: EraseCtx, { id }) => {
    await ctx.query({
      name: 'automations.erase-person',
      text: 'delete from automation_run where coach_id = $1 and person_kind = $2 and person_id = $3',
      values: [ctx.coachId, kind, id],
    })
  },
})
export const beforeErase: ErasePart[] = [toErasePart('client'), toErasePart('prospect')]

/** The runs of a prospect become the client's, with whom they are erased. */
export const reassignToClient = (ctx: WriteCtx, { prospectId, clientId }: Conversion): Promise<void> =>
  reassign(ctx, { kind: 'prospect', id: prospectId }, { kind: 'client', id: clientId })

/** The runs of a client become the prospect's again. */
export const reassignToProspect = (ctx: WriteCtx, { prospectId, clientId }: Conversion): Promise<void> =>
  reassign(ctx, { kind: 'client', id: clientId }, { kind: 'prospect', id: prospectId })

type PersonRef = Pick<Person, 'kind' | 'id'>

async function reassign(ctx: WriteCtx, from: PersonRef, to: PersonRef): Promise<void> {
  await ctx.query({
    name: 'automations.reassign',
    text: `update automation_run set person_kind = $4, person_id = $5
      where coach_id = $1 and person_kind = $2 and person_id = $3`,
    values: [ctx.coachId, from.kind, from.id, to.kind, to.id],
  })
}
