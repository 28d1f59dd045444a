import { createApp } from '#app/server/http/app.ts'
import { createAppApi, runtime } from '#app/server/process/runtime.ts'
import { nameRoles } from '#db/roles.ts'
import { modules } from '#modules/registry.ts'
import type { Config } from '#tenants/config.ts'
import { signedLink } from '#tenants/signed-link.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { findFirstClient } from '#tests/support/client-pages.ts'
import { contextFor, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { createPortalSession } from '#tests/support/portal-session.ts'
import { baselineHostSql } from './booking-data.ts'
import { baselineSessionSql } from './data.ts'
import type { Workload } from './load.ts'

const practices = 20
const submissionsEach = 50
const messagesEach = 100

export type PortalWorkloadName = 'portal' | 'messages' | 'autosave'

/** A practice like that of the demo, whose first client has something in each module. */
type Practice = {
  host: string
  coachCookie: string
  clientId: number
  clientCookie: string
  formVersionId: number
  /** The ends of the links of a form. */
  tokens: string[]
  answers: Record<string, string[]>
}
export type PortalData = { ownerUrl: string; appUrl: string; practices: Practice[] }

/** Fills an empty database with practices, through the same services as the demo. */
export async function createPortalData(ownerUrl: string, appUrl: string, config: Config): Promise<PortalData> {
  const platform = await runtime.open({ appUrl, config: { ...config, role: 'web' } })
  const app = createApp({ platform, api: createAppApi(), ready: async () => true })
  const made: Practice[] = []
  for (let n = 1; n <= practices; n++) {
    const subdomain = `practice-${n}`
    const coach = await createCoach({ app: { platform, ownerUrl }, subdomain })
    const post: Post = async (path, body) => {
      const text = JSON.stringify(body)
      const response = await app.fetch(
        new Request(`http://localhost${path}`, {
          method: 'POST',
          headers: {
            cookie: coach.cookie,
            host: 'localhost',
            'content-type': 'application/json',
            'content-length': String(Buffer.byteLength(text)),
          },
          body: text,
        }),
      )
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
      return (await response.json()) as Form
    }
    made.push(await fillPractice(coach, `${subdomain}.localhost`, post))
  }
  await platform.close()
  await asOwner(ownerUrl, async (owner) => {
    const { rows } = await owner.query<{ name: string }>('select current_database() as name')
    for (const sql of [baselineSessionSql, baselineHostSql]) await owner.query(nameRoles(sql, rows[0]!.name))
    await owner.query('vacuum analyze')
  })
  return { ownerUrl, appUrl, practices: made }
}

type Form = { id: number; questions: { id: string; kind: string }[] }
/** Calls the API as the coach, so that this file needs no module. */
type Post = (path: string, body: object) => Promise<Form>
const formLink = signedLink('form', '/form/')

async function fillPractice(coach: Coach, host: string, post: Post): Promise<Practice> {
  const ctx = await contextFor(coach)
  for (const module of modules) await module.seed?.(ctx, { which: 'second', now: ctx.now() })
  const clientId = await findFirstClient(coach)
  const { id: formId } = await post('/api/forms', { name: 'Intake', template: 'intake' })
  const { questions } = await post(`/api/forms/${formId}/publish`, {})
  const answers = questions.filter(({ kind }) => kind === 'long' || kind === 'short').map(({ id }) => [id, [answer]])
  const values = [coach.id, clientId]
  const rows = await inTenant(coach, async (tx) => {
    await tx.query({ name: 'bench.messages', text: messagesSql, values: [...values, messagesEach] })
    return tx.query<{ id: number; versionId: number }>({
      name: 'bench.submissions',
      text: submissionsSql,
      values: [...values, formId, submissionsEach],
    })
  })
  return {
    host,
    coachCookie: coach.cookie,
    clientId,
    clientCookie: `portal=${await createPortalSession(coach, clientId)}`,
    formVersionId: rows[0]!.versionId,
    tokens: rows.map(({ id }) => formLink.getPath(ctx, id).split('/').at(-1)!),
    answers: Object.fromEntries(answers),
  }
}

const answer = 'I would like to lead a team of ten without losing the evenings, and to say no twice a week.'

/** The requests of clients, and of coaches who read their messages. */
export function createPortalWorkloads({ practices: all }: PortalData): Record<PortalWorkloadName, Workload> {
  const head = (host: string, cookie: string) => `HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\nAccept: */*\r\n\r\n`
  const inTurn = (toRequest: (practice: Practice) => string): (() => Buffer) => {
    const requests = all.map((practice) => Buffer.from(toRequest(practice)))
    let index = 0
    return () => requests[index++ % requests.length]!
  }
  // Practices in turn: each has four slots for changes at once.
  const links = Array.from({ length: submissionsEach }, (_, n) =>
    all.map(({ tokens, ...practice }) => ({ ...practice, token: tokens[n]! })),
  ).flat()
  let saved = 0
  const saveNext = (): Buffer => {
    const { host, token, formVersionId, answers } = links[saved % links.length]!
    // The versions are known in advance: a link has its next turn a thousand requests later.
    const version = 1 + Math.floor(saved++ / links.length)
    const body = JSON.stringify({ token, version, formVersionId, answers })
    const headers = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`
    return Buffer.from(`POST /api/form-answers HTTP/1.1\r\nHost: ${host}\r\nAccept: */*\r\n${headers}\r\n\r\n${body}`)
  }
  return {
    portal: {
      name: 'Portal home, against the same page',
      status: 200,
      next: inTurn(({ host, clientCookie }) => `GET /portal ${head(host, clientCookie)}`),
    },
    messages: {
      name: "GET a client's messages?limit=50",
      status: 200,
      next: inTurn(
        ({ coachCookie, clientId }) =>
          `GET /api/clients/${clientId}/messages?limit=50 ${head('localhost', coachCookie)}`,
      ),
    },
    autosave: { name: 'Answers saved while typing', status: 200, next: saveNext },
  }
}

const messagesSql = `
  insert into message (coach_id, client_id, sender, content, read_at, created_at)
  select $1, $2, case when n % 3 = 0 then 'coach' else 'client' end, 'I have thought about what you said. ' || n, now(),
    now() - n * interval '1 hour'
  from generate_series(1, $3::int) as n`

/** None is begun, so that they have no version yet. */
const submissionsSql = `
  with added as (
    insert into form_submission (coach_id, form_id, client_id, source, answers, created_at, updated_at)
    select $1, $3, $2, 'coach', '{}', now() - n * interval '1 day', now() from generate_series(1, $4::int) as n
    returning id)
  select added.id, v.id as "versionId" from added, form_version v where v.coach_id = $1 and v.form_id = $3`
