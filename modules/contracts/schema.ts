import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import { allowedValues, check, columns, lengthChecks, maxLength, sqlIndex, tenantReference } from '#db/columns.ts'
import { currentClient, tenantPolicy } from '#db/policies.ts'
import { searchColumn } from '#db/search-sql.ts'
import { Client } from '#modules/crm/index.ts'
import { Appointment, AppointmentType } from '#modules/scheduling/index.ts'
import {
  contractSources,
  contractStates,
  emailKinds,
  emailStates,
  limits,
  methods,
  parties,
  trailKinds,
  type ContractSource,
  type ContractState,
  type EmailKind,
  type EmailState,
  type Method,
  type Party,
  type TrailKind,
} from './fields.ts'

/** A text with placeholders that contracts are made from. */
export const ContractTemplate = defineEntity({
  name: 'ContractTemplate',
  tableName: 'contract_template',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    name: p.text(),
    body: p.text(),
    ...columns.trash,
    ...columns.version,
    ...searchColumn('name'),
    ...columns.timestamps,
  },
  indexes: [sqlIndex('contract_template_newest', '(coach_id, created_at desc, id desc) where deleted_at is null')],
  checks: [
    check('contract_template_name_length', `name <> '' and ${maxLength('name', 255)}`),
    ...lengthChecks('contract_template', limits.text, ['body']),
    check('contract_template_version_range', 'version >= 1'),
  ],
  ...tenantPolicy('contract_template'),
})
export type TemplateRow = InferEntity<typeof ContractTemplate>

/** A contract with a client. Once sent, its text never changes: a trigger rejects it. */
export const Contract = defineEntity({
  name: 'Contract',
  tableName: 'contract',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    /** Null once the client of a completed contract is erased. */
    client: () => tenantReference(Client, 'client_id', 'no action').nullable(),
    template: () => tenantReference(ContractTemplate, 'template_id', 'no action').nullable(),
    /** The booking that required it. */
    appointment: () => tenantReference(Appointment, 'appointment_id', 'no action').nullable(),
    source: p.text().$type<ContractSource>(),
    state: p.text().$type<ContractState>(),
    title: p.text(),
    /** With placeholders. */
    body: p.text(),
    product: p.text().nullable(),
    /** Cents. */
    price: p.bigint('number').nullable(),
    expiresInDays: p.integer(),
    /** The text that is signed, without placeholders; null for a draft, as the columns below. */
    text: p.text().nullable(),
    textSha256: p.blob().nullable(),
    clientName: p.text().nullable(),
    clientEmail: p.text().nullable(),
    practiceName: p.text().nullable(),
    /** In the address of the page that verifies it. */
    code: p.text().nullable(),
    sentAt: p.datetime(3).nullable(),
    expiresAt: p.datetime(3).nullable(),
    /** Counts the links: each new one ends the one before. */
    linkNumber: p.integer().default(0),
    emailedAt: p.datetime(3).nullable(),
    remindedAt: p.datetime(3).nullable(),
    viewedAt: p.datetime(3).nullable(),
    clientSignedAt: p.datetime(3).nullable(),
    coachSignedAt: p.datetime(3).nullable(),
    closedAt: p.datetime(3).nullable(),
    ...columns.trash,
    ...columns.version,
    ...searchColumn('title'),
    ...columns.timestamps,
  },
  indexes: [
    sqlIndex('contract_newest', '(coach_id, created_at desc, id desc) where deleted_at is null'),
    sqlIndex('contract_client', '(coach_id, client_id, created_at desc) where client_id is not null'),
    sqlIndex('contract_template_ref', '(coach_id, template_id) where template_id is not null'),
    sqlIndex('contract_appointment', '(coach_id, appointment_id, template_id) where appointment_id is not null', {
      unique: true,
    }),
    sqlIndex('contract_open', `(coach_id, expires_at) where state = 'open'`),
    sqlIndex('contract_code', '(coach_id, code) where code is not null', { unique: true }),
  ],
  checks: [
    check('contract_title_length', `title <> '' and ${maxLength('title', 255)}`),
    ...lengthChecks('contract', limits.text, ['body']),
    ...lengthChecks('contract', 255, ['product', 'client_name', 'client_email', 'practice_name']),
    check('contract_price_range', 'price >= 0 and price <= 9999999999'),
    check('contract_expires_in_days_range', `expires_in_days >= 1 and expires_in_days <= ${limits.days}`),
    check('contract_source_allowed', allowedValues('source', Object.keys(contractSources))),
    check('contract_state_allowed', allowedValues('state', contractStates)),
    check(
      'contract_sent',
      `num_nulls(text, text_sha256, client_name, practice_name, code, sent_at, expires_at)
      = case when state = 'draft' then 7 else 0 end`,
    ),
    check('contract_text_sha256_matches', `text_sha256 = sha256(convert_to(text, 'UTF8'))`),
    check(
      'contract_completed',
      `(state = 'completed') = (client_signed_at is not null and coach_signed_at is not null)`,
    ),
    check('contract_closed', `(closed_at is null) = (state in ('draft', 'open'))`),
    check('contract_deleted', `deleted_at is null or state = 'draft'`),
    check('contract_client_known', `client_id is not null or state = 'completed'`),
    check('contract_code_format', `code ~ '^[0-9A-Z]{24}$'`),
    check('contract_version_range', 'version >= 1'),
  ],
  ...tenantPolicy('contract', {
    clients: { rows: `client_id = ${currentClient} and state <> 'draft' and deleted_at is null`, writes: true },
  }),
})
export type ContractRow = InferEntity<typeof Contract>

