import { z } from 'zod'
import { id } from '#app/lib/zod-types.ts'
import { getAppointment } from '#modules/scheduling/index.ts'
import { operation, type Operation } from '#tenants/api/operation.ts'
import type { Ctx } from '#tenants/context.ts'
import { getSearch, SearchOut } from './queries.ts'
import { chooseCandidate, searchAgain } from './search.ts'

const summaries = { tags: ['Session summaries'] }
const byAppointment = { find: (ctx: Ctx, params: { id?: number }) => getAppointment(ctx, params.id!) }
const path = '/appointments/{id}/recording-search'

/** The search for the recording of a session at Zoom and Google Meet. */
export const searchOperations: Operation[] = [
  operation({
    ...summaries,
    method: 'get',
    path,
    summary: 'How the recording of a session is looked for',
    answers: { 200: SearchOut },
    handle: (ctx, { params }) => getSearch(ctx, params.id!),
  }),
  operation({
    ...summaries,
    method: 'post',
    path,
    summary: 'Look for the recording of a session again',
    description:
      'At once, in the background. Not completed, without consent, with a transcript or a recording, or without a ' +
      'connection to Zoom or Google: 409.',
    answers: { 202: SearchOut },
    refusals: [403, 409],
    ...byAppointment,
    handle: (ctx, { params }) => searchAgain(ctx, params.id!),
  }),
  operation({
    ...summaries,
    method: 'post',
    path: `${path}/choice`,
    summary: 'Say which recording belongs to a session',
    description: 'One of `candidates`. It is fetched in the background. Refused as a search is.',
    body: z.object({ candidateId: id('Choose a recording') }),
    answers: { 202: SearchOut },
    refusals: [403, 404, 409],
    ...byAppointment,
    handle: (ctx, { params, body }) => chooseCandidate(ctx, params.id!, body),
  }),
]
