import { z } from 'zod'
import { operation, vendorOperation } from '#tenants/api/operation.ts'
import { beginConnect } from './services/connect.ts'
import { listCalendars } from './services/calendars.ts'
import { disconnect } from './services/disconnect.ts'
import { requireConnection, syncNow } from './services/sync-now.ts'
import { connectionStates } from './states.ts'

const google = { tags: ['Calendar sync'] }

const ConnectionOut = z.object({
  email: z.string(),
  state: z.enum(connectionStates),
  lastSuccessAt: z.iso.datetime().nullable(),
})

const CalendarOut = z.object({
  id: z.int(),
  name: z.string(),
  isPrimary: z.boolean(),
  canWrite: z.boolean(),
  blocks: z.boolean().describe('Whether its events block time'),
  isTarget: z.boolean().describe('Whether appointments are written to it'),
})

/** Source: api.md "Calendar sync". */
export const operations = [
  operation({
    ...google,
    method: 'get',
    path: '/google/auth',
    summary: 'Begin to connect Google Calendar',
    description: 'Open `authUrl` in a popup. It lands on `/calendar?google_connected=success` or `=error`.',
    answers: { 200: z.object({ authUrl: z.string() }) },
    refusals: [503],
    handle: async (ctx) => ({ authUrl: await beginConnect(ctx, { inPopup: true }) }),
  }),
  operation({
    ...google,
    method: 'get',
    path: '/google/calendars',
    summary: 'List the calendars of the connected account',
    description: 'While Google Calendar is not connected: 409.',
    answers: { 200: z.array(CalendarOut) },
    refusals: [409],
    handle: async (ctx) => {
      await requireConnection(ctx)
      return (await listCalendars(ctx)).map(({ id, name, isPrimary, canWrite, blocks, isTarget }) => ({
        id,
        name,
        isPrimary,
        canWrite,
        blocks,
        isTarget,
      }))
    },
  }),
  vendorOperation({
    ...google,
    method: 'post',
    path: '/google/sync',
    summary: 'Sync with Google Calendar at once',
    description: 'While Google Calendar is not connected: 409. If Google fails: 502; it is tried again later.',
    answers: { 200: ConnectionOut },
    refusals: [409, 502],
    handle: async (ctx) => {
      const { email, state, lastSuccessAt } = await syncNow(ctx)
      return { email, state, lastSuccessAt }
    },
  }),
  vendorOperation({
    ...google,
    method: 'post',
    path: '/google/disconnect',
    summary: 'Disconnect Google Calendar',
    description: 'Appointments stay, and their events in Google too. While it is not connected: 409.',
    answers: { 204: null },
    refusals: [409],
    handle: disconnect,
  }),
]
