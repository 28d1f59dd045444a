import { contextFor, getClients, inTenant } from '#tests/e2e/support/test-app.ts'
import type { Screen, World } from '#tests/e2e/support/screens/screen.ts'
import { NewContract } from '../forms.ts'
import { contractLink, getVerifyPath } from '../link.ts'
import { getContractForEdit } from '../queries/contracts.ts'
import { createContract } from '../services/contracts.ts'
import { sendContract, voidContract } from '../services/sending.ts'
import { signAsClient, signAsCoach, viewContract } from '../services/signing.ts'
import { createTemplate } from '../services/templates.ts'

declare module '#tests/e2e/support/screens/screen.ts' {
  interface World {
    contractTemplate: number
    contractDraft: number
    /** Viewed, signed by nobody. */
    contractOpen: number
    contractCompleted: number
    /** Paths of pages of links. */
    contractCoverPage: string
    contractOpenPage: string
    contractSignedPage: string
    contractVoidedPage: string
    contractVerifyPage: string
  }
}

const contract = (
  name: string,
  which: 'contractDraft' | 'contractOpen' | 'contractCompleted',
  suffix = '',
): Screen => ({
  name,
  route: '/contracts/:id',
  path: (world) => `/contracts/${world[which]}${suffix}`,
  as: 'full',
})
const template = (name: string, suffix: string): Screen => ({
  name,
  route: '/contracts/templates/:id',
  path: ({ contractTemplate: id }) => `/contracts/templates/${id}${suffix}`,
  as: 'full',
})
const link = (
  name: string,
  which: 'contractCoverPage' | 'contractOpenPage' | 'contractSignedPage' | 'contractVoidedPage',
): Screen => ({ name, route: '/contract/:token', path: (world) => world[which], as: 'visitor', host: 'full' })

export const screens: Screen[] = [
  { name: 'contracts', route: '/contracts', path: '/contracts', as: 'full' },
  { name: 'contracts-empty', route: '/contracts', path: '/contracts', as: 'newcomer' },
  { name: 'contracts-none-found', route: '/contracts', path: '/contracts?status=declined', as: 'newcomer' },
  { name: 'contracts-add', route: '/contracts', path: '/contracts?dialog=add', as: 'full' },
  { name: 'contract-templates', route: '/contracts/templates', path: '/contracts/templates', as: 'full' },
  { name: 'contract-templates-empty', route: '/contracts/templates', path: '/contracts/templates', as: 'newcomer' },
  {
    name: 'contract-templates-add',
    route: '/contracts/templates',
    path: '/contracts/templates?dialog=add',
    as: 'full',
  },
  {
    name: 'contract-templates-delete',
    route: '/contracts/templates',
    path: ({ contractTemplate: id }) => `/contracts/templates?dialog=delete&template=${id}`,
    as: 'full',
  },
  {
    name: 'contract-templates-require',
    route: '/contracts/templates',
    path: '/contracts/templates?dialog=require',
    as: 'full',
  },
  template('contract-template', ''),
  template('contract-template-preview', '?view=preview'),
  contract('contract-draft', 'contractDraft'),
  contract('contract-draft-preview', 'contractDraft', '?view=preview'),
  contract('contract-send', 'contractDraft', '?dialog=send'),
  contract('contract-delete', 'contractDraft', '?dialog=delete'),
  contract('contract-open', 'contractOpen'),
  contract('contract-sign', 'contractOpen', '?dialog=sign'),
  contract('contract-void', 'contractOpen', '?dialog=void'),
  contract('contract-completed', 'contractCompleted'),
  link('contract-link-cover', 'contractCoverPage'),
  link('contract-link-open', 'contractOpenPage'),
  link('contract-link-signed', 'contractSignedPage'),
  link('contract-link-voided', 'contractVoidedPage'),
  {
    name: 'contract-link-ended',
    route: '/contract/:token',
    path: '/contract/x',
    as: 'visitor',
    host: 'full',
    status: 404,
  },
  {
    name: 'contract-verify',
    route: '/verify/:code',
    path: ({ contractVerifyPage }) => contractVerifyPage,
    as: 'visitor',
    host: 'full',
  },
  {
    name: 'contract-verify-unknown',
    route: '/verify/:code',
    path: '/verify/X',
    as: 'visitor',
    host: 'full',
    status: 404,
  },
  { name: 'portal-contracts', route: '/portal/contracts', path: '/portal/contracts', as: 'client', host: 'full' },
  {
    name: 'portal-contract',
    route: '/portal/contracts/:id',
    path: ({ contractOpen: id }) => `/portal/contracts/${id}`,
    as: 'client',
    host: 'full',
  },
  {
    name: 'contract-history',
    route: '/history/contract/:id',
    path: ({ contractOpen: id }) => `/history/contract/${id}`,
    as: 'full',
  },
  {
    name: 'contract-template-history',
    route: '/history/contract_template/:id',
    path: ({ contractTemplate: id }) => `/history/contract_template/${id}`,
    as: 'full',
  },
]

const device = { userAgent: 'Mozilla/5.0 (iPhone) Safari/605.1', address: '203.0.113.24' }
const drawing = `M20 120${Array.from({ length: 36 }, (_, at) => `L${30 + at * 14} ${at % 2 ? 60 : 140}`).join('')}`

/** Creates the records that the screens show. */
export async function world({ full, longText }: World): Promise<Partial<World>> {
  const ctx = await contextFor(full)
  const [first] = await getClients(full)
  const title = longText.slice(0, 255)
  const body = `Between {{practice name}} and {{client name}}.\n\n${longText.slice(0, 3000)}`
  const { id: contractTemplate } = await inTenant(full, (tx) => createTemplate(tx, { name: title, body }))
  const add = async (): Promise<number> => {
    const input = NewContract.parse({ clientId: first!.id, contractTemplateId: contractTemplate })
    return (await inTenant(full, (tx) => createContract(tx, input))).id
  }
  const send = async () => {
    const { id, textSha256 } = await inTenant(full, async (tx) => sendContract(tx, await add(), { device }))
    return { id, hash: textSha256!, path: contractLink.getPath(ctx, { id, number: 1 }) }
  }
  const [cover, open, completed, voided] = [await send(), await send(), await send(), await send()]
  const name = longText.slice(0, 100)
  await inTenant(full, async (tx) => {
    await viewContract(tx, open.id, { device })
    await signAsClient(tx, completed.id, { name, drawing, hash: completed.hash }, { device })
    await signAsCoach(tx, completed.id, { name, drawing: null, hash: completed.hash }, device)
    await voidContract(tx, voided.id, { reason: longText.slice(0, 500), device })
  })
  const { verificationCode } = await getContractForEdit(ctx, completed.id)
  return {
    contractTemplate,
    contractDraft: await add(),
    contractOpen: open.id,
    contractCompleted: completed.id,
    contractCoverPage: cover.path,
    contractOpenPage: open.path,
    contractSignedPage: completed.path,
    contractVoidedPage: voided.path,
    contractVerifyPage: getVerifyPath(verificationCode!),
  }
}
