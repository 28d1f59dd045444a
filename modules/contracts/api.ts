import { parseId } from '#app/lib/url.ts'
import { getClient } from '#modules/crm/index.ts'
import { operation } from '#tenants/api/operation.ts'
import { listOperation, resource } from '#tenants/api/resource.ts'
import { ContractEdit, ContractFilter, NewContract, NewRequirement, NewTemplate, TemplateEdit } from './forms.ts'
import { getContract, listContracts } from './queries/contracts.ts'
import { getTemplate, listRequirements, listTemplates } from './queries/templates.ts'
import { contract, RequirementOut, template } from './records.ts'
import { createContract, deleteContract, restoreContract, updateContract } from './services/contracts.ts'
import { removeRequirement, requireContract } from './services/requirements.ts'
import { resendContract, sendContract, voidContract } from './services/sending.ts'
import { createTemplate, deleteTemplate, restoreTemplate, updateTemplate } from './services/templates.ts'

export const operations = [
  ...resource({
    path: '/contract-templates',
    tag: 'Contracts',
    noun: 'contract template',
    output: template.output,
    get: getTemplate,
    list: { description: 'Newest first.', run: listTemplates },
    create: {
      description: 'The text may have placeholders such as {{client name}}; an unknown one is a 422.',
      body: NewTemplate,
      run: createTemplate,
    },
    update: { description: 'Contracts stay as they are.', body: TemplateEdit, run: updateTemplate },
    delete: { run: deleteTemplate },
    restore: restoreTemplate,
  }),
  ...resource({
    path: '/contracts',
    noun: 'contract',
    output: contract.output,
    get: getContract,
    list: {
      description: 'Newest first.',
      query: ContractFilter,
      run: async (ctx, page, { clientId, status }) => {
        const client = clientId === undefined ? null : await getClient(ctx, parseId(clientId))
        return listContracts(ctx, { ...page, status, clientId: client?.id })
      },
    },
    create: { description: 'A draft, from a template or with a text.', body: NewContract, run: createContract },
    update: { description: 'Only a draft can be changed.', body: ContractEdit, run: updateContract },
    delete: { description: 'Only a draft can be deleted.', run: deleteContract },
    restore: restoreContract,
    actions: {
      send: {
        summary: 'Send a contract for signature',
        description: 'Emails the client the link. From now on the text never changes.',
        run: (ctx, id) => sendContract(ctx, id, { sendEmail: true, device: toDevice(ctx) }),
      },
      resend: {
        summary: 'Email a new link',
        description: 'The former link ends.',
        run: (ctx, id) => resendContract(ctx, id, { device: toDevice(ctx) }),
      },
      void: { summary: 'Void a contract', run: (ctx, id) => voidContract(ctx, id, { device: toDevice(ctx) }) },
    },
  }),
  listOperation({
    tags: ['Contracts'],
    path: '/contract-requirements',
    summary: 'List the contracts that appointment types and products require',
    output: RequirementOut,
    run: (ctx, page) => listRequirements(ctx, page),
    toCursor: ({ createdAt, id }) => ({ at: createdAt, id }),
  }),
  operation({
    tags: ['Contracts'],
    method: 'post',
    path: '/contract-requirements',
    summary: 'Send a contract with sessions of a type or purchases of a product',
    body: NewRequirement,
    answers: { 201: RequirementOut },
    handle: (ctx, { body }) => requireContract(ctx, body),
  }),
  operation({
    tags: ['Contracts'],
    method: 'delete',
    path: '/contract-requirements/{id}',
    summary: 'Stop sending a contract by itself',
    answers: { 204: null },
    handle: (ctx, { params }) => removeRequirement(ctx, params.id!),
  }),
]

const toDevice = ({ address }: { address: string | null }) => (address === null ? null : { address, userAgent: null })
