import { AppError } from '#app/lib/errors.ts'
import { formatCalendarDate, localDate } from '#app/lib/time.ts'
import { insertRow } from '#modules/core/insert-row.ts'
import { assertNotReadOnly, getClient, isReadOnly, listClientContacts, lockCurrentClient } from '#modules/crm/index.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import { requireVerifiedEmail } from '#tenants/accounts/email-verification.ts'
import { getSender } from '#tenants/accounts/jobs.ts'
import { toDeviceColumns, type Device } from '#tenants/auth/device.ts'
import { clientNetwork } from '#tenants/auth/client-network.ts'
import { countAttempt, withRateLimit, type RateLimitRule } from '#tenants/auth/rate-limit.ts'
import { hashPassword, verifyPassword } from '#tenants/auth/sign-in.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { openFile } from '#tenants/files/files.ts'
import { sendEmail } from '#tenants/mail.ts'
import type { Platform } from '#tenants/platform.ts'
import { assertStorage } from '#tenants/storage.ts'
import { toExpiry, type NewShare } from '../forms.ts'
import { getShareUrl } from '../public-link.ts'
import { findVersion, getFile } from '../queries/files.ts'
import { resource } from '../records.ts'
import { findOpenShare, getShare, isOpen, type OpenShare, type ShareRecord } from '../queries/shares.ts'

export const shareQueue = 'resources.email-share'

const shareNotFound = (): AppError => new AppError('not_found', 'Share not found', { subject: 'share' })

/**
 * Lets a client, all clients or anyone with the link open a resource; a client who could already keeps the link, with
 * the new limits. Throws not_found, validation_failed without a client, plan_limit, and forbidden for emails of a coach
 * who hasn't confirmed their address.
 */
export async function createShare(ctx: WriteCtx, resourceId: number, input: NewShare): Promise<ShareRecord> {
  authorize(ctx, 'resources:resource:write')
  const { clientId: owner } = await getFile(ctx, resourceId)
  if (owner !== null) await assertNotReadOnly(ctx, owner)
  const { audience, sendEmail: sendsEmail = false } = input
  const tag = audience === 'tag' ? (input.tag ?? null) : null
  const chosen = input.clientId === undefined ? null : await lockClient(ctx, input.clientId)
  if (audience === 'client' && chosen === null)
    throw new AppError('validation_failed', 'Choose a client', { field: 'clientId' })
  if (audience === 'tag' && !tag) throw new AppError('validation_failed', 'Choose a tag', { field: 'tag' })
  const clientId = audience === 'client' ? chosen : null
  await assertStorage(ctx)
  if (sendsEmail && audience !== 'link') requireVerifiedEmail(ctx)
  const limits = {
    passwordHash: input.password ? await hashPassword(input.password) : null,
    expiresAt: toExpiry(ctx.now(), input.expiresInDays),
    maxOpens: input.maxOpens ?? null,
  }
  await lockResource(ctx, resourceId)
  const former = await updateLimits(ctx, { resourceId, audience, clientId, tag, ...limits })
  const id =
    former?.id ??
    (await insertRow(ctx, {
      table: 'resource_share',
      name: 'resources.insert-share',
      row: { resourceId, audience, clientId, tag, ...limits, createdAt: ctx.now() },
    }))
  await refreshShared(ctx, resourceId)
  if (sendsEmail && !former?.isRepeated) await emailShare(ctx, id, { audience, clientId, tag })
  return (await getShare(ctx, id))!
}

/**
 * Lets a client open a resource, and returns the id of the share: one that works already stays as it is, with its
 * limits. Throws as `createShare` does, and not_found for another client's file.
 */
