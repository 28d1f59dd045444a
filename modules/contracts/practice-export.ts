import { authorize, type Ctx } from '#tenants/context.ts'
import type { ModuleExport } from '../core/manifest.ts'

export const practiceExport: ModuleExport = {
  files: listContractFiles,
  tables: { contract_email: { partly: 'emails that wait', where: `r.state in ('sent', 'failed')` } },
}

/** Each has at most a few megabytes. */
const batchSize = 4

/** The PDF of each completed contract, oldest first. */
async function* listContractFiles(ctx: Ctx): AsyncGenerator<{ name: string; content: Buffer }> {
  authorize(ctx, 'contracts:contract:read')
  for (let after = 0; ; ) {
    const files = await ctx.query<{ id: number; contractId: number; title: string; content: Buffer }>({
      name: 'contracts.files',
      text: `select f.id, k.id as "contractId", k.title, f.content
        from contract_file f join contract k on k.coach_id = $1 and k.id = f.contract_id
        where f.coach_id = $1 and f.id > $2 order by f.id limit ${batchSize}`,
      values: [ctx.coachId, after],
    })
    for (const { contractId, title, content } of files) yield { name: `${title} ${contractId}.pdf`, content }
    if (files.length < batchSize) return
    after = files.at(-1)!.id
  }
}
