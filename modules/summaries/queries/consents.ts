import { sessionIdsOfClient } from '#modules/scheduling/index.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { listNewest, type Page } from '#tenants/api/list-newest.ts'
import { consent, type ConsentRecord } from '../records.ts'

/** All that were ever given for a client or for a session, newest first. */
export async function listConsents(
  ctx: Ctx,
  subject: { clientId: number } | { appointmentId: number },
  page: Page = {},
): Promise<ConsentRecord[]> {
  authorize(ctx, 'summaries:consent:read')
  return listNewest(ctx, {
    name: 'summaries.consents',
    select: consent.select,
    from: 'recording_consent r',
    where: {
      client: 'clientId' in subject && ['r.client_id = ?', subject.clientId],
      appointment: 'appointmentId' in subject && ['r.appointment_id = ?', subject.appointmentId],
    },
    time: 'r.created_at',
    id: 'r.id',
    ...page,
  })
}

/** Throws not_found. */
export async function getConsent(ctx: Ctx, id: number): Promise<ConsentRecord> {
  authorize(ctx, 'summaries:consent:read')
  const [found] = await ctx.query<ConsentRecord>({
    name: 'summaries.consent',
    text: `select ${consent.select} from recording_consent r where r.coach_id = $1 and r.id = $2`,
    values: [ctx.coachId, id],
  })
  if (!found) throw consent.notFound()
  return found
}

type Session = { id: number; clientId: number | null }
export type SessionConsents = { ofSession: ConsentRecord | null; ofClient: ConsentRecord | null }

/** The latest consents of a session and of its client, also withdrawn ones. */
export async function findConsents(ctx: Ctx, { id, clientId }: Session): Promise<SessionConsents> {
  authorize(ctx, 'summaries:consent:read')
  const latest = (column: 'appointment_id' | 'client_id', value: number | null) => ({
    name: `summaries.consent-by-${column}`,
    text: `select ${consent.select} from recording_consent r where r.coach_id = $1 and r.${column} = $2
      order by r.id desc limit 1`,
    values: [ctx.coachId, value],
  })
  const [[ofSession], [ofClient]] = (await ctx.queryAll([
    latest('appointment_id', id),
    latest('client_id', clientId),
  ])) as [ConsentRecord[], ConsentRecord[]]
  return { ofSession: ofSession ?? null, ofClient: ofClient ?? null }
}

/** The consent that applies to the session: its own decides, otherwise its client's. Null without one, or once withdrawn. */
export function findActive({ ofSession, ofClient }: SessionConsents): ConsentRecord | null {
  const latest = ofSession ?? ofClient
  return latest && latest.withdrawnAt === null ? latest : null
}

/** The consents of a client and of their sessions, newest first. */
export async function listClientConsents(ctx: Ctx, clientId: number, rows: number): Promise<ConsentRecord[]> {
  authorize(ctx, 'summaries:consent:read')
  return ctx.query<ConsentRecord>({
    name: 'summaries.client-consents',
    text: `select ${consent.select} from recording_consent r
      where r.coach_id = $1 and (r.client_id = $2 or r.appointment_id in (${sessionIdsOfClient('$2')}))
      order by r.given_at desc, r.id desc limit $3`,
    values: [ctx.coachId, clientId, rows],
  })
}
