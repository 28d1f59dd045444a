import type { Ctx } from '#tenants/context.ts'
import type { Platform } from '#tenants/platform.ts'
import { readIds, signIds, toCoachUrl } from '#tenants/signed-link.ts'

const purpose = 'contract'

/** `number`: a new link ends the one before. */
export type ContractLink = { coachId: number; id: number; number: number }

/** The page on which a client signs a contract. */
const getPath = ({ platform, coachId }: Pick<Ctx, 'platform' | 'coachId'>, { id, number }: LinkedContract): string =>
  `/contract/${signIds(platform, purpose, [coachId, id, number])}`
type LinkedContract = Omit<ContractLink, 'coachId'>

export const contractLink = {
  getPath,
  /** The address on the coach's host; null without a host. */
  getUrl: (ctx: Pick<Ctx, 'platform' | 'coachId' | 'account'>, linked: LinkedContract): string | null =>
    toCoachUrl(ctx, getPath(ctx, linked)),
  /** Null for a forged token. */
  read(signer: Pick<Platform, 'signingKeys'>, token: string): ContractLink | null {
    const [coachId, id, number] = readIds(signer, purpose, token)
    return coachId && id && number ? { coachId, id, number } : null
  },
}

/** The page that anyone can verify a contract on. */
export const getVerifyPath = (code: string): string => `/verify/${code}`
