import { emailCoach } from '#modules/core/notifications.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { isRefused, wasNotTaken } from '#tenants/mail-errors.ts'
import type { Platform } from '#tenants/platform.ts'
import { isVisible, personSql, submissionTables } from '../joins.ts'
import { submissionUrl } from '../list-state.ts'

export const notifyQueue = 'forms.notify'
/** Time for several answered forms to make one email. */
export const notifyAfterSeconds = 300
/** Forms that one email names; the pages have all of them. */
const namedForms = 20

export type NotifyJob = { coachId: number; submissionId: number }

type Answered = { id: number; formName: string; personName: string; clientId: number | null }

/**
 * Emails the coach that forms were answered, without what the answers say: the submission of the job, and all that were
 * answered since, unless an earlier job has done so. At most one email names a submission: it is marked before the mail
 * server gets it, and again later only if the server certainly did not take it (decision 0053).
 */
export async function notify(platform: Platform, { coachId, submissionId }: NotifyJob): Promise<void> {
  const ctx = await loadCoachContext(platform, coachId, `answers-${submissionId}`)
  if (!ctx?.account.emailVerified) return
  const claimed = await ctx.write((tx) => claim(tx, submissionId))
  const answered = await listAnswered(ctx, claimed)
  if (!answered.length) return
  try {
    await emailCoach(ctx, 'forms.answered', toEmail(ctx, answered))
  } catch (error) {
    if (isRefused(error)) return
    if (wasNotTaken(error)) await ctx.write((tx) => release(tx, claimed))
    throw error
  }
}

async function claim(ctx: WriteCtx, submissionId: number): Promise<number[]> {
  const rows = await ctx.query<{ id: number }>({
    name: 'forms.claim-answered',
    text: `update form_submission set notified_at = $3
      where coach_id = $1 and submitted_at is not null and notified_at is null and exists (
        select 1 from form_submission own where own.coach_id = $1 and own.id = $2 and own.notified_at is null
          and own.submitted_at is not null)
      returning id`,
    values: [ctx.coachId, submissionId, ctx.now()],
  })
  return rows.map(({ id }) => id)
}

async function release(ctx: WriteCtx, ids: number[]): Promise<void> {
  await ctx.query({
    name: 'forms.release-answered',
    text: 'update form_submission set notified_at = null where coach_id = $1 and id = any($2::bigint[])',
    values: [ctx.coachId, ids],
  })
}

/** Those that are not in the trash by now, with the names as they are now. */
async function listAnswered(ctx: Ctx, ids: number[]): Promise<Answered[]> {
  if (!ids.length) return []
  return ctx.query<Answered>({
    name: 'forms.answered-to-notify',
    text: `select s.id, coalesce(v.name, f.name) as "formName", ${personSql} as "personName", s.client_id as "clientId"
      from ${submissionTables} where s.coach_id = $1 and s.id = any($2::bigint[]) and ${isVisible}
      order by s.submitted_at, s.id`,
    values: [ctx.coachId, ids],
  })
}

function toEmail(ctx: Ctx, answered: Answered[]) {
  const [{ id, personName, formName, clientId }] = answered as [Answered]
  const isOfOnePerson = answered.every((one) => one.personName === personName && one.clientId === clientId)
  const lines = answered.slice(0, namedForms).map((one) => `• ${one.personName}: ${one.formName}`)
  const more = answered.length - lines.length
  const { origin } = ctx.platform.config
  const hello = `Hello ${ctx.account.firstName},`
  const isSingle = answered.length === 1
  const page = isSingle ? submissionUrl(id).href() : isOfOnePerson && clientId ? `/clients/${clientId}` : '/dashboard'
  return {
    subject: isOfOnePerson ? `New answers from ${personName}` : `${answered.length} forms were answered`,
    paragraphs: isSingle
      ? [hello, `${personName} has answered “${formName}”.`]
      : [hello, 'These forms were answered:', [...lines, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n')],
    button: { label: 'See the answers', url: `${origin}${page}` },
  }
}
