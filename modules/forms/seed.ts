import { Readable } from 'node:stream'
import type { DemoPractice } from '#modules/core/manifest.ts'
import { listClientOptions } from '#modules/crm/index.ts'
import { listAppointmentTypes } from '#modules/scheduling/index.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { withContent } from '#tenants/files/files.ts'
import { newQuestion } from './fields.ts'
import type { SentAnswers } from './answers.ts'
import { NewForm } from './forms.ts'
import { listForms } from './queries/form.ts'
import { addAnswerFile, findAnsweredForm, saveAnswers, submitAnswers } from './services/answering.ts'
import { createForm } from './services/form.ts'
import { requireForm } from './services/requirements.ts'
import { sendForm } from './services/submissions.ts'
import { templates, type TemplateName } from './templates.ts'

const intake: SentAnswers = {
  profession: ['Head of design'],
  location: ['Lisbon'],
  coached: ['Yes'],
  before: ['Clear tasks between the sessions helped. Long talks without a next step didn’t.'],
  goals: ['I lead a team of five and still have two evenings a week for myself.'],
  frustrations: ['Meetings fill the day, and my own work begins at six.'],
  readiness: ['8'],
}
const preparations: SentAnswers[] = [
  { mood: ['5'], wins: ['I said no twice.'], topic: ['The conversation with my manager'] },
  { mood: ['8'], wins: ['The conversation went well.'], topic: ['What I do with the time that I have won'] },
]

/** Fills the demo practice, once. */
export async function seed(ctx: Ctx, { which }: DemoPractice): Promise<void> {
  if ((await listForms(ctx, { rows: 1 })).length) return
  const names: TemplateName[] = which === 'first' ? ['feedback', 'wheel', 'preparation'] : ['preparation']
  for (const template of names) await addTemplate(ctx, template)
  const { id: intakeId, questions } = await ctx.write((tx) => createIntake(tx))
  const [first, second] = await listClientOptions(ctx, { rows: 2 })
  const [type] = await listAppointmentTypes(ctx, { rows: 1 })
  const preparation = (await listForms(ctx)).find(({ name }) => name === 'Session preparation')
  if (type && preparation)
    await ctx.write((tx) => requireForm(tx, { appointmentTypeId: type.id, formId: preparation.id }))
  if (!first) return
  const { id } = await ctx.write((tx) => sendForm(tx, { formId: intakeId, clientId: first.id }))
  const file = questions.find(({ kind }) => kind === 'file')
  const opened = await findAnsweredForm(ctx, id)
  const content = Readable.from([Buffer.from('Curriculum vitae\n\nHead of design since 2023.\n')])
  await withContent(ctx, content, {}, (tx, stored) =>
    addAnswerFile(tx, id, {
      question: file!.id,
      formVersionId: opened!.formVersionId,
      name: 'Curriculum vitae.txt',
      content: stored,
    }),
  )
  await answer(ctx, id, intake)
  if (preparation)
    for (const sent of preparations) {
      const { id: one } = await ctx.write((tx) => sendForm(tx, { formId: preparation.id, clientId: first.id }))
      await answer(ctx, one, sent)
    }
  if (!second) return
  const begun = await ctx.write((tx) => sendForm(tx, { formId: intakeId, clientId: second.id }))
  const { formVersionId, version } = (await findAnsweredForm(ctx, begun.id))!
  await saveAnswers(ctx, begun.id, { formVersionId, version, sent: { profession: ['Teacher'] } })
}

const addTemplate = (ctx: Ctx, template: TemplateName) =>
  ctx.write((tx) => createForm(tx, NewForm.parse({ name: templates[template].name, template })))

/** The template, with a file at the end. */
function createIntake(tx: WriteCtx) {
  const { name, description, questions } = templates.intake
  const cv = { ...newQuestion('file', 'cv'), label: 'Your curriculum vitae', help: 'If you have one at hand.' }
  return createForm(tx, NewForm.parse({ name, description, questions: [...questions, cv] }))
}

async function answer(ctx: Ctx, id: number, sent: SentAnswers): Promise<void> {
  const { formVersionId, version } = (await findAnsweredForm(ctx, id))!
  await submitAnswers(ctx, id, { formVersionId, version, sent })
}
