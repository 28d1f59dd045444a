import { formatDay } from '#app/lib/time.ts'
import type { PortalLink } from '#modules/core/manifest.ts'
import type { Ctx } from '#tenants/context.ts'
import { listOwnContracts, type SigningContract } from './queries/signing.ts'
import { toSigningView, type SigningStage } from './signing/signing-view.ts'

const homeRows = 5
const pageRows = 200

export const portalPage = async (): Promise<PortalLink> => ({ label: 'Contracts', to: '/portal/contracts' })

/** The contracts that wait for the client's signature; null without one. */
export async function loadPortalContracts(ctx: Ctx) {
  const contracts = (await listOwnContracts(ctx, homeRows)).map((one) => toView(ctx, one))
  const waiting = contracts.filter(({ toSign }) => toSign)
  return waiting.length ? { contracts: waiting } : null
}
export type PortalContracts = NonNullable<Awaited<ReturnType<typeof loadPortalContracts>>>

/** The page of the client's contracts. */
export async function loadPortalContractsPage(ctx: Ctx): Promise<PortalContracts> {
  return { contracts: (await listOwnContracts(ctx, pageRows)).map((one) => toView(ctx, one)) }
}

const labels: Record<SigningStage, string> = {
  cover: 'To sign',
  open: 'To sign',
  waiting: 'Signed by you',
  completed: 'Signed by both',
  declined: 'Declined',
  expired: 'Expired',
  voided: 'Withdrawn',
  over: 'Signed by both',
}

function toView(ctx: Ctx, contract: SigningContract) {
  const { id, title, stage } = toSigningView(ctx, contract, { isLink: false, nonce: '' })
  const format = (at: string) => formatDay(at, ctx.now(), ctx.client!.timezone)
  const toSign = stage === 'open'
  return {
    id,
    title,
    toSign,
    details: toSign
      ? `${labels[stage]} until ${format(contract.expiresAt)}`
      : `${labels[stage]}: ${format(contract.closedAt ?? contract.clientSignedAt ?? contract.expiresAt)}`,
    to: `/portal/contracts/${id}`,
  }
}
export type PortalContract = ReturnType<typeof toView>