export async function shareWithClient(ctx: WriteCtx, resourceId: number, clientId: number): Promise<number> {
  authorize(ctx, 'resources:resource:write')
  // A share is revoked with a change of its resource, so none is revoked from here to the commit.
  const owner = await lockResource(ctx, resourceId)
  // A file of one client is never given to another one.
  if (owner !== null && owner !== clientId) throw resource.notFound()
  const [shared] = await ctx.query<{ id: number }>({
    name: 'resources.share-of-client',
    text: `select s.id from resource_share s where s.coach_id = $1 and s.resource_id = $2 and s.audience = 'client'
        and s.client_id = $3 and ${isOpen('$4', 's.client_id')} order by s.id limit 1`,
    values: [ctx.coachId, resourceId, clientId, ctx.now()],
  })
  return shared?.id ?? (await createShare(ctx, resourceId, { audience: 'client', clientId })).id
}

async function lockClient(ctx: WriteCtx, clientId: number): Promise<number> {
  await lockCurrentClient(ctx, clientId)
  await assertNotReadOnly(ctx, clientId)
  return clientId
}

/**
 * Two tabs share one after the other: the second one finds the share of the first. Returns the client whose file it is;
 * null: nobody's alone.
 */
async function lockResource(ctx: WriteCtx, resourceId: number): Promise<number | null> {
  const [row] = await ctx.query<{ clientId: number | null }>({
    name: 'resources.lock-resource',
    text: 'select client_id as "clientId" from resource where coach_id = $1 and id = $2 for update',
    values: [ctx.coachId, resourceId],
  })
  return row?.clientId ?? null
}

type Limits = { passwordHash: string | null; expiresAt: Date | null; maxOpens: number | null }

/**
 * Changes the share that these clients have already. Null without one. A link for anyone is always new. `isRepeated`:
 * the same was emailed within the last minute, from another tab.
 */
async function updateLimits(
  ctx: WriteCtx,
  share: Limits & { resourceId: number; audience: NewShare['audience']; clientId: number | null; tag: string | null },
): Promise<{ id: number; isRepeated: boolean } | null> {
  if (share.audience === 'link') return null
  const [row] = await ctx.query<{ id: number; isRepeated: boolean }>({
    name: 'resources.update-share',
    text: `update resource_share s
      set password_hash = $5, expires_at = $6, max_opens = $7, opens = 0, counted_from = $9
      from (select id, coalesce(sent_at > $9::timestamptz - interval '1 minute', false)
          and (password_hash is null) = ($5::text is null) and max_opens is not distinct from $7::int
          and (expires_at is null) = ($6::timestamptz is null)
          and coalesce(abs(extract(epoch from expires_at - $6::timestamptz)) < 60, true) as repeated
        from resource_share
        where coach_id = $1 and resource_id = $2 and audience = $3 and client_id is not distinct from $4::bigint
          and lower(tag) is not distinct from lower($8::text) and revoked_at is null) former
      where s.coach_id = $1 and s.id = former.id returning s.id, former.repeated as "isRepeated"`,
    values: [
      ctx.coachId,
      share.resourceId,
      share.audience,
      share.clientId,
      share.passwordHash,
      share.expiresAt,
      share.maxOpens,
      share.tag,
      ctx.now(),
    ],
  })
  return row ?? null
}

/** Nobody gets the same link many times, and a coach who presses the button often sends no thousands of emails. */
const emailRules = (coachId: number, shareId: number, isGroup: boolean): RateLimitRule[] => [
  { key: `share-email:${coachId}:${shareId}`, attempts: 5, minutes: 60 },
  isGroup
    ? { key: `share-email-group:${coachId}`, attempts: 20, minutes: 24 * 60 }
    : { key: `share-email-client:${coachId}`, attempts: 200, minutes: 60 },
]

/** Throws rate_limited. */
async function emailShare(
  ctx: WriteCtx,
  shareId: number,
  { clientId, tag }: Pick<ShareRecord, 'clientId' | 'tag'> & { audience: ShareRecord['audience'] },
): Promise<void> {
  const contacts = clientId === null ? await listClientContacts(ctx, tag ?? undefined) : []
  const clientIds = clientId === null ? contacts.filter(({ email }) => email).map(({ id }) => id) : [clientId]
  if (!clientIds.length) return
  const rules = emailRules(ctx.coachId, shareId, clientId === null)
  await countAttempt(ctx.platform, { rules, address: ctx.address, account: ctx.coachId })
  await ctx.enqueueAll(
    shareQueue,
    clientIds.map((id) => ({ data: { coachId: ctx.coachId, shareId, clientId: id } })),
  )
  await ctx.query({
    name: 'resources.share-sent',
    text: 'update resource_share set sent_at = $3 where coach_id = $1 and id = $2',
    values: [ctx.coachId, shareId, ctx.now()],
  })
}

