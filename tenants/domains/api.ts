import { z } from 'zod'
import { operation, vendorOperation, withPermission, type Operation } from '../api/operation.ts'
import type { Ctx } from '../context.ts'
import { checkDomainNow, noDomain, removeCustomDomain, setCustomDomain } from './custom-domain.ts'
import { DomainForm } from './forms.ts'
import { domainProblems, domainStates } from './states.ts'
import { findCustomDomain, getDomainState } from './queries.ts'
import { listDnsRecords } from './verify.ts'

const DomainOut = z.object({
  coachId: z.int(),
  hostname: z.string(),
  state: z.enum(domainStates),
  problem: z.enum(domainProblems).nullable(),
  records: z.array(z.object({ type: z.enum(['TXT', 'CNAME']), name: z.string(), value: z.string() })),
  checkedAt: z.iso.datetime().nullable(),
  nextCheckAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
})

const tags = ['Authentication']

export const domainOperations: Operation[] = withPermission('account:domain', [
  operation({
    method: 'get',
    path: '/domain',
    tags,
    summary: 'Get the domain of the practice',
    description:
      'Its state, the DNS records that it needs, and what the last check found. Where the domain can’t have a CNAME, A and ' +
      'AAAA records with the addresses of its value do. Without a domain: 404.',
    answers: { 200: DomainOut },
    refusals: [404],
    handle: getDomain,
  }),
  operation({
    method: 'put',
    path: '/domain',
    tags,
    summary: 'Add a domain',
    description:
      'It is used once DNS has the records. Replaces another one, which stops at once. 409 without a subdomain, and for a ' +
      'domain that another practice uses. Needs a session: an API key may not.',
    sessionOnly: true,
    body: DomainForm,
    answers: { 200: DomainOut },
    refusals: [403, 409],
    async handle(ctx, { body }) {
      await setCustomDomain(ctx, body, { address: ctx.address ?? '', userAgent: null })
      return getDomain(ctx)
    },
  }),
  vendorOperation({
    method: 'post',
    path: '/domain/check',
    tags,
    summary: 'Check the DNS of the domain now',
    answers: { 200: DomainOut },
    refusals: [403, 404],
    async handle(ctx) {
      await checkDomainNow(ctx)
      return getDomain(ctx)
    },
  }),
  operation({
    method: 'delete',
    path: '/domain',
    tags,
    summary: 'Remove the domain at once',
    description: 'Needs a session: an API key may not.',
    sessionOnly: true,
    answers: { 204: null },
    refusals: [403, 404],
    handle: (ctx) => removeCustomDomain(ctx, { address: ctx.address ?? '', userAgent: null }),
  }),
])

async function getDomain(ctx: Ctx): Promise<z.output<typeof DomainOut>> {
  const domain = await findCustomDomain(ctx)
  if (!domain) throw noDomain()
  const { hostname, problem, checkedAt, nextCheckAt, createdAt } = domain
  const records = listDnsRecords(ctx.platform.config, domain)
  return {
    coachId: ctx.coachId,
    hostname,
    state: getDomainState(domain),
    problem,
    records,
    checkedAt,
    nextCheckAt,
    createdAt,
  }
}
