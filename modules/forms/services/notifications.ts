import { toCoach, wantsEmail } from '#modules/core/notifications.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { isRefused, wasNotTaken } from '#tenants/mail-errors.ts'
import { sendEmail } from '#tenants/mail.ts'
import type { Platform } from '#tenants/platform.ts'
import { isVisible, personSql, submissionTables } from '../joins.ts'
import { answersUrl, formsUrl, submissionUrl } from '../list-state.ts'

export const notifyQueue = 'forms.notify'
/** Time for several answered forms to make one email. */
export const notifyAfterSeconds = 300
/** Forms that one email names; the pages have all of them. */
const namedForms = 20

export type NotifyJob = { coachId: number; submissionId: number }

type Answered = { id: number; formId: number; formName: string; personName: string; clientId: number | null }

/**
 * Emails the coach that forms were answered, without what the answers say: the submission of the job, and all that were
 * answered since, unless an earlier job has done so. At most one email names a submission: it is marked before the mail
 * server gets it, and again later only if the server certainly did not take it (decision 0053).
 */
export async function notify(platform: Platform, { coachId, submissionId }: NotifyJob): Promise<void> {
  const ctx = await loadCoachContext(platform, coachId, `answers-${submissionId}`)
  if (!ctx?.account.emailVerified || !(await wantsEmail(ctx, 'forms.answered'))) return
  const { claimed, answered } = await ctx.write(async (tx) => {
    const ids = await claim(tx, submissionId)
    return { claimed: ids, answered: await listAnswered(tx, ids) }
  })
  if (!answered.length) return
  try {
    await sendEmail(platform.config, { ...formatEmail(ctx, answered), ...toCoach(ctx) }, platform.now())
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
      where coach_id = $1 and notified_at is null and submitted_at >= (
        select submitted_at from form_submission where coach_id = $1 and id = $2 and notified_at is null)
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
    text: `select s.id, s.form_id as "formId", coalesce(v.name, f.name) as "formName", ${personSql} as "personName", s.client_id as "clientId"
      from ${submissionTables} where s.coach_id = $1 and s.id = any($2::bigint[]) and ${isVisible}
      order by s.submitted_at, s.id`,
    values: [ctx.coachId, ids],
  })
}

function formatEmail(ctx: Ctx, answered: Answered[]) {
  const [{ id, formId, personName, formName, clientId }] = answered as [Answered]
  const isOfOnePerson = answered.every((one) => one.personName === personName && one.clientId === clientId)
  const isSingle = answered.length === 1
  const lines = answered.slice(0, namedForms).map((one) => `• ${one.personName}: ${one.formName}`)
  const more = answered.length - lines.length
  const hello = `Hello ${ctx.account.firstName},`
  const link = (label: string, path: string) => ({ label, url: `${ctx.platform.config.origin}${path}` })
  const findPage = () => {
    if (isSingle) return link('See the answers', submissionUrl(id).href())
    if (isOfOnePerson && clientId) return link('See the answers', `/clients/${clientId}`)
    if (answered.every((one) => one.formId === formId)) return link('See the answers', answersUrl(formId).href())
    return link('Open your forms', formsUrl.href())
  }
  return {
    subject: isOfOnePerson ? `New answers from ${personName}` : `${answered.length} forms were answered`,
    paragraphs: isSingle
      ? [hello, `${personName} has answered “${formName}”.`]
      : [hello, 'These forms were answered:', [...lines, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n')],
    button: findPage(),
  }
}