/**
 * Emails the clients of a share their link again. Throws not_found, forbidden, plan_limit for one who is read-only,
 * rate_limited.
 */
export async function resendShare(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'resources:resource:write')
  requireVerifiedEmail(ctx)
  const share = await getShare(ctx, id)
  if (!share || share.audience === 'link') throw shareNotFound()
  if (share.clientId !== null) await assertNotReadOnly(ctx, share.clientId)
  await emailShare(ctx, id, share)
}

/** Ends a share at once. Throws not_found, also the second time, and for a share of another resource than `resourceId`. */
export async function revokeShare(ctx: WriteCtx, id: number, resourceId?: number): Promise<void> {
  authorize(ctx, 'resources:resource:write')
  const [row] = await ctx.query<{ resourceId: number }>({
    name: 'resources.revoke-share',
    text: `update resource_share set revoked_at = $3 where coach_id = $1 and id = $2 and revoked_at is null
      and ($4::bigint is null or resource_id = $4) returning resource_id as "resourceId"`,
    values: [ctx.coachId, id, ctx.now(), resourceId ?? null],
  })
  if (!row) throw shareNotFound()
  await refreshShared(ctx, row.resourceId)
}

/** Shares a resource with its client, or with all clients if it is for everyone; or ends all of its shares. */
export async function setShared(
  ctx: WriteCtx,
  { id, clientId }: { id: number; clientId: number | null },
  isShared: boolean,
): Promise<void> {
  if (isShared) {
    const already = await ctx.query({
      name: 'resources.any-share',
      text: `select 1 from resource_share where coach_id = $1 and resource_id = $2 and revoked_at is null
        and ($3::bigint is null or client_id = $3 or audience = 'all') limit 1`,
      values: [ctx.coachId, id, clientId],
    })
    if (!already.length)
      await createShare(ctx, id, clientId === null ? { audience: 'all' } : { audience: 'client', clientId })
    return
  }
  await ctx.query({
    name: 'resources.revoke-all',
    text: `update resource_share set revoked_at = $3 where coach_id = $1 and resource_id = $2 and revoked_at is null`,
    values: [ctx.coachId, id, ctx.now()],
  })
  await refreshShared(ctx, id)
}

/**
 * Ends the shares of the client whom a resource was for, or those of all clients and of tags if it was for everyone.
 */
export async function revokeFormer(
  ctx: WriteCtx,
  { id, clientId }: { id: number; clientId: number | null },
): Promise<void> {
  await ctx.query({
    name: 'resources.revoke-of-former-client',
    text: `update resource_share set revoked_at = $3 where coach_id = $1 and resource_id = $2 and revoked_at is null
      and case when $4::bigint is null then audience in ('all', 'tag') else client_id = $4 end`,
    values: [ctx.coachId, id, ctx.now(), clientId],
  })
  await refreshShared(ctx, id)
}

async function refreshShared(ctx: WriteCtx, resourceId: number): Promise<void> {
  await ctx.query({
    name: 'resources.refresh-shared',
    text: `update resource set is_shared = exists (select 1 from resource_share s
        where s.coach_id = $1 and s.resource_id = $2 and s.revoked_at is null)
      where coach_id = $1 and id = $2`,
    values: [ctx.coachId, resourceId],
  })
}

type Visitor = { clientId: number | null; password: string; device: Device }
type OpenedFile = Awaited<ReturnType<typeof openFile>>

/**
 * Counts and logs that a visitor opens a resource. Throws not_found when the share doesn't work any more, and forbidden
 * for a wrong password, of which each visitor has ten in a quarter of an hour.
 */
