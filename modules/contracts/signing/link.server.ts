import type { AppLoadContext } from '@remix-run/node'
import { AppError } from '#app/lib/errors.ts'
import type { Device } from '#tenants/auth/device.ts'
import { countView } from '#tenants/auth/view-limits.ts'
import type { Ctx } from '#tenants/context.ts'
import { openLink } from '#tenants/signed-link.ts'
import { contractLink } from '../link.ts'
import { findSigningContract, type SigningContract } from '../queries/signing.ts'

export type OpenedLink = { ctx: Ctx; contract: SigningContract }

/** The contract of a signed link; null for a link of another host, a forged one, and one that a newer link replaced. */
export async function openContractLink(context: AppLoadContext, token: string): Promise<OpenedLink | null> {
  const link = await openLink(context, contractLink.read(context.requestContext.platform, token))
  if (!link) return null
  const ctx = await context.visitor(['contracts:signature:write'])
  const contract = await findSigningContract(ctx, link.id)
  return contract && contract.linkNumber === link.number ? { ctx, contract } : null
}

const limit = { attempts: 60, minutes: 10 }

/**
 * For what the page sends, while the link works. The services check the number of `visit` again under the lock. Throws
 * not_found, rate_limited.
 */
export async function requireContractLink(context: AppLoadContext, token: string) {
  const link = await openContractLink(context, token)
  if (!link) throw new AppError('not_found', "This link doesn't work any more.")
  const { ctx, contract } = link
  const rules = [{ key: `contract-link:${ctx.coachId}:${contract.id}`, ...limit }]
  countView(ctx.platform, { rules, address: context.requestContext.address })
  return { ctx, contract, visit: { device: toDevice(context), linkNumber: contract.linkNumber } }
}

/** The browser and the address of a request. */
export const toDevice = ({ requestContext: { userAgent, address } }: AppLoadContext): Device => ({ userAgent, address })
