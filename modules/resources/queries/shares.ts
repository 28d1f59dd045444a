import { z } from 'zod'
import { isoTimestamp } from '#db/read-pool.ts'
import { listNewest, type Page } from '#tenants/api/list-newest.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import { audiences, type Audience, type ResourceType } from '../fields.ts'
import { hasTag, joinClient } from '#modules/crm/index.ts'
import { getFile, isCurrent } from './files.ts'

const audienceNames = Object.keys(audiences) as [Audience, ...Audience[]]

export const ShareOut = z.object({
  id: z.int(),
  coachId: z.int(),
  resourceId: z.int(),
  audience: z.enum(audienceNames),
  clientId: z.int().nullable(),
  clientName: z.string().nullable(),
  tag: z.string().nullable().describe('Of clients, for the audience `tag`'),
  isProtected: z.boolean().describe('Whether a visitor has to type a password'),
  expiresAt: z.iso.datetime().nullable(),
  maxOpens: z.int().nullable().describe('For each client, if there are several'),
  opens: z.int(),
  sentAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
})
export type ShareRecord = z.output<typeof ShareOut>

const columns = `s.id, s.coach_id as "coachId", s.resource_id as "resourceId", s.audience, s.client_id as "clientId",
  c.name as "clientName", s.tag,
  s.password_hash is not null as "isProtected", ${isoTimestamp('s.expires_at')} as "expiresAt", s.max_opens as "maxOpens",
  s.opens, ${isoTimestamp('s.sent_at')} as "sentAt", ${isoTimestamp('s.created_at')} as "createdAt"`

/** The shares of a resource that were not revoked, newest first. Throws not_found for an unknown resource. */
export async function listShares(ctx: Ctx, resourceId: number, page: Page = {}): Promise<ShareRecord[]> {
  await getFile(ctx, resourceId)
  return listNewest(ctx, {
    name: 'resources.shares',
    select: columns,
    from: `resource_share s ${joinClient('s')}`,
    where: { ofResource: ['s.resource_id = ?', resourceId], notRevoked: 's.revoked_at is null' },
    time: 's.created_at',
    id: 's.id',
    ...page,
  })
}

export async function getShare(ctx: Ctx, id: number): Promise<ShareRecord | null> {
  authorize(ctx, 'resources:resource:read')
  const [row] = await ctx.query<ShareRecord>({
    name: 'resources.share',
    text: `select ${columns} from resource_share s ${joinClient('s')}
      where s.coach_id = $1 and s.id = $2 and s.revoked_at is null`,
    values: [ctx.coachId, id],
  })
  return row ?? null
}

/** A share as its visitor sees it. */
export type OpenShare = {
  id: number
  resourceId: number
  name: string
  type: ResourceType
  size: number | null
  url: string | null
  passwordHash: string | null
}

/** A share that works now, for this client or for anyone; null otherwise. */
export async function findOpenShare(ctx: Ctx, id: number, clientId: number | null): Promise<OpenShare | null> {
  authorize(ctx, 'resources:resource:read')
  const [row] = await ctx.query<OpenShare>({
    name: 'resources.open-share',
    text: `select s.id, r.id as "resourceId", r.name, r.type, r.size, r.url, s.password_hash as "passwordHash"
      from resource_share s join resource r on r.coach_id = $1 and r.id = s.resource_id
        cross join (select $3::bigint as client_id) v ${joinClient('v')}
      where s.coach_id = $1 and s.id = $2 and ${isOpen('$4', '$3')} and ${isCurrent}
        and case s.audience when 'link' then $3::bigint is null when 'client' then s.client_id = $3
          when 'tag' then ${hasTag('s.tag', 'c')} else $3 is not null end
        and ($3 is null or c.id is not null and c.deleted_at is null)`,
    values: [ctx.coachId, id, clientId, ctx.now()],
  })
  return row ?? null
}

/**
 * SQL: the share `s` was not revoked, has not expired, and this client, or anyone with the link, may open it once more.
 */
export const isOpen = (now: string, clientId: string): string => `s.revoked_at is null
  and (s.expires_at is null or s.expires_at > ${now})
  and (s.max_opens is null or s.max_opens > case when s.audience in ('all', 'tag') then (select count(*) from resource_open o
      where o.coach_id = $1 and o.share_id = s.id and o.client_id = ${clientId}::bigint
        and o.created_at >= coalesce(s.counted_from, s.created_at))
    else s.opens end)`

export const OpenOut = z.object({
  id: z.int(),
  coachId: z.int(),
  resourceId: z.int(),
  clientId: z.int().nullable(),
  clientName: z.string().nullable().describe('Null: somebody with the link'),
  ipAddress: z.string().nullable(),
  userAgent: z.string().nullable(),
  createdAt: z.iso.datetime(),
})
export type OpenRecord = z.output<typeof OpenOut>

/** The visitors who opened a resource, newest first. Throws not_found for an unknown resource. */
export async function listOpens(ctx: Ctx, resourceId: number, page: Page = {}): Promise<OpenRecord[]> {
  await getFile(ctx, resourceId)
  return listNewest(ctx, {
    name: 'resources.opens',
    select: `o.id, o.coach_id as "coachId", o.resource_id as "resourceId", o.client_id as "clientId",
      c.name as "clientName",
      o.ip_address as "ipAddress", o.user_agent as "userAgent", ${isoTimestamp('o.created_at')} as "createdAt"`,
    from: `resource_open o ${joinClient('o')}`,
    where: { ofResource: ['o.resource_id = ?', resourceId] },
    time: 'o.created_at',
    id: 'o.id',
    ...page,
  })
}
