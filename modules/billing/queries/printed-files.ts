import { authorize, type Ctx } from '#tenants/context.ts'

/** Each has at most a few megabytes. */
const batchSize = 4

/** The PDF of each invoice, credit note and receipt, oldest first. */
export async function* listPrintedFiles(ctx: Ctx): AsyncGenerator<{ name: string; content: Buffer }> {
  authorize(ctx, 'billing:invoice:read')
  for (let after = 0; ; ) {
    const files = await ctx.query<{ id: number; number: string | null; entry: number | null; content: Buffer }>({
      name: 'billing.printed-files',
      text: `select f.id, i.number, f.ledger_entry_id as entry, f.content
        from invoice_file f join invoice i on i.coach_id = $1 and i.id = f.invoice_id
        where f.coach_id = $1 and f.id > $2 order by f.id limit ${batchSize}`,
      values: [ctx.coachId, after],
    })
    for (const { id, number, entry, content } of files) {
      const name = number ?? `Document ${id}`
      yield { name: entry === null ? `${name}.pdf` : `${name} receipt ${entry}.pdf`, content }
    }
    if (files.length < batchSize) return
    after = files.at(-1)!.id
  }
}
