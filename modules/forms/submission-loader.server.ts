import { formatDateTime } from '#app/lib/time.ts'
import { getClient } from '#modules/crm/index.ts'
import type { Ctx } from '#tenants/context.ts'
import { submissionSources } from './fields.ts'
import { formLink } from './link.ts'
import { submissionUrl } from './list-state.ts'
import { getSubmissionDetails } from './queries/submissions.ts'

/** A submission for the coach, with what its answers would change. Throws not_found. */
export async function loadSubmission(ctx: Ctx, id: number, url: string) {
  const found = await getSubmissionDetails(ctx, id)
  const { clientId, formId, formName, formVersion, personName, status, source, questions, answers, files } = found
  const client = clientId === null ? null : await getClient(ctx, clientId)
  const at = (instant: string | null) => instant && formatDateTime(instant, ctx.account)
  const isExpired = status !== 'submitted' && found.expiresAt !== null && new Date(found.expiresAt) <= ctx.now()
  return {
    id,
    formId,
    formName,
    formVersion,
    clientId,
    personName,
    status,
    source: submissionSources[source],
    questions,
    answers,
    files: files.map(({ id: fileId, question, fileName }) => ({ id: fileId, question, fileName })),
    proposals: found.proposals.map(({ id: proposalId, question, field, value, state }) => ({
      id: proposalId,
      question,
      field,
      value,
      state,
      current: client?.[field] ?? null,
    })),
    sentAt: at(found.createdAt),
    emailedAt: at(found.emailedAt),
    submittedAt: at(found.submittedAt),
    expiresAt: at(found.expiresAt),
    isExpired,
    link: status === 'submitted' ? null : formLink.getUrl(ctx, id),
    canEmail: ctx.account.emailVerified && !isExpired,
    dialog: submissionUrl(id).parse(url).dialog,
  }
}
export type SubmissionPage = Awaited<ReturnType<typeof loadSubmission>>
