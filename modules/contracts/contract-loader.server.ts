import { ignoreNotFound } from '#app/lib/errors.ts'
import { formatDateTime } from '#app/lib/time.ts'
import { getClient } from '#modules/crm/index.ts'
import { describeDevice } from '#tenants/auth/device.ts'
import { coachOrigin } from '#tenants/config.ts'
import type { Ctx } from '#tenants/context.ts'
import { toPublicUrl } from '#tenants/signed-link.ts'
import { contractSources, parties, trailKinds, type ContractStatus } from './fields.ts'
import { contractLink, getVerifyPath } from './link.ts'
import { contractUrl } from './list-state.ts'
import { fillPlaceholders } from './placeholders.ts'
import { getContractForEdit } from './queries/contracts.ts'
import { listSignatures, listTrail } from './queries/trail.ts'
import { getPlaceholderValues } from './services/sending.ts'
import { getCoachName } from './services/trail.ts'

const openStatuses: ContractStatus[] = ['sent', 'viewed', 'signed_by_client', 'signed_by_coach']

/** A contract for the coach. Throws not_found. */
export async function loadContract(ctx: Ctx, id: number, url: string) {
  const found = await getContractForEdit(ctx, id)
  const { clientId, clientName, status, title, body, product, price, expiresInDays, version, linkNumber } = found
  const [client, trail, signatures] = await Promise.all([
    clientId === null ? null : getClient(ctx, clientId).catch(ignoreNotFound),
    listTrail(ctx, id),
    listSignatures(ctx, id),
  ])
  const at = (instant: string | null) => instant && formatDateTime(instant, ctx.account)
  const isOpen = openStatuses.includes(status)
  const values = getPlaceholderValues(ctx, { clientName, clientEmail: client?.email ?? null, product, price })
  const waitsForClient = isOpen && found.clientSignedAt === null
  return {
    id,
    title,
    status,
    isOpen,
    canSign: isOpen && found.coachSignedAt === null,
    clientId,
    clientName,
    source: contractSources[found.source],
    draft: status === 'draft' ? { body, product, price, expiresInDays, version } : null,
    text: found.text ?? fillPlaceholders(body, values),
    hash: found.textSha256 ?? '',
    sentAt: at(found.sentAt),
    expiresAt: at(found.expiresAt),
    link: waitsForClient ? contractLink.getUrl(ctx, { id, number: linkNumber }) : null,
    verifyUrl: found.verificationCode === null ? null : toPublicUrl(ctx, getVerifyPath(found.verificationCode)),
    canEmail: ctx.account.emailVerified,
    hasHost: coachOrigin(ctx.platform.config, ctx.account) !== null,
    wasEmailed: found.emailedAt !== null,
    coachName: getCoachName(ctx),
    signatures: signatures.map(({ party, name, drawing, signedAt }) => ({
      party: parties[party],
      name,
      drawing,
      at: at(signedAt)!,
    })),
    trail: trail.map((entry) => ({
      id: entry.id,
      what: trailKinds[entry.kind],
      at: at(entry.at)!,
      by: entry.name ?? (entry.party ? parties[entry.party] : 'Automatically'),
      details: [
        entry.detail,
        entry.ipAddress && `Address ${entry.ipAddress}`,
        entry.userAgent && describeDevice(entry.userAgent),
        entry.sha256 && `SHA-256 ${entry.sha256}`,
      ].filter((text): text is string => Boolean(text)),
    })),
    ...contractUrl(id).parse(url),
  }
}
export type ContractPage = Awaited<ReturnType<typeof loadContract>>
