import { z } from 'zod'
import type { RequestContext } from '#tenants/api/operation.ts'
import { visitorContext } from '#tenants/context.ts'
import { openLink } from '#tenants/signed-link.ts'
import type { AnswersInput } from '../forms.ts'
import { formLink } from '../link.ts'
import { linkEnded, saveAnswers } from '../services/answering.ts'
import { countSave } from './limits.ts'

export const SavedOut = z.object({ version: z.int().describe('For the next time') })

/** Keeps answers while somebody types. An operation of the API, which renders nothing. */
export async function saveByLink(
  context: RequestContext,
  { body: { token, answers, ...state } }: { body: AnswersInput },
): Promise<z.output<typeof SavedOut>> {
  const { platform, tenant, viewer, address, requestId } = context
  const link = await openLink({ requestContext: context, tenant }, formLink.read(platform, token))
  if (!link || !viewer.owner) throw linkEnded()
  const ctx = visitorContext(platform, viewer.owner, { requestId, address }, ['forms:answer:write'])
  countSave({ ctx, id: link.id }, address)
  return { version: await saveAnswers(ctx, link.id, { ...state, sent: answers }) }
}