/** The rows of a contract that the client in the portal sees. */
const ofOwnContract = (table: string): string => `exists (
        select 1 from contract k where k.coach_id = ${table}.coach_id and k.id = ${table}.contract_id)`

/** One party's signature. Never changes: a trigger rejects it. */
export const ContractSignature = defineEntity({
  name: 'ContractSignature',
  tableName: 'contract_signature',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    contract: () => tenantReference(Contract, 'contract_id', 'cascade'),
    party: p.text().$type<Party>(),
    name: p.text(),
    method: p.text().$type<Method>(),
    /** The path of an SVG picture. */
    drawing: p.text().nullable(),
    consent: p.text(),
    /** The hash of the text that was shown. A trigger compares it with the contract's. */
    textSha256: p.blob(),
    ipAddress: p.text().nullable(),
    userAgent: p.text().nullable(),
    signedAt: p.datetime(3),
  },
  indexes: [sqlIndex('contract_signature_party', '(coach_id, contract_id, party)', { unique: true })],
  checks: [
    check('contract_signature_name_length', `name <> '' and ${maxLength('name', limits.name)}`),
    check('contract_signature_party_allowed', allowedValues('party', Object.keys(parties))),
    check('contract_signature_method_allowed', allowedValues('method', Object.keys(methods))),
    check('contract_signature_drawn', `(method = 'drawn') = (drawing is not null)`),
    ...lengthChecks('contract_signature', limits.drawing, ['drawing']),
    ...lengthChecks('contract_signature', 500, ['consent']),
    ...lengthChecks('contract_signature', 400, ['user_agent']),
    ...lengthChecks('contract_signature', 45, ['ip_address']),
  ],
  ...tenantPolicy('contract_signature', { clients: { rows: ofOwnContract('contract_signature'), writes: true } }),
})

/** An entry of the audit trail. Never changes: a trigger rejects it. */
export const ContractEvent = defineEntity({
  name: 'ContractEvent',
  tableName: 'contract_event',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    contract: () => tenantReference(Contract, 'contract_id', 'cascade'),
    kind: p.text().$type<TrailKind>(),
    /** Null for the platform itself. */
    party: p.text().$type<Party>().nullable(),
    name: p.text().nullable(),
    /** The consent, the reason, or the address that a link was sent to. */
    detail: p.text().nullable(),
    /** The hash of the text, or of the PDF. */
    sha256: p.blob().nullable(),
    ipAddress: p.text().nullable(),
    userAgent: p.text().nullable(),
    createdAt: p.datetime(3),
  },
  indexes: [sqlIndex('contract_event_contract', '(coach_id, contract_id, id)')],
  checks: [
    check('contract_event_kind_allowed', allowedValues('kind', Object.keys(trailKinds))),
    check('contract_event_party_allowed', allowedValues('party', Object.keys(parties))),
    ...lengthChecks('contract_event', 255, ['name']),
    ...lengthChecks('contract_event', limits.reason, ['detail']),
    ...lengthChecks('contract_event', 400, ['user_agent']),
    ...lengthChecks('contract_event', 45, ['ip_address']),
  ],
  ...tenantPolicy('contract_event', { clients: { rows: ofOwnContract('contract_event'), writes: true } }),
})

/** The PDF of a completed contract as it was first printed. Never changes: a trigger rejects it. */
export const ContractFile = defineEntity({
  name: 'ContractFile',
  tableName: 'contract_file',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    contract: () => tenantReference(Contract, 'contract_id', 'cascade'),
    content: p.blob(),
    sha256: p.blob(),
    createdAt: p.datetime(3),
  },
  indexes: [sqlIndex('contract_file_contract', '(coach_id, contract_id)', { unique: true })],
  checks: [check('contract_file_sha256_matches', 'sha256 = sha256(content)')],
  ...tenantPolicy('contract_file', { clients: { rows: ofOwnContract('contract_file'), writes: true } }),
})

/** An email about a contract. It is sent at most once (decision 0053). */
export const ContractEmail = defineEntity({
  name: 'ContractEmail',
  tableName: 'contract_email',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    contract: () => tenantReference(Contract, 'contract_id', 'cascade'),
    kind: p.text().$type<EmailKind>(),
    state: p.text().$type<EmailState>().default('waiting'),
    createdAt: p.datetime(3),
    sentAt: p.datetime(3).nullable(),
  },
  indexes: [sqlIndex('contract_email_contract', '(coach_id, contract_id)')],
  checks: [
    check('contract_email_kind_allowed', allowedValues('kind', emailKinds)),
    check('contract_email_state_allowed', allowedValues('state', emailStates)),
  ],
  ...tenantPolicy('contract_email'),
})

/** A booking of the appointment type, or a purchase of the product, sends a contract. */
export const ContractRequirement = defineEntity({
  name: 'ContractRequirement',
  tableName: 'contract_requirement',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    appointmentType: () => tenantReference(AppointmentType, 'appointment_type_id', 'cascade').nullable(),
    /** A product of another module. */
    productId: p.bigint('number').nullable(),
    template: () => tenantReference(ContractTemplate, 'template_id', 'cascade'),
    createdAt: p.datetime(3),
  },
  indexes: [
    sqlIndex('contract_requirement_type', '(coach_id, appointment_type_id, template_id)', { unique: true }),
    sqlIndex('contract_requirement_product', '(coach_id, product_id, template_id) where product_id is not null', {
      unique: true,
    }),
    sqlIndex('contract_requirement_template', '(coach_id, template_id)'),
  ],
  checks: [check('contract_requirement_of_one', 'num_nonnulls(appointment_type_id, product_id) = 1')],
  ...tenantPolicy('contract_requirement'),
})
