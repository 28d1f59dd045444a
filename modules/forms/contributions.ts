import { escapeMarkup } from '#app/lib/markup.ts'
import { dayMs, formatDay } from '#app/lib/time.ts'
import { parseId } from '#app/lib/url.ts'
import type { Contribution, QuickAction, TodayPart } from '#modules/core/manifest.ts'
import { readPreparation } from '#modules/core/slots.ts'
import type { ClientLink, TimelineEntry } from '#modules/crm/index.ts'
import type { Ctx } from '#tenants/context.ts'
import { loadCharts } from './charts.server.ts'
import { loadPortalForms, portalPage } from './portal.ts'
import { listFormOptions } from './queries/form.ts'
import {
  listAnswered,
  listAnsweredByClient,
  listRequirements,
  listSubmissionsOfClient,
  type ListedSubmission,
} from './queries/submissions.ts'

const permission = 'forms:submission:read'
const cardRows = 5
/** Days for which the dashboard shows a form that was answered. */
const shownDays = 7

const sendAction: QuickAction = { label: 'Send Form', to: '/forms?dialog=send', icon: 'clipboard-list' }
const clientLinks: ClientLink[] = [
  { label: 'Send Form', icon: 'clipboard-list', to: '/forms?dialog=send&client={id}', placement: 'card-menu' },
]

export const contributions: Contribution[] = [
  { slot: 'portal.home', widget: 'portal-forms', order: 20, permission: 'client:form:read', load: loadPortalForms },
  { slot: 'portal.page', order: 40, permission: 'client:form:read', load: portalPage },
  { slot: 'dashboard.main', widget: 'answered-forms', order: 18, permission, load: loadAnswered },
  { slot: 'today', order: 50, permission, load: loadNewAnswers },
  { slot: 'session.preparation', order: 20, permission, load: loadPreparation },
  { slot: 'dashboard.action', order: 38, permission: 'forms:submission:write', load: async () => sendAction },
  { slot: 'client.card', widget: 'client-forms', order: 8, permission, load: (ctx, { id }) => loadOfClient(ctx, id) },
  { slot: 'client.menu', order: 45, permission: 'forms:submission:write', load: async () => clientLinks },
  {
    slot: 'client.timeline',
    order: 55,
    permission,
    load: (ctx, { id, rows = '50' }) => listTimeline(ctx, Number(id), Number(rows)),
  },
  {
    slot: 'appointment-type.card',
    widget: 'required-forms',
    order: 10,
    permission: 'forms:form:write',
    load: (ctx, { id }) => loadRequired(ctx, parseId(id)),
  },
]

const toView = (ctx: Ctx, { createdAt, submittedAt, ...row }: ListedSubmission) => ({
  ...row,
  date: formatDay(submittedAt ?? createdAt, ctx.now(), ctx.account.timezone),
})

async function loadAnswered(ctx: Ctx) {
  const since = new Date(ctx.now().getTime() - shownDays * dayMs)
  const submissions = await listAnswered(ctx, since, cardRows)
  return { submissions: submissions.map((one) => toView(ctx, one)) }
}
async function loadNewAnswers(ctx: Ctx): Promise<TodayPart | null> {
  const { submissions } = await loadAnswered(ctx)
  if (!submissions.length) return null
  const items = submissions.map(({ id, formName, personName, date }) => ({
    key: String(id),
    title: formName,
    detail: `${personName}, ${date}`,
    to: `/forms/submissions/${id}`,
  }))
  return { title: 'New answers', items, more: null }
}

/** The answers since the last session. */
async function loadPreparation(ctx: Ctx, params: Record<string, string | undefined>): Promise<TodayPart | null> {
  const { clientId, since, period } = readPreparation(params)
  const submissions = await listAnsweredByClient(ctx, { clientId, since, rows: cardRows })
  if (!submissions.length) return null
  const items = submissions.map((submission) => {
    const { id, formName, date } = toView(ctx, submission)
    return { key: String(id), title: formName, detail: `Answered: ${date}`, to: `/forms/submissions/${id}` }
  })
  return { title: `Answers ${period}`, items, more: null }
}

export type AnsweredForms = Awaited<ReturnType<typeof loadAnswered>>

async function loadOfClient(ctx: Ctx, id: string | undefined) {
  const clientId = Number(id)
  const [submissions, charts] = await Promise.all([
    listSubmissionsOfClient(ctx, clientId, cardRows),
    loadCharts(ctx, clientId),
  ])
  return { clientId, submissions: submissions.map((one) => toView(ctx, one)), charts }
}
export type ClientForms = Awaited<ReturnType<typeof loadOfClient>>

async function loadRequired(ctx: Ctx, typeId: number) {
  const [required, forms] = await Promise.all([listRequirements(ctx, { typeId }), listFormOptions(ctx)])
  return {
    typeId,
    required: required.map(({ id, formId, formName }) => ({ id, formId, formName })),
    forms: forms.filter(({ id }) => !required.some(({ formId }) => formId === id)),
  }
}
export type RequiredForms = Awaited<ReturnType<typeof loadRequired>>

/** When forms were sent to a client and answered. */
async function listTimeline(ctx: Ctx, clientId: number, rows: number): Promise<TimelineEntry[]> {
  const submissions = await listSubmissionsOfClient(ctx, clientId, rows)
  return submissions.flatMap(({ id, formName, createdAt, submittedAt }) => {
    const sent = {
      key: `form ${id}`,
      at: createdAt,
      kind: 'form',
      title: 'Form sent',
      text: escapeMarkup(formName),
      to: `/forms/submissions/${id}`,
    }
    return submittedAt === null
      ? [sent]
      : [{ ...sent, key: `form ${id} answered`, at: submittedAt, title: 'Form answered' }, sent]
  })
}
