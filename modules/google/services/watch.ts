import { randomUUID } from 'node:crypto'
import { dayMs } from '#app/lib/time.ts'
import { usesHttps } from '#tenants/config.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import type { Platform } from '#tenants/platform.ts'
import { isConnected } from '../queries/connection.ts'
import { callWithToken } from '../vendor/client.ts'
import { GoogleError } from '../vendor/errors.ts'
import { ChannelResponse } from '../vendor/responses.ts'
import type { CalendarRow } from './calendars.ts'
import { requestSync } from './queue.ts'
import { callCalendar } from './call.ts'

type Channel = {
  calendarId: number
  channelId: string | null
  resourceId: string | null
  expiresAt: Date | string | null
}

/** Lets Google tell us of changes, which otherwise wait for the next poll. It calls public addresses only. */
export async function renewChannels(ctx: Ctx, calendars: CalendarRow[]): Promise<void> {
  if (!usesHttps(ctx.platform.config)) return
  const channels = new Map((await listChannels(ctx)).map((channel) => [channel.calendarId, channel]))
  const soon = ctx.now().getTime() + dayMs
  for (const calendar of calendars) {
    const channel = channels.get(calendar.id)
    const isUsed = calendar.blocks || calendar.isTarget
    const isGood = channel?.expiresAt && new Date(channel.expiresAt).getTime() > soon
    if (isUsed && !isGood) await openChannel(ctx, calendar)
    // The new one first, so that no change is missed.
    if (channel?.channelId && !(isUsed && isGood)) await stopChannel(ctx, channel)
    if (channel?.channelId && !isUsed) await ctx.write((tx) => storeChannel(tx, calendar.id, null))
  }
}

/** The purpose under which the path and the token of a channel are signed. */
const purpose = 'google-channel'
const toValue = (coachId: number, calendarId: number, channelId: string) => `${coachId}:${calendarId}:${channelId}`

async function openChannel(ctx: Ctx, { id, calendarId }: CalendarRow): Promise<void> {
  const { config, signingKeys } = ctx.platform
  const channelId = randomUUID()
  const token = signingKeys.sign(purpose, toValue(ctx.coachId, id, channelId))
  try {
    const opened = await callCalendar(ctx, async (api) => {
      const address = `${config.origin}/google/notifications/${token}`
      const { data } = await api.events.watch({
        calendarId,
        requestBody: { id: channelId, type: 'web_hook', address, token },
      })
      return ChannelResponse.parse(data)
    })
    await ctx.write((tx) => storeChannel(tx, id, opened))
  } catch (error) {
    // Such as public holidays: they are polled.
    if (!(error instanceof GoogleError) || error.kind !== 'refused') throw error
  }
}

async function storeChannel(
  ctx: WriteCtx,
  calendarId: number,
  channel: { id: string; resourceId: string; expiration: number } | null,
): Promise<void> {
  await ctx.query({
    name: 'google.store-channel',
    text: `update google_calendar set channel_id = $3, channel_resource_id = $4, channel_expires_at = $5
      where coach_id = $1 and id = $2`,
    values: [
      ctx.coachId,
      calendarId,
      channel?.id ?? null,
      channel?.resourceId ?? null,
      channel ? new Date(channel.expiration) : null,
    ],
  })
}

async function stopChannel(ctx: Ctx, { channelId, resourceId }: Channel): Promise<void> {
  await callCalendar(ctx, (api) => api.channels.stop({ requestBody: { id: channelId, resourceId } })).catch((error) => {
    // It ends by itself.
    if (!(error instanceof GoogleError)) throw error
  })
}

/** For the end of a connection; Google may be away. */
export async function stopChannels(ctx: Ctx): Promise<void> {
  if (!ctx.platform.config.google) return
  const open = (await listChannels(ctx)).filter(({ channelId }) => channelId)
  // They end by themselves.
  await Promise.allSettled(open.map((channel) => stopChannel(ctx, channel)))
}

/**
 * Ends the channels of an account that another one has replaced, with its own token: best effort, they expire anyway.
 */
export async function stopOldChannels({ platform }: Ctx, accessToken: string, channels: Channel[]): Promise<void> {
  const stop = ({ channelId: id, resourceId }: Channel) =>
    callWithToken(platform.config, accessToken, (api) => api.channels.stop({ requestBody: { id, resourceId } }))
  await Promise.allSettled(channels.filter(({ channelId }) => channelId).map(stop))
}

export async function listChannels(ctx: Ctx): Promise<Channel[]> {
  return ctx.query<Channel>({
    name: 'google.channels',
    text: `select id as "calendarId", channel_id as "channelId", channel_resource_id as "resourceId",
        channel_expires_at as "expiresAt"
      from google_calendar where coach_id = $1`,
    values: [ctx.coachId],
  })
}

type Notification = { path: string; token: string | null; channelId: string | null; state: string | null }

/** The coach and calendar of a notification; null if it isn't one of our channels. */
export function readNotification(
  platform: Platform,
  { path, token, channelId, state }: Notification,
): { coachId: number; isChange: boolean } | null {
  const [coachId, , signedChannel] = platform.signingKeys.verify(purpose, path)?.split(':') ?? []
  if (!coachId || token !== path || signedChannel !== channelId) return null
  return { coachId: Number(coachId), isChange: state !== 'sync' }
}

/** Has the coach's calendars read. The notification itself says only that something changed. */
export async function noteChange(ctx: WriteCtx): Promise<void> {
  if (await isConnected(ctx)) await requestSync(ctx)
}
