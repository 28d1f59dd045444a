import { escapeMarkup } from '#app/lib/markup.ts'
import { parseId } from '#app/lib/url.ts'
import type { Contribution, ProductLink, QuickAction, TodayPart } from '#modules/core/manifest.ts'
import { readPreparation } from '#modules/core/slots.ts'
import type { ClientLink, TimelineEntry } from '#modules/crm/index.ts'
import type { Ctx } from '#tenants/context.ts'
import { toContractView } from './contracts-loader.server.ts'
import { contractStatuses, trailKinds } from './fields.ts'
import { loadPortalContracts, portalPage } from './portal.ts'
import { listContractsOfClient, listUnsignedOfClient, listWaitingForCoach } from './queries/contracts.ts'
import { listRequirements, listTemplateOptions } from './queries/templates.ts'
import { listTimelineEvents } from './queries/trail.ts'

const permission = 'contracts:contract:read'
const ofClient = 'client:contract:read'
const cardRows = 5

const addAction: QuickAction = { label: 'Add Contract', to: '/contracts?dialog=add', icon: 'notebook-pen' }
const clientLinks: ClientLink[] = [
  { label: 'Add Contract', icon: 'clipboard-list', to: '/contracts?dialog=add&client={id}', placement: 'card-menu' },
]

const productLinks: ProductLink[] = [
  { label: 'Require a Contract', to: '/contracts/templates?dialog=require&product={id}' },
]

export const contributions: Contribution[] = [
  { slot: 'portal.home', widget: 'portal-contracts', order: 22, permission: ofClient, load: loadPortalContracts },
  { slot: 'portal.page', order: 42, permission: ofClient, load: portalPage },
  { slot: 'dashboard.main', widget: 'waiting-contracts', order: 17, permission, load: loadWaiting },
  { slot: 'today', order: 20, permission, load: loadToSign },
  { slot: 'session.preparation', order: 60, permission, load: loadPreparation },
  { slot: 'dashboard.action', order: 39, permission: 'contracts:contract:write', load: async () => addAction },
  {
    slot: 'client.card',
    widget: 'client-contracts',
    order: 9,
    permission,
    load: (ctx, { id }) => loadOfClient(ctx, id),
  },
  { slot: 'product.menu', order: 10, permission: 'contracts:template:write', load: async () => productLinks },
  { slot: 'client.menu', order: 46, permission: 'contracts:contract:write', load: async () => clientLinks },
  {
    slot: 'client.timeline',
    order: 56,
    permission,
    load: (ctx, { id, rows = '50' }) => listTimeline(ctx, Number(id), Number(rows)),
  },
  {
    slot: 'appointment-type.card',
    widget: 'required-contracts',
    order: 20,
    permission: 'contracts:template:write',
    load: (ctx, { id }) => loadRequired(ctx, parseId(id)),
  },
]

async function loadWaiting(ctx: Ctx) {
  const contracts = await listWaitingForCoach(ctx, cardRows)
  return { contracts: contracts.map((one) => toContractView(ctx, one)) }
}
export type WaitingContracts = Awaited<ReturnType<typeof loadWaiting>>

/** The contracts that only the coach's signature is missing from. */
async function loadToSign(ctx: Ctx): Promise<TodayPart | null> {
  const { contracts } = await loadWaiting(ctx)
  if (!contracts.length) return null
  const items = contracts.map(({ id, title, clientName, date }) => ({
    key: String(id),
    title,
    detail: `Signed by ${clientName}, ${date}`,
    to: `/contracts/${id}`,
  }))
  const more = contracts.length < cardRows ? null : { label: 'All contracts', to: '/contracts' }
  return { title: 'Contracts to sign', items, more }
}

/** The contracts that the client or the coach has not signed. */
async function loadPreparation(ctx: Ctx, params: Record<string, string | undefined>): Promise<TodayPart | null> {
  const contracts = await listUnsignedOfClient(ctx, readPreparation(params).clientId, cardRows)
  if (!contracts.length) return null
  const items = contracts.map((contract) => {
    const { id, title, status, date } = toContractView(ctx, contract)
    return { key: String(id), title, detail: `${contractStatuses[status]}, ${date}`, to: `/contracts/${id}` }
  })
  return { title: 'Unsigned contracts', items, more: null }
}

async function loadOfClient(ctx: Ctx, id: string | undefined) {
  const clientId = Number(id)
  const contracts = await listContractsOfClient(ctx, clientId, cardRows)
  return { clientId, contracts: contracts.map((one) => toContractView(ctx, one)) }
}
export type ClientContracts = Awaited<ReturnType<typeof loadOfClient>>

async function loadRequired(ctx: Ctx, typeId: number) {
  const [required, templates] = await Promise.all([listRequirements(ctx, { typeId }), listTemplateOptions(ctx)])
  return {
    typeId,
    required: required.map(({ id, contractTemplateId, templateName }) => ({ id, contractTemplateId, templateName })),
    templates: templates.filter(({ id }) => !required.some((one) => one.contractTemplateId === id)),
  }
}
export type RequiredContracts = Awaited<ReturnType<typeof loadRequired>>

/** The trail of a client's contracts: what both sides did. */
async function listTimeline(ctx: Ctx, clientId: number, rows: number): Promise<TimelineEntry[]> {
  const events = await listTimelineEvents(ctx, clientId, rows)
  return events.map(({ id, contractId, kind, party, title, at }) => ({
    key: `contract ${id}`,
    at,
    kind: 'contract',
    title:
      kind === 'signed'
        ? `Contract signed by ${party === 'coach' ? 'you' : 'the client'}`
        : `Contract: ${trailKinds[kind].toLowerCase()}`,
    text: escapeMarkup(title),
    to: `/contracts/${contractId}`,
  }))
}
