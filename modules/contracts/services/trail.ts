import { insertRow } from '#modules/core/insert-row.ts'
import { toDeviceColumns, type Device } from '#tenants/auth/device.ts'
import type { WriteCtx } from '#tenants/context.ts'
import type { Party, TrailKind } from '../fields.ts'

export type NewTrailEntry = {
  kind: TrailKind
  /** Null for the platform itself. */
  party: Party | null
  name?: string | null
  detail?: string | null
  sha256?: Buffer | null
  device?: Device | null
}

/** Adds an entry to the audit trail of a contract. */
export async function addTrailEntry(
  ctx: WriteCtx,
  contractId: number,
  { kind, party, name = null, detail = null, sha256 = null, device = null }: NewTrailEntry,
): Promise<void> {
  const { ipAddress, userAgent } = device ? toDeviceColumns(device) : { ipAddress: null, userAgent: null }
  await insertRow(ctx, {
    table: 'contract_event',
    name: 'contracts.insert-event',
    row: { contractId, kind, party, name, detail, sha256, ipAddress, userAgent, createdAt: ctx.now() },
  })
}

/** The coach's name, as signers read it. */
export const getCoachName = ({ account: { firstName, lastName } }: Pick<WriteCtx, 'account'>): string =>
  `${firstName} ${lastName}`

export const getPracticeName = (ctx: Pick<WriteCtx, 'account'>): string => ctx.account.businessName ?? getCoachName(ctx)
