import { productSold, reassignProspect } from '#modules/crm/index.ts'
import { appointmentCreated } from '#modules/scheduling/index.ts'
import { subscribe } from '../core/events.ts'
import { implementHook } from '../core/hooks.ts'
import { defineModule } from '../core/manifest.ts'
import { operations } from './api.ts'
import { contributions } from './contributions.ts'
import {
  contractCompleted,
  contractDeclined,
  contractExpired,
  contractSent,
  contractSigned,
  contractViewed,
  contractVoided,
} from './events.ts'
import { migrations } from './migrations.ts'
import { permissions } from './permissions.ts'
import { practiceExport } from './practice-export.ts'
import { search } from './search.ts'
import { seed } from './seed.ts'
import {
  Contract,
  ContractEmail,
  ContractEvent,
  ContractFile,
  ContractRequirement,
  ContractSignature,
  ContractTemplate,
} from './schema.ts'
import { emailQueue, sendContractEmail, type EmailJob } from './services/emails.ts'
import {
  conversionQueue,
  enqueueOfConverted,
  enqueueOfSold,
  saleQueue,
  sendRequired,
  sendRequiredOfConverted,
  sendRequiredOfSold,
} from './services/requirements.ts'
import { sweepContracts } from './services/sweep.ts'
import { beforeErase, recordKinds } from './trash.ts'

/** For eight hours: the storage of the coach's plan may be full. */
const requiredRetries = 40

export default defineModule({
  id: 'contracts',
  dependsOn: ['crm', 'scheduling'],
  entities: [
    ContractTemplate,
    Contract,
    ContractSignature,
    ContractEvent,
    ContractFile,
    ContractEmail,
    ContractRequirement,
  ],
  notifications: [
    { kind: 'contracts.viewed', label: 'A client opens a contract' },
    { kind: 'contracts.signed', label: 'A client has signed and you have not' },
    { kind: 'contracts.declined', label: 'A client declines a contract' },
    { kind: 'contracts.completed', label: 'A contract is signed by both', description: 'With your copy as a PDF.' },
  ],
  publishedEvents: [
    { event: contractSent, label: 'Contract sent' },
    { event: contractViewed, label: 'Contract viewed' },
    { event: contractSigned, label: 'Contract signed' },
    { event: contractCompleted, label: 'Contract completed' },
    { event: contractDeclined, label: 'Contract declined' },
    { event: contractVoided, label: 'Contract voided' },
    { event: contractExpired, label: 'Contract expired' },
  ],
  migrations,
  permissions,
  operations,
  routes: [
    { path: 'portal/contracts', file: 'routes/portal-contracts.tsx', layout: 'portal' },
    { path: 'portal/contracts/:id', file: 'routes/portal-contract.tsx', layout: 'portal' },
    { path: 'portal/contracts/:id/file', file: 'routes/portal-file.ts', layout: 'resource' },
    { path: 'contracts', file: 'routes/contracts.tsx' },
    { path: 'contracts/templates', file: 'routes/templates.tsx' },
    { path: 'contracts/templates/:id', file: 'routes/template.tsx' },
    { path: 'contracts/:id', file: 'routes/contract.tsx' },
    { path: 'contracts/:id/file', file: 'routes/file.ts', layout: 'resource' },
    { path: 'contract/:token', file: 'routes/sign.tsx', layout: 'public' },
    { path: 'contract/:token/file', file: 'routes/sign-file.ts', layout: 'resource' },
    { path: 'verify/:code', file: 'routes/verify.tsx', layout: 'public' },
  ],
  nav: [
    {
      label: 'Contracts',
      to: '/contracts',
      otherPaths: ['/history/contract', '/history/contract_template'],
      icon: 'notebook-pen',
      section: 'main',
      order: 67,
      permission: 'contracts:contract:read',
    },
  ],
  contributions,
  clientRecords: [{ table: 'contract', label: ['contract', 'contracts'], parents: { appointment_id: 'appointment' } }],
  recordKinds,
  beforeErase,
  jobs: [
    {
      name: emailQueue,
      kind: 'email',
      // The mail server may be away for eight hours.
      retryLimit: 40,
      run: (platform, data) => sendContractEmail(platform, data as EmailJob),
    },
    {
      name: conversionQueue,
      retryLimit: requiredRetries,
      run: (platform, { coachId, clientId }) =>
        sendRequiredOfConverted(platform, { coachId: Number(coachId), clientId: Number(clientId) }),
    },
    {
      name: saleQueue,
      retryLimit: requiredRetries,
      run: (platform, { coachId, clientId, productId, productName, price }) =>
        sendRequiredOfSold(platform, {
          coachId: Number(coachId),
          clientId: Number(clientId),
          productId: Number(productId),
          productName: String(productName),
          price: Number(price),
        }),
    },
    { name: 'contracts.sweep', every: '20 * * * *', run: sweepContracts },
  ],
  hooks: [
    implementHook('contracts', reassignProspect, enqueueOfConverted),
    implementHook('contracts', productSold, enqueueOfSold),
  ],
  subscribers: [subscribe('contracts', appointmentCreated, sendRequired, { retryLimit: requiredRetries })],
  practiceExport,
  search,
  seed,
})
