import { formatDateTime } from '#app/lib/time.ts'
import type { Ctx } from '#tenants/context.ts'
import { brandDocument, formatFooter } from '#tenants/documents/branding.ts'
import type { PrintedDocument } from '#tenants/documents/printed-document.ts'
import { toPublicUrl } from '#tenants/signed-link.ts'
import { drawingHeight, drawingWidth } from '../drawing.ts'
import { methods, parties, trailKinds } from '../fields.ts'
import { getVerifyPath } from '../link.ts'
import { listSignatures, listTrail } from '../queries/trail.ts'

export type PrintableContract = {
  id: number
  title: string
  text: string
  textSha256: string
  clientName: string
  practiceName: string
  code: string
}

/** A completed contract on paper: its text, then the signatures and the audit trail on a page of their own. */
export async function toContractDocument(ctx: Ctx, contract: PrintableContract): Promise<PrintedDocument> {
  const { id, title, text, textSha256, clientName, practiceName, code } = contract
  const [signatures, trail] = await Promise.all([listSignatures(ctx, id), listTrail(ctx, id)])
  const format = (at: string) => formatDateTime(at, ctx.account)
  const address = toPublicUrl(ctx, getVerifyPath(code))
  return {
    ...(await brandDocument(ctx, { issuer: practiceName, currency: ctx.account.currency })),
    title: 'Contract',
    number: null,
    recipient: { label: 'Contract with', lines: [clientName] },
    facts: [],
    table: { columns: [], rows: [] },
    sums: [],
    paragraphs: text.split('\n'),
    appendix: {
      title: 'Signatures and audit trail',
      paragraphs: [
        `Contract: ${title}`,
        `SHA-256 of its text: ${textSha256}`,
        ...(address ? [`Verify this contract: ${address}`] : []),
        `Code: ${code}`,
        'Signed with electronic signatures, which are not qualified ones.',
      ],
      signatures: signatures.map(({ party, name, method, drawing, signedAt, consent }) => ({
        label: `${parties[party]}, ${methods[method]}`,
        name,
        details: `${format(signedAt)} (${ctx.account.timezone})\n${consent}`,
        drawing: drawing === null ? null : { path: drawing, width: drawingWidth, height: drawingHeight },
      })),
      table: {
        columns: [
          { head: `When (${ctx.account.timezone})`, share: 3 },
          { head: 'What', share: 2 },
          { head: 'By', share: 3 },
          { head: 'Details', share: 6 },
        ],
        rows: trail
          .filter(({ kind }) => kind !== 'printed')
          .map(({ at, kind, party, name, detail, sha256, ipAddress, userAgent }) => [
            format(at),
            trailKinds[kind],
            [name, party && `(${parties[party].toLowerCase()})`].filter(Boolean).join(' ') || 'Automatically',
            [detail, sha256 && `SHA-256 ${sha256}`, ipAddress && `Address ${ipAddress}`, userAgent]
              .filter(Boolean)
              .join('\n'),
          ]),
      },
    },
    footer: formatFooter(ctx, null),
    createdAt: ctx.now(),
  }
}
