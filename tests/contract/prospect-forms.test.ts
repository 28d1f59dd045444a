import { expect, test } from 'vitest'
import { findAnsweredForm, submitAnswers } from '#modules/forms/services/answering.ts'
import { sendRequired } from '#modules/forms/services/requirements.ts'
import { sendLinkEmail } from '#modules/forms/services/submissions.ts'
import { createProspect } from '#modules/pipeline/e2e/factories.ts'
import { visitorContext } from '#tenants/context.ts'
import { listOutbox } from '#tenants/mail.ts'
import { contextFor, createCoach, inTenant } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'

// The modules pipeline, scheduling and forms together.

const app = createTestApp()

test('a prospect gets the form of a session, and their answers come with them when they become a client', async () => {
  const coach = await createCoach({ subdomain: 'prospect-forms' })
  const call = async (method: string, path: string, body?: object) =>
    (await app.call(method, `/api${path}`, { as: coach, ...(body ? { body } : {}) })).body
  const prospect = await createProspect({ coach, name: 'Noor van Dijk', email: 'noor@example.com' })
  const type = await call('POST', '/appointment-types', { name: 'First talk' })
  const form = await call('POST', '/forms', { name: 'Intake', template: 'intake' })
  await call('POST', '/form-requirements', { appointmentTypeId: type.id, formId: form.id })
  const session = await call('POST', '/appointments', {
    title: 'First talk',
    prospectId: prospect.id,
    appointmentTypeId: type.id,
    startTime: '2026-03-20T10:00:00Z',
    endTime: '2026-03-20T11:00:00Z',
  })
  await inTenant(coach, (tx) => sendRequired(tx, { appointmentId: session.id }))
  const [{ id }] = await call('GET', '/form-submissions')
  await sendLinkEmail(app.platform, { coachId: coach.id, submissionId: id })
  expect((await listOutbox(app.platform.config)).filter(({ to }) => to === 'noor@example.com')).toMatchObject([
    { subject: expect.stringContaining('Intake from'), text: expect.stringContaining('Before your session') },
  ])

  const { account } = await contextFor(coach)
  const visitor = visitorContext(app.platform, account, { requestId: 'visit' }, ['forms:answer:write'])
  const { version, formVersionId } = (await findAnsweredForm(visitor, id))!
  const sent = { coached: ['No'], goals: ['A team of my own'], profession: ['Engineer'], readiness: ['9'] }
  await submitAnswers(visitor, id, { version, formVersionId, sent })
  expect(await call('GET', `/form-submissions/${id}`)).toMatchObject({ prospectId: prospect.id, clientId: null })
  const [proposal] = await call('GET', '/form-proposals')
  const approve = () => app.call('POST', `/api/form-proposals/${proposal.id}/approve`, { as: coach })
  expect(await approve()).toMatchObject({ status: 409 })

  const { client } = await call('POST', `/prospects/${prospect.id}/convert-to-client`)
  expect(await call('GET', `/form-submissions/${id}`)).toMatchObject({ prospectId: null, clientId: client.id })
  expect(await approve()).toMatchObject({ status: 200 })
  expect(await call('GET', `/clients/${client.id}`)).toMatchObject({ [proposal.field]: proposal.value })
})
