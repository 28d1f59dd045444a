import { z } from 'zod'
import { operation, vendorOperation } from '#tenants/api/operation.ts'
import { beginConnect } from './services/connect.ts'
import { disconnect } from './services/disconnect.ts'

const zoom = { tags: ['Session summaries'] }

export const operations = [
  operation({
    ...zoom,
    method: 'get',
    path: '/zoom/auth',
    summary: 'Begin to connect Zoom',
    description: 'Open `authUrl` in the browser in which you are signed in. It lands on `/settings/zoom`.',
    answers: { 200: z.object({ authUrl: z.string() }) },
    refusals: [503],
    handle: async (ctx) => ({ authUrl: await beginConnect(ctx) }),
  }),
  vendorOperation({
    ...zoom,
    method: 'post',
    path: '/zoom/disconnect',
    summary: 'Disconnect Zoom',
    description: 'What was found there stays. While it is not connected: 409.',
    answers: { 204: null },
    refusals: [409],
    handle: disconnect,
  }),
]
