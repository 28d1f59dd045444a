import { createHash } from 'node:crypto'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { printDocument } from '#tenants/documents/print.ts'
import { contractTables, isVisible } from '../joins.ts'
import { contract } from '../records.ts'
import { addTrailEntry } from '../services/trail.ts'
import { toContractDocument, type PrintableContract } from './contract-document.ts'

export type PdfFile = { name: string; content: Buffer }

/**
 * The PDF of a completed contract that the caller may see: printed when it is first asked for, always the same bytes
 * afterwards. Its hash goes into the trail. Throws not_found, also for one that is not completed.
 */
export async function getContractFile(ctx: Ctx, id: number): Promise<PdfFile> {
  const [found] = await ctx.query<PrintableContract>({
    name: 'contracts.printable',
    text: `select k.id, k.title, k.text, encode(k.text_sha256, 'hex') as "textSha256", k.client_name as "clientName",
        k.practice_name as "practiceName", k.code
      from ${contractTables} where k.coach_id = $1 and k.id = $2 and k.state = 'completed' and ${isVisible}`,
    values: [ctx.coachId, id],
  })
  if (!found) throw contract.notFound()
  const name = `${found.title.replaceAll(/[^\p{L}\p{N}.-]+/gu, '-')}.pdf`
  const stored = await findFile(ctx, id)
  if (stored) return { name, content: stored }
  const content = await printDocument(ctx, await toContractDocument(ctx, found))
  return { name, content: await ctx.write((tx) => saveFile(tx, id, content)) }
}

/** Returns the stored file: another request may have been first. */
async function saveFile(tx: WriteCtx, id: number, content: Buffer): Promise<Buffer> {
  const sha256 = createHash('sha256').update(content).digest()
  const saved = await tx.query({
    name: 'contracts.save-file',
    text: `insert into contract_file (coach_id, contract_id, content, sha256, created_at) values ($1, $2, $3, $4, $5)
      on conflict (coach_id, contract_id) do nothing returning id`,
    values: [tx.coachId, id, content, sha256, tx.now()],
  })
  if (saved.length) await addTrailEntry(tx, id, { kind: 'printed', party: null, sha256 })
  return (await findFile(tx, id))!
}

async function findFile(ctx: Ctx, id: number): Promise<Buffer | null> {
  const [file] = await ctx.query<{ content: Buffer }>({
    name: 'contracts.file',
    text: 'select content from contract_file where coach_id = $1 and contract_id = $2',
    values: [ctx.coachId, id],
  })
  return file?.content ?? null
}
