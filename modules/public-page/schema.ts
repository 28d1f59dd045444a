import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import { check, columns, lengthChecks, maxLength, sqlIndex, tenantReference } from '#db/columns.ts'
import { tenantPolicy } from '#db/policies.ts'
import { Client } from '#modules/crm/index.ts'

/** A text by a client, for the public page. */
export const Testimonial = defineEntity({
  name: 'Testimonial',
  tableName: 'testimonial',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    quote: p.text(),
    name: p.text(),
    role: p.text().nullable(),
    isShown: p.boolean().default(true),
    position: p.integer(),
    /** When the coach last confirmed that the client permits it. */
    permissionAt: p.datetime(3),
    ...columns.trash,
    ...columns.version,
    ...columns.timestamps,
  },
  indexes: [sqlIndex('testimonial_order', '(coach_id, position, id) where deleted_at is null')],
  checks: [
    check('testimonial_quote_length', `quote <> '' and ${maxLength('quote', 1000)}`),
    check('testimonial_name_length', `name <> '' and ${maxLength('name', 100)}`),
    ...lengthChecks('testimonial', 100, ['role']),
    check('testimonial_version_range', 'version >= 1'),
  ],
  ...tenantPolicy('testimonial'),
})
export type TestimonialRow = InferEntity<typeof Testimonial>

/** A message that a visitor sent with the contact form. Without a client and a prospect where there is no pipeline. */
export const ContactMessage = defineEntity({
  name: 'ContactMessage',
  tableName: 'contact_message',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    client: () => tenantReference(Client, 'client_id', 'cascade').nullable(),
    /** Its module may be missing: only the migrations have its foreign key. */
    prospectId: p.bigint('number').nullable(),
    name: p.text(),
    email: p.text(),
    message: p.text(),
    /** Set before the email about it is given to the mail server, so that none is sent twice. */
    notifiedAt: p.datetime(3).nullable(),
    ...columns.trash,
    ...columns.timestamps,
  },
  indexes: [
    sqlIndex('contact_message_newest', '(coach_id, created_at desc, id desc) where deleted_at is null'),
    sqlIndex('contact_message_client', '(coach_id, client_id, created_at desc) where client_id is not null'),
    sqlIndex('contact_message_prospect', '(coach_id, prospect_id) where prospect_id is not null'),
  ],
  checks: [
    check('contact_message_client_or_prospect', 'num_nonnulls(client_id, prospect_id) <= 1'),
    check('contact_message_name_length', `name <> '' and ${maxLength('name', 100)}`),
    check('contact_message_email_length', maxLength('email', 254)),
    check('contact_message_message_length', `message <> '' and ${maxLength('message', 5000)}`),
  ],
  ...tenantPolicy('contact_message'),
})

/** The settings of the public page: at most one row for each coach. */
export const PublicPageSettings = defineEntity({
  name: 'PublicPageSettings',
  tableName: 'public_page_settings',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    hasContactForm: p.boolean().default(true),
    ...columns.timestamps,
  },
  indexes: [sqlIndex('public_page_settings_coach', '(coach_id)', { unique: true })],
  ...tenantPolicy('public_page_settings'),
})