export async function openShare(ctx: Ctx, share: OpenShare, visitor: Visitor): Promise<void> {
  await checkPassword(ctx, share, visitor)
  await countOpen(ctx, share, visitor)
}

/** As `openShare`, for a file, which counts once the store has begun to send it. Throws unavailable, too. */
export async function openSharedFile(
  ctx: Ctx,
  share: OpenShare,
  visitor: Visitor,
): Promise<OpenedFile & { fileName: string }> {
  await checkPassword(ctx, share, visitor)
  const version = await findVersion(ctx, share.resourceId)
  if (!version) throw shareNotFound()
  const file = await openFile(ctx, version.storedFileId)
  try {
    await countOpen(ctx, share, visitor)
  } catch (error) {
    file.content.destroy()
    throw error
  }
  return { ...file, fileName: version.fileName }
}

async function countOpen(ctx: Ctx, share: OpenShare, visitor: Visitor): Promise<void> {
  const { ipAddress, userAgent } = toDeviceColumns(visitor.device)
  await ctx.write(async (tx) => {
    // One after the other: each counts the opens before it.
    await tx.query({
      name: 'resources.lock-share',
      text: 'select 1 from resource_share where coach_id = $1 and id = $2 for update',
      values: [ctx.coachId, share.id],
    })
    const [opened] = await tx.query({
      name: 'resources.count-open',
      text: `update resource_share s set opens = opens + 1 where s.coach_id = $1 and s.id = $2 and ${isOpen('$3', '$4')}
        returning s.id`,
      values: [ctx.coachId, share.id, ctx.now(), visitor.clientId],
    })
    if (!opened) throw shareNotFound()
    await insertRow(tx, {
      table: 'resource_open',
      name: 'resources.insert-open',
      row: {
        resourceId: share.resourceId,
        shareId: share.id,
        clientId: visitor.clientId,
        ipAddress,
        userAgent,
        createdAt: ctx.now(),
      },
    })
  })
}

async function checkPassword(ctx: Ctx, share: OpenShare, { password, device: { address } }: Visitor): Promise<void> {
  const { passwordHash } = share
  if (passwordHash === null) return
  const wrong = () => new AppError('forbidden', 'This password is wrong.', { field: 'password' })
  await withRateLimit(
    ctx.platform,
    {
      rules: [{ key: `share:${ctx.coachId}:${share.id}:${clientNetwork(address)}`, attempts: 10, minutes: 15 }],
      address,
    },
    async () => {
      if (!(await verifyPassword(passwordHash, password))) throw wrong()
    },
    (error) => error instanceof AppError && error.code === 'forbidden',
  )
}

/** Sends a client their link, if it works and there is an address. */
export async function sendShareEmail(
  platform: Platform,
  { coachId, shareId, clientId }: { coachId: number; shareId: number; clientId: number },
): Promise<void> {
  const ctx = await loadCoachContext(platform, coachId, `share-${shareId}`)
  const from = ctx && (await getSender(platform, coachId))
  if (!from) return
  const share = await getShare(ctx, shareId)
  const open = await findOpenShare(ctx, shareId, clientId)
  const url = getShareUrl(ctx, shareId, clientId)
  if (!share || !open || !url) return
  const client = await getClient(ctx, clientId)
  const { name, email: to } = client
  if (!to || (await isReadOnly(ctx, client))) return
  const until =
    share.expiresAt &&
    formatCalendarDate(localDate(share.expiresAt, ctx.account.timezone), {
      month: 'long',
      day: 'numeric',
      year: 'numeric',
    })
  await sendEmail(
    platform.config,
    {
      to,
      subject: `${open.name} from ${from.name}`,
      paragraphs: [
        `Hello ${name},`,
        `${from.name} has shared “${open.name}” with you.`,
        ...(until ? [`The link works until ${until}.`] : []),
        ...(share.isProtected ? [`It asks for a password, which ${from.name} will tell you.`] : []),
      ],
      button: { label: 'Open', url },
      from,
      replyTo: ctx.account.email,
    },
    platform.now(),
  )
}
